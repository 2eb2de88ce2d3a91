// What a chapter says of tensors is checked: stated shapes, and equal numbers.
#include <limits>

#include "core/ids.hpp"
#include "examples/kit/claims.hpp"
#include "tests/catch.hpp"

using namespace lookback;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;

namespace {

const Shapes shapes = Shapes({{'B', 3}, {'H', 8}, {'K', 2}, {'S', 10}}).quiet();

}  // namespace

TEST_CASE("a shape in letters: products, sums and numbers") {
  CHECK(shapes("[]") == Shape{});
  CHECK(shapes("[B]") == Shape{3});
  CHECK(shapes("[B, S, 1, H]") == Shape{3, 10, 1, 8});
  CHECK(shapes("[BS, H+KH, 12]") == Shape{30, 24, 12});
  CHECK(shapes("[B, S+2, 3H]") == Shape{3, 12, 24});
}

TEST_CASE("letters that stand for nothing and what is not a shape are refused") {
  CHECK_THROWS_WITH(shapes("[B, T]"), Equals("the shape [B, T]: T stands for nothing"));
  CHECK_THROWS_WITH(shapes("B, S"), Equals("the shape B, S: it does not stand in [ ]"));
  CHECK_THROWS_AS(shapes(""), std::invalid_argument);
  CHECK_THROWS_AS(shapes("[B, S, B, S, B]"), std::invalid_argument);  // a fifth axis
}

TEST_CASE("a tensor or ids of another shape than stated stop the chapter") {
  const Tensor x({3, 8});
  CHECK(shapes("h", "[B, H]", x).storage() == x.storage());
  CHECK_NOTHROW(shapes("ids", "[S]", Ids({10})));
  CHECK_THROWS_AS(shapes("h", "[H, B]", x), std::logic_error);
  CHECK_THROWS_WITH(shapes("h", "[H, B]", x), Equals("h: [3, 8] is not [H, B] = [8, 3]"));
  CHECK_THROWS_WITH(shapes("ids", "[B]", Ids({10})), Equals("ids: [10] is not [B] = [3]"));
}

TEST_CASE("difference is the largest, and sees NaN") {
  const Tensor a({2, 2}, {1, 2, 3, 4}), b({2, 2}, {1, 2.5f, 1, 4});
  CHECK(difference(a, b) == 2);
  CHECK(difference(b, a) == 2);
  CHECK(difference(a, a) == 0);
  const Tensor bad({3}, {std::numeric_limits<Real>::quiet_NaN(), 1, 2});
  CHECK(difference(bad, Tensor({3})) == std::numeric_limits<Real>::infinity());
  CHECK_THROWS_WITH(difference(a, Tensor({4})), Equals("difference: [2, 2] and [4]"));
}

TEST_CASE("equal means to 1e-6 of the largest value, or of 1") {
  const auto check = [](Real a, Real b) { print_equal("twins", Tensor({2}, {a, 0}), Tensor({2}, {b, 0})); };
  CHECK_NOTHROW(check(1, 1));
  CHECK_NOTHROW(check(0.5f, 0.5f + 9e-7f));
  CHECK_NOTHROW(check(1000, 1000.0005f));
  CHECK_THROWS_AS(check(1000, 1000.002f), std::logic_error);
  CHECK_THROWS_WITH(check(0.5f, 0.50001f), ContainsSubstring("twins: they differ by"));
  CHECK_THROWS_AS(check(std::numeric_limits<Real>::quiet_NaN(), 1), std::logic_error);
}
