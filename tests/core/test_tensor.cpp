// Shapes, handles and views.
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

#include "core/ops.hpp"
#include "core/tensor.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

Tensor one_to_six() { return Tensor({2, 3}, {1, 2, 3, 4, 5, 6}); }

}  // namespace

TEST_CASE("a shape counts axes from both ends") {
  const Shape s{2, 3, 5};
  CHECK(s.rank() == 3);
  CHECK(s.size() == 30);
  CHECK(s[0] == 2);
  CHECK(s[-1] == 5);
  CHECK(s.axis(-3) == 0);
  CHECK(s.stride(0) == 15);
  CHECK(s.stride(-1) == 1);
  CHECK(s.with(-1, 7) == Shape{2, 3, 7});
  CHECK(s.without(1) == Shape{2, 5});
  CHECK(s.inserted(-1, 7) == Shape{2, 3, 5, 7});
  CHECK(s.inserted(0, 7) == Shape{7, 2, 3, 5});
  CHECK(s != Shape{2, 3});
  CHECK(Shape{}.size() == 1);
  CHECK(to_string(s) == "[2, 3, 5]");
  CHECK(to_string(Shape{}) == "[]");
}

TEST_CASE("a shape refuses what cannot be") {
  CHECK_THROWS_WITH((Shape{1, 2, 3, 4, 5}), "a shape has at most 4 axes, not 5");
  CHECK_THROWS_WITH((Shape{2, -1}), "a shape cannot have the size -1");
  CHECK_THROWS_WITH((Shape{2, 3}.with(0, -4)), "a shape cannot have the size -4");
  CHECK_THROWS_WITH((Shape{2, 3}.inserted(0, -4)), "a shape cannot have the size -4");
  CHECK_THROWS_WITH((Shape{2, 3}.axis(2)), "there is no axis 2 in [2, 3]");
  CHECK_THROWS_WITH((Shape{2, 3}.without(-3)), "there is no axis -3 in [2, 3]");
  CHECK_THROWS_WITH((Shape{1, 2, 3, 4}.inserted(0, 1)), "no axis can be inserted at 0 in [1, 2, 3, 4]");
}

TEST_CASE("case 18: sizes whose product overflows are refused, and no huge buffer is asked for") {
  constexpr Index half = Index{1} << (sizeof(Index) * 4);  // its square does not fit an Index
  CHECK_THROWS_AS((Shape{half, half}), std::invalid_argument);
  CHECK_THROWS_AS((Shape{0, half, half}), std::invalid_argument);  // its strides would
  CHECK_THROWS_AS(Shape{half}.inserted(0, half), std::invalid_argument);
  CHECK_THROWS_AS((Shape{half, 1}.with(1, half)), std::invalid_argument);
  CHECK_THROWS_AS(Tensor(Shape{std::numeric_limits<Index>::max()}), std::bad_alloc);
  CHECK_THROWS_AS(Tensor(Shape{std::numeric_limits<Index>::max() / 8}), std::bad_alloc);  // 2^60 values
}

TEST_CASE("a tensor holds values row by row") {
  const Tensor x = one_to_six();
  CHECK(x.shape() == Shape{2, 3});
  CHECK(x.rank() == 2);
  CHECK(x.size() == 6);
  CHECK(x.rows() == 2);
  CHECK(x.cols() == 3);
  CHECK(x.at({1, 0}) == 4);
  CHECK(x.values()[5] == 6);
  CHECK(Tensor({2}, 7).at({1}) == 7);
  CHECK(Tensor(Shape{}, 7).item() == 7);
  CHECK(Tensor(Shape{}, 7).at({}) == 7);
  CHECK(Tensor(Shape{1, 1}, 7).item() == 7);
  CHECK(Tensor(Shape{}).rows() == 1);
  CHECK(Tensor(Shape{4, 2, 0}).rows() == 8);
  CHECK(Tensor(Shape{0, 3}).rows() == 0);
}

TEST_CASE("a tensor refuses a wrong count and a wrong place") {
  const Tensor x = one_to_six();
  CHECK_THROWS_WITH((Tensor({2, 3}, {1, 2})), "Tensor[2, 3]: 2 values were given");
  CHECK_THROWS_WITH(x.item(), "item: [2, 3] has not one value");
  CHECK_THROWS_WITH(x.at({2, 0}), "at: no place [2, 0] in [2, 3]");
  CHECK_THROWS_WITH(x.at({0, -1}), "at: no place [0, -1] in [2, 3]");
  CHECK_THROWS_WITH(x.at({0}), "at: no place [0] in [2, 3]");
  CHECK_THROWS_WITH(x.at({0, 0, 0}), "at: no place [0, 0, 0] in [2, 3]");
  CHECK_THROWS_AS(x.at({2, 0}), std::out_of_range);
}

TEST_CASE("an empty tensor refuses to be used") {
  const Tensor x;
  const std::string why = "an empty Tensor was used: it has no values yet";
  CHECK_FALSE(x.defined());
  CHECK_FALSE(x.wants_grad());
  CHECK_THROWS_WITH(x.data(), why);
  CHECK_THROWS_WITH(x.write(), why);
  CHECK_THROWS_WITH(x.item(), why);
  CHECK_THROWS_WITH(x.at({}), why);
  CHECK_THROWS_WITH(x.grad(), why);
  CHECK_THROWS_WITH(x.has_grad(), why);
  CHECK_THROWS_WITH(x.drop_grad(), why);
  CHECK_THROWS_WITH(x.grad_tensor(), why);
  CHECK_THROWS_WITH(x.want_grad(), why);
  CHECK_THROWS_WITH(x.version(), why);
  CHECK_THROWS_WITH(x.reshape({1}), why);
  CHECK_THROWS_WITH(x.reshape({-1}), why);
  CHECK_THROWS_WITH(x.select(0), why);
  CHECK_THROWS_WITH(x.detach(), why);
}

TEST_CASE("copies share values, gradient and version") {
  const Tensor x = one_to_six(), y = x;
  x.want_grad();
  y.write()[0] = 9;
  y.grad()[5] = 2;
  CHECK(x.at({0, 0}) == 9);
  CHECK(x.grad()[5] == 2);
  CHECK(x.version() == 1);
  CHECK(y.wants_grad());
}

TEST_CASE("reshape and select are views: values and gradient land in place") {
  const Tensor x({2, 3, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  const Tensor flat = x.reshape({-1}), row = x.select(1).select(2),
               tail = x.select(1).reshape({2, 3}).select(1);
  CHECK(flat.shape() == Shape{12});
  CHECK(row.shape() == Shape{2});
  CHECK(row.at({0}) == 10);
  CHECK(tail.at({0}) == 9);
  row.write()[1] = -1;
  row.grad()[1] = 5;
  CHECK(x.at({1, 2, 1}) == -1);
  CHECK(tail.at({2}) == -1);
  CHECK(flat.grad()[11] == 5);
  CHECK(flat.grad()[10] == 0);
  CHECK(x.version() == 1);
  CHECK(row.grad_tensor().at({1}) == 5);
  x.drop_grad();
  CHECK_FALSE(row.has_grad());
  CHECK(row.grad_tensor().at({1}) == 0);  // no gradient reads as zeros
}

TEST_CASE("reshape finds the size given as -1") {
  const Tensor x = one_to_six();
  CHECK(x.reshape({3, -1}).shape() == Shape{3, 2});
  CHECK(x.reshape({-1}).shape() == Shape{6});
  CHECK(x.reshape({1, -1, 2, 1}).shape() == Shape{1, 3, 2, 1});
  CHECK(x.reshape({6, -1}).shape() == Shape{6, 1});
  CHECK(x.reshape(Shape{6}).shape() == Shape{6});
  CHECK(Tensor(Shape{}, 1).reshape({-1}).shape() == Shape{1});
  CHECK(Tensor(Shape{1, 1}, 1).reshape({}).shape() == Shape{});
  CHECK(Tensor(Shape{0, 3}).reshape({3, -1}).shape() == Shape{3, 0});
}

TEST_CASE("reshape and select refuse and name the shapes") {
  const Tensor x = one_to_six();
  CHECK_THROWS_WITH(x.reshape({4, 2}), "reshape([2, 3] -> [4, 2]): 6 values do not fill 8");
  CHECK_THROWS_WITH(x.reshape({-1, -1}), "reshape([2, 3] -> [-1, -1]): the size for -1 cannot be found");
  CHECK_THROWS_WITH(x.reshape({-1, 4}), "reshape([2, 3] -> [-1, 4]): the size for -1 cannot be found");
  CHECK_THROWS_WITH(x.reshape({-1, -2}), "a shape cannot have the size -2");
  CHECK_THROWS_WITH(x.reshape({-1, -2, -3}), "a shape cannot have the size -2");
  CHECK_THROWS_WITH(Tensor(Shape{0}).reshape({0, -1}),
                    "reshape([0] -> [0, -1]): the size for -1 cannot be found");
  CHECK_THROWS_AS(x.reshape({1, 1, 1, 1, -1}), std::invalid_argument);
  CHECK_THROWS_WITH(x.select(2), "select: no place 2 along the leading axis of [2, 3]");
  CHECK_THROWS_WITH(x.select(-1), "select: no place -1 along the leading axis of [2, 3]");
  CHECK_THROWS_WITH(Tensor(Shape{}, 1).select(0), "select: no place 0 along the leading axis of []");
}

TEST_CASE("detach copies the values of its view as a constant") {
  const Tensor x = one_to_six();
  x.want_grad();
  const Tensor y = x.select(1).detach();
  y.write()[0] = 0;
  CHECK(y.shape() == Shape{3});
  CHECK(y.at({2}) == 6);
  CHECK(x.at({1, 0}) == 4);
  CHECK_FALSE(y.wants_grad());
  CHECK(y.tape() == 0);
}

TEST_CASE("grad_into is fresh only for a handle on the whole storage") {
  const Tensor x = one_to_six();
  CHECK_FALSE(x.select(0).grad_into().fresh);
  CHECK_FALSE(x.grad_into().fresh);  // it has a gradient by now
  x.drop_grad();
  CHECK(x.reshape({6}).grad_into().fresh);
}

TEST_CASE("packed: one copy until the next write, none of a view") {
  const Tensor W({2, 3}, {1, 2, 3, 4, 5, 6}), x({2, 3}, {1, 0, 0, 0, 1, 1});
  const Real* packed = W.packed();
  REQUIRE(packed);
  CHECK(W.packed() == packed);
  CHECK(linear(x, W).values()[1] == 4);
  W.write()[3] = 7;
  CHECK(linear(x, W).values()[1] == 7);
  CHECK(linear(x.reshape({3, 2}), W.reshape({3, 2})).values()[0] == 1);  // the same values in other rows
  CHECK(linear(x, W).values()[1] == 7);
  CHECK_FALSE(W.select(0).reshape({1, 3}).packed());
  CHECK_FALSE(Tensor({0, 3}).packed());
}
