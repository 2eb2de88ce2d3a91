// Adam against steps worked out by hand.
#include <algorithm>
#include <string>
#include <vector>

#include "nn/adam.hpp"
#include "tests/catch.hpp"
#include "tests/stderr_text.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

void give(const Tensor& p, Real g) { std::fill_n(p.grad(), p.size(), g); }

}  // namespace

TEST_CASE("Adam: three steps by hand") {
  const Params params(1);
  const Tensor p = params.add("p", {5}, ones);
  Adam adam({.rate = Real(0.1)});
  // m .05, .02, .218        v .00025, .00031225, .00431193775
  for (const auto& [g, want] : {std::pair{0.5, 0.9}, {-0.25, 0.8733662987}, {2., 0.8063015345}}) {
    give(p, static_cast<Real>(g));
    adam.step(params);
    CHECK(distance(p, Tensor({5}, static_cast<Real>(want))) <= 1e-6);
    CHECK(!p.has_grad());  // read and dropped
  }
}

TEST_CASE("Adam: the first step is the rate, whatever the size of the gradient") {
  for (const Real g : {Real(1e-3), Real(1), Real(-1e6)}) {
    const Params params(1);
    const Tensor p = params.add("p", {}, zeros);
    Adam adam({.rate = Real(0.1)});
    give(p, g);
    adam.step(params);
    CHECK(p.item() == Approx(g > 0 ? -0.1 : 0.1).epsilon(1e-4));
  }
}

TEST_CASE("Adam: the rate may change between steps, and a zero gradient still moves by what it remembers") {
  const Params params(1);
  const Tensor p = params.add("p", {}, zeros);
  Adam adam({.rate = Real(0.1)});
  give(p, 1);
  adam.step(params);
  adam.options.rate = 0;
  give(p, 1);
  adam.step(params);
  CHECK(p.item() == Approx(-0.1).epsilon(1e-5));
  adam.options.rate = Real(0.1);
  give(p, 0);
  adam.step(params);
  CHECK(p.item() < Real(-0.15));
}

TEST_CASE("Adam: a parameter without a gradient stays, and is named once") {
  const Params params(1);
  const Tensor p = params.add("p", {2}, ones), q = params["unused"].add("q", {2}, ones);
  Adam adam({.rate = Real(0.1)});
  const std::string said = stderr_text([&] {
    for (int i = 0; i < 3; ++i) give(p, 1), adam.step(params);
  });
  CHECK(said == "adam: unused.q received no gradient; it stays as it is\n");
  CHECK(distance(q, Tensor({2}, 1)) == 0);
  CHECK(distance(p, Tensor({2}, Real(0.7))) <= 1e-5);
  give(p, 1), give(q, 5);  // its first step is a first step: t counts its own gradients
  adam.step(params);
  CHECK(distance(q, Tensor({2}, Real(0.9))) <= 1e-5);
}

TEST_CASE("Adam: a parameter added later begins then") {
  const Params params(1);
  const Tensor p = params.add("p", {}, ones);
  Adam adam({.rate = Real(0.1)});
  give(p, 1);
  adam.step(params);
  const Tensor q = params.add("q", {3}, ones);
  give(p, 1), give(q, 1);
  adam.step(params);
  CHECK(distance(q, Tensor({3}, Real(0.9))) <= 1e-5);
}

TEST_CASE("Adam: another list of parameters is refused, and left alone") {
  const Params params(1), others(1);
  const Tensor p = params.add("w", {2}, zeros), q = others.add("u", {4000}, zeros);
  Adam adam;
  give(p, 1);
  adam.step(params["any scope"]);  // the same list
  give(q, 1);
  CHECK_THROWS_WITH(adam.step(others),
                    "adam: these are not the parameters it has stepped so far; one optimizer, one list");
  CHECK(all_zero(q));
}
