// What a tape with {.trace = true} keeps of each op.
#include <array>
#include <string>
#include <vector>

#include "core/op.hpp"
#include "core/ops.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

Tensor leaf(Shape shape, Real value) { return Tensor(shape, value).want_grad(); }

bool same(const Tensor& a, const Tensor& b) {  // one handle's values, seen in one shape
  return a.storage() == b.storage() && a.data() == b.data() && a.shape() == b.shape();
}

std::vector<std::string> names(const Tape& tape) {
  std::vector<std::string> names;
  for (const TracedOp& op : tape.trace()) names.push_back(op.name);
  return names;
}

}  // namespace

TEST_CASE("a trace holds the recorded ops in the order they ran, inputs in the order of the arguments") {
  const Tensor a = leaf({}, 2), b = leaf({}, 3), constant({}, 5);
  Tape tape({.trace = true});
  const Tensor u = a * b, v = tanh(a), w = constant - u, y = w + v;
  exp(constant);  // no gradient passes it: not on the tape
  CHECK(names(tape) == std::vector<std::string>{"mul", "tanh", "sub", "add"});
  const std::vector<std::vector<Tensor>> inputs = {{a, b}, {a}, {constant, u}, {w, v}};
  const std::vector<Tensor> outputs = {u, v, w, y};
  REQUIRE(tape.trace().size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    REQUIRE(tape.trace()[k].inputs.size() == inputs[k].size());
    for (std::size_t i = 0; i < inputs[k].size(); ++i) CHECK(same(tape.trace()[k].inputs[i], inputs[k][i]));
    CHECK(same(tape.trace()[k].output, outputs[k]));
  }
}

TEST_CASE("a trace tells views, parts of a list and optional arguments apart") {
  const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6}), W = leaf({1, 3}, 1), b = leaf({1}, 1);
  x.want_grad();
  const Tensor row = x.select(1), list[] = {row, W.reshape({3}), row};
  Tape tape({.trace = true});
  concat(list, 0);
  linear(x, W);
  linear(x, W, b);
  REQUIRE(names(tape) == std::vector<std::string>{"concat", "linear", "linear"});
  REQUIRE(tape.trace()[0].inputs.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(same(tape.trace()[0].inputs[i], list[i]));
  CHECK(tape.trace()[1].inputs.size() == 2);
  REQUIRE(tape.trace()[2].inputs.size() == 3);
  CHECK(same(tape.trace()[2].inputs[2], b));
}

TEST_CASE("a trace keeps values and gradients past backward, of tensors that nobody else holds too") {
  const Tensor x = leaf({}, 3);
  Tape tape({.trace = true});
  tanh(x);  // no gradient comes here
  tape.backward(scale(mul(x, x), 2));
  CHECK(tape.size() == 0);
  REQUIRE(names(tape) == std::vector<std::string>{"tanh", "mul", "scale"});
  CHECK_FALSE(tape.trace()[0].output.has_grad());
  CHECK(tape.trace()[1].output.item() == 9);
  CHECK(tape.trace()[1].output.grad_tensor().item() == 2);
  CHECK(tape.trace()[2].output.item() == 18);
  CHECK(tape.trace()[2].output.grad_tensor().item() == 1);
}

TEST_CASE("an op that was refused leaves no trace") {
  const Tensor x = leaf({2}, 0);
  Tape tape({.check_numbers = true, .trace = true});
  CHECK_THROWS(add(x, Tensor({3}, 1)));
  CHECK_THROWS_WITH(log(x), "log([2]): the output [2] holds -inf at place 0");
  CHECK(tape.trace().empty());
  exp(x);
  CHECK(tape.trace().size() == 1);
}

TEST_CASE("without trace nothing is kept, and the next tape starts empty") {
  const Tensor x = leaf({}, 3);
  {
    Tape tape({.trace = true});
    exp(x);
    CHECK(tape.trace().size() == 1);
    CHECK(x.storage()->refs > 1);
  }
  CHECK(x.storage()->refs == 1);
  Tape tape;
  const Tensor y = exp(x);
  CHECK(tape.trace().empty());
  tape.backward(y);
  CHECK(x.storage()->refs == 1);
}
