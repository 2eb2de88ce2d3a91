// Recording and running backward.
#include <chrono>
#include <stdexcept>
#include <vector>

#include "core/op.hpp"
#include "core/ops.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

Tensor leaf(Shape shape, Real value) { return Tensor(shape, value).want_grad(); }
Tensor leaf(Real value) { return leaf({}, value); }
Real grad(const Tensor& x) { return x.grad_tensor().item(); }

}  // namespace

TEST_CASE("case 1: a middle value used several times") {
  const Tensor x = leaf(3);
  Tape tape;
  const Tensor y = mul(x, x);
  tape.backward(y + mul(y, y));
  CHECK(grad(x) == 114);
}

TEST_CASE("case 1: two layers that share one parameter") {  // z = x W W + x W
  const Tensor x = leaf({1, 1}, 3), W = leaf({1, 1}, 2);
  Tape tape;
  const Tensor y = linear(x, W);
  tape.backward(linear(y, W) + y);
  CHECK(grad(x) == 6);   // W^2 + W
  CHECK(grad(W) == 15);  // 2 x W + x
}

TEST_CASE("case 2: doubling ladder") {
  const auto start = std::chrono::steady_clock::now();
  const Tensor x = leaf(1);
  Tape tape;
  Tensor y = x;
  for (int k = 0; k < 60; ++k) y = y + y;
  tape.backward(y);
  CHECK(grad(x) == static_cast<Real>(1152921504606846976));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("case 3: backward twice") {
  const Tensor a = leaf(3), b = leaf(2), d = leaf(1);
  const auto require_first = [&] {
    REQUIRE(grad(a) == 1);
    REQUIRE(grad(b) == 1);
    REQUIRE(grad(d) == 5);
  };
  {
    Tape tape;
    const Tensor c = a + b, e = c * d;
    tape.backward(e);
    require_first();
    CHECK(grad(c) == 1);  // a handle kept keeps its gradient
    CHECK_THROWS_WITH(tape.backward(e), "backward: this tape has run; record a new one");
    require_first();
  }
  for (const Tensor& x : {a, b, d}) x.drop_grad();
  Tape tape;
  tape.backward((a + b) * d);
  require_first();
}

TEST_CASE("gradients of two tapes add up") {
  const Tensor x = leaf(3);
  for (int i = 0; i < 2; ++i) {
    Tape tape;
    tape.backward(mul(x, x));
  }
  CHECK(grad(x) == 12);
}

TEST_CASE("case 4: backward from a tensor that is not a scalar") {
  const Tensor x = leaf({2, 3}, 2);
  Tape tape;
  const Tensor y = mul(x, x);
  CHECK_THROWS_WITH(tape.backward(y), "backward: root [2, 3] is not a scalar; pass a seed of its shape");
  CHECK_THROWS_WITH(tape.backward(y, Tensor({3, 2}, 1)),
                    "backward: seed [3, 2] has not the shape of root [2, 3]");
  CHECK_THROWS_WITH(tape.backward(y, Tensor({6}, 1)), "backward: seed [6] has not the shape of root [2, 3]");
  CHECK_THROWS_AS(tape.backward(y, Tensor()), std::invalid_argument);
  tape.backward(y, Tensor({2, 3}, {1, 2, 3, 4, 5, 6}));  // refusing did not spend the tape
  CHECK(x.grad()[0] == 4);
  CHECK(x.grad()[5] == 24);
}

TEST_CASE("case 4: a root that depends on nothing that wants a gradient") {
  const Tensor x = leaf(3);
  Tape tape;
  CHECK_THROWS_WITH(tape.backward(Tensor({2, 3}, 1), Tensor({2, 3}, 1)),
                    "backward: root [2, 3] depends on nothing that wants a gradient");
  CHECK_THROWS_WITH(tape.backward(exp(Tensor(Shape{}, 1))),
                    "backward: root [] depends on nothing that wants a gradient");
  CHECK_THROWS_AS(tape.backward(Tensor()), std::invalid_argument);
  CHECK_THROWS_WITH(tape.backward(x), "backward: root [] was not recorded on this tape");
}

TEST_CASE("case 4: a scalar root with an empty seed") {
  const Tensor x = leaf(3);
  Tape tape;
  const Tensor y = mul(x, x);
  CHECK_THROWS(tape.backward(y, Tensor()));
  CHECK_FALSE(x.has_grad());
  tape.backward(y);
  CHECK(grad(x) == 6);
}

TEST_CASE("without a tape nothing is recorded and outputs want nothing") {
  const Tensor x = leaf(3);
  CHECK(Tape::current() == nullptr);
  const Tensor y = mul(x, x);
  CHECK_FALSE(y.wants_grad());
  CHECK(y.tape() == 0);
  Tape tape;
  tape.backward(mul(y, x));  // y is a constant now
  CHECK(grad(x) == 9);
}

TEST_CASE("a tape holds the ops that a gradient can pass, views not among them") {
  const Tensor x = leaf({2, 3}, 1), constant({2, 3}, 1);
  Tape tape;
  CHECK(exp(constant).tape() == 0);
  CHECK(tape.size() == 0);
  const Tensor y = exp(x);
  CHECK(y.tape() == tape.serial());
  CHECK(tape.size() == 1);
  const Tensor z = sum(mul(y.reshape({3, 2}).select(1), constant.reshape({3, 2}).select(0)));
  CHECK(tape.size() == 3);
  tape.backward(z);
  CHECK(tape.size() == 0);
}

TEST_CASE("the gradient of a view of an output lands in place") {
  const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
  x.want_grad();
  Tape tape;
  const Tensor y = scale(x, 2), pair = y.reshape({3, 2}).select(0).reshape({2, 1});  // y_00, y_01
  tape.backward(sum(mul(y.select(1), pair)));  // sum_j y_1j (y_00 + y_01)
  const std::vector<Real> want{60, 60, 0, 12, 12, 12};
  for (std::size_t i = 0; i < 6; ++i) CHECK(x.grad()[i] == want[i]);
}

TEST_CASE("a root may be a view") {
  const Tensor x = leaf({3}, 1);
  Tape tape;
  tape.backward(scale(x, 2).select(1));
  CHECK(x.grad()[0] == 0);
  CHECK(x.grad()[1] == 2);
}

TEST_CASE("an op that no gradient reaches does not run backward") {
  const Tensor x = leaf(3), y = leaf(4);
  int runs = 0;
  const auto probe = [&](const Tensor& a) {
    Op op("probe", a);
    return op.done(op.output(a.shape()), [&runs] { ++runs; });
  };
  Tape tape;
  probe(mul(x, y));
  CHECK(tape.size() == 2);
  tape.backward(probe(x));
  CHECK(runs == 1);
  CHECK_FALSE(y.has_grad());
}
