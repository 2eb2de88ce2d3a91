// SGD against steps worked out by hand.
#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "nn/sgd.hpp"
#include "tests/catch.hpp"
#include "tests/stderr_text.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

void give(const Tensor& p, Real g) { std::fill_n(p.grad(), p.size(), g); }

// p after a step on each of two gradients, 1 and then -2, from p = 1.
std::pair<Real, Real> two_steps(const SGDOptions& options) {
  const Params params(1);
  const Tensor p = params.add("p", {3}, ones);
  SGD sgd(options);
  give(p, 1);
  sgd.step(params);
  CHECK(!p.has_grad());  // read and dropped
  const Real first = p.at({2});
  give(p, -2);
  sgd.step(params);
  return {first, p.at({2})};
}

}  // namespace

TEST_CASE("SGD: plain, with momentum, with weight decay") {
  auto [first, second] = two_steps({.rate = Real(0.25)});
  CHECK(first == Approx(0.75));
  CHECK(second == Approx(1.25));
  std::tie(first, second) = two_steps({.rate = Real(0.25), .momentum = Real(0.5)});
  CHECK(first == Approx(0.75));
  CHECK(second == Approx(1.125));  // v = 0.5 * 1 - 2
  std::tie(first, second) = two_steps({.rate = Real(0.25), .weight_decay = Real(0.5)});
  CHECK(first == Approx(0.625));      // g = 1 + 0.5 * 1
  CHECK(second == Approx(1.046875));  // g = -2 + 0.5 * 0.625
}

TEST_CASE("SGD: the rate may change between steps") {
  const Params params(1);
  const Tensor p = params.add("p", {}, ones);
  SGD sgd({.rate = 0, .momentum = Real(0.5)});
  give(p, 1);
  sgd.step(params);
  CHECK(p.item() == 1);
  sgd.options.rate = Real(0.5);
  give(p, 1);
  sgd.step(params);
  CHECK(p.item() == Approx(0.25));  // v = 0.5 * 1 + 1
}

TEST_CASE("SGD: a parameter without a gradient stays, and is named once") {
  const Params params(1);
  const Tensor p = params.add("p", {}, ones), q = params["unused"].add("q", {2}, ones);
  SGD sgd({.rate = Real(0.25), .momentum = Real(0.5), .weight_decay = Real(0.5)});
  const std::string said = stderr_text([&] {
    for (int i = 0; i < 3; ++i) give(p, 1), sgd.step(params);
  });
  CHECK(said == "sgd: unused.q received no gradient; it stays as it is\n");
  CHECK(distance(q, Tensor({2}, 1)) == 0);
}

TEST_CASE("SGD: another list of parameters is refused, and left alone") {
  const Params params(1), others(1);
  const Tensor p = params.add("w", {2}, zeros), q = others.add("u", {4000}, zeros);
  SGD sgd;
  give(p, 1);
  sgd.step(params["any scope"]);  // the same list
  give(q, 1);
  CHECK_THROWS_WITH(sgd.step(others),
                    "sgd: these are not the parameters it has stepped so far; one optimizer, one list");
  CHECK(all_zero(q));
}
