// What a tape refuses, and that the engine is usable afterwards.
#include <array>
#include <limits>
#include <stdexcept>

#include "core/op.hpp"
#include "core/ops.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

Tensor leaf(Shape shape, Real value) { return Tensor(shape, value).want_grad(); }
Tensor leaf(Real value) { return leaf({}, value); }
Real grad(const Tensor& x) { return x.grad_tensor().item(); }

// A fresh graph whose gradient is known: what "the engine is usable" means.
void require_usable() {
  REQUIRE(Tape::current() == nullptr);
  const Tensor x = leaf(3);
  Tape tape;
  tape.backward(mul(x, x));
  REQUIRE(grad(x) == 6);
}

}  // namespace

TEST_CASE("a root of another tape is refused") {
  Tensor old;
  {
    Tape tape;
    old = exp(leaf(1));
  }
  Tape tape;
  CHECK_THROWS_WITH(tape.backward(old), "backward: root [] was not recorded on this tape");
}

TEST_CASE("a tensor of a tape that has ended is refused, or a constant after detach") {
  const Tensor x = leaf({1, 4}, 1);
  Tensor old;
  {
    Tape tape;
    old = exp(x);
  }
  CHECK_FALSE(add(old, x).wants_grad());  // without a tape all are constants
  CHECK_THROWS_WITH(old.want_grad(),
                    "want_grad: only a leaf can be asked to keep a gradient, not an op's output");
  // [ended]
  Tape tape;
  CHECK_THROWS_WITH(add(old, x),
                    "add([1, 4], [1, 4]): argument a was recorded on a tape that has ended; detach() it");
  // [/ended]
  CHECK_THROWS_WITH(add(x, old),
                    "add([1, 4], [1, 4]): argument b was recorded on a tape that has ended; detach() it");
  CHECK_THROWS_WITH(concat(std::array{x, old}, 0),
                    "concat([1, 4], [1, 4]): tensor 1 was recorded on a tape that has ended; detach() it");
  CHECK_THROWS_AS(exp(old.reshape({4})), std::invalid_argument);
  CHECK(tape.size() == 0);
  tape.backward(sum(add(old.detach(), x)));
  CHECK(x.grad()[3] == 1);
}

// [changed]
TEST_CASE("a value that a gradient reads may not change before backward") {
  const Tensor a = leaf({2, 3}, 1), b = leaf({3, 2}, 1);
  for (int i = 0; i < 3; ++i) b.write()[i] = 2;
  Tape tape;
  const Tensor y = matmul(a, b);
  b.write()[0] = 7;
  CHECK_THROWS_WITH(tape.backward(y, Tensor({2, 2}, 1)),
                    "backward: matmul's argument b changed after the forward pass (version 3, now 4); "
                    "step the optimizer after backward");
  CHECK_FALSE(a.has_grad());
}
// [/changed]

TEST_CASE("a changed output, view or repeated argument is noticed too") {
  const Tensor x = leaf({2, 2}, 1);
  {
    Tape tape;
    const Tensor y = tanh(x);
    y.select(1).write()[0] = 0;
    CHECK_THROWS_WITH(tape.backward(y, Tensor({2, 2}, 1)),
                      "backward: tanh's output changed after the forward pass (version 1, now 2); "
                      "step the optimizer after backward");
  }
  Tape tape;
  const Tensor y = mul(x, x);
  x.write();
  CHECK_THROWS_WITH(tape.backward(y, Tensor({2, 2}, 1)),
                    "backward: mul's argument a changed after the forward pass (version 0, now 1); "
                    "step the optimizer after backward");
}

TEST_CASE("a value that no gradient reads may change") {
  const Tensor x = leaf(1);
  Tape tape;
  const Tensor y = x + x;
  x.write()[0] = 5;
  y.write()[0] = 5;
  tape.backward(y);
  CHECK(grad(x) == 2);
}

TEST_CASE("one tape at a time in a thread") {
  const Tensor x = leaf(3);
  Tape tape;
  CHECK_THROWS_WITH(Tape(), "Tape: this thread has one already; one tape at a time");
  CHECK(Tape::current() == &tape);
  tape.backward(mul(x, x));
  CHECK(grad(x) == 6);
}

TEST_CASE("case 8: check_numbers names the first op that made a NaN or an infinity") {
  const Tensor x({2}, {1, 0}), W({1, 2}, {1, std::numeric_limits<Real>::quiet_NaN()});
  {
    Tape tape({.check_numbers = true});
    CHECK_NOTHROW(exp(x));
    CHECK_THROWS_WITH(log(x), "log([2]): the output [2] holds -inf at place 1");
    CHECK_THROWS_WITH(linear(x, W), "linear([2], [1, 2]): the output [1] holds nan at place 0");
  }
  Tape tape;
  CHECK_NOTHROW(log(x));
}

TEST_CASE("an exception during forward leaves the tape usable") {
  const Tensor x = leaf({3}, 3);
  Tape tape;
  const Tensor y = mul(x, x);
  CHECK_THROWS_AS(add(y, Tensor(Shape{2})), std::invalid_argument);
  CHECK(tape.size() == 1);
  tape.backward(sum(y));
  CHECK(x.grad()[2] == 6);
}

TEST_CASE("an exception that ends a tape's scope leaves the engine usable") {
  const Tensor x = leaf({3}, 3);
  try {
    Tape tape;
    add(mul(x, x), Tensor(Shape{2}));
  } catch (const std::invalid_argument&) {}
  require_usable();
}

TEST_CASE("an exception during backward leaves the engine usable") {
  const Tensor x = leaf(3);
  {
    Tape tape;
    const Tensor y = mul(x, x);
    Op op("faulty", y);
    const Tensor z = op.done(op.output({}), [] { throw std::runtime_error("faulty threw"); });
    CHECK_THROWS_WITH(tape.backward(exp(z)), "faulty threw");
    CHECK_THROWS_AS(tape.backward(y), std::logic_error);  // it has run
    CHECK_FALSE(x.has_grad());
  }
  require_usable();
}
