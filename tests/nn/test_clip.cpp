// One norm over all gradients.
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "nn/adam.hpp"
#include "nn/clip.hpp"
#include "nn/sgd.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

struct Two {
  Params params{1};
  Tensor a = params["first"].add("a", {2}, zeros), b = params["second"].add("b", {3}, zeros);
  Tensor c = params.add("none", {4}, zeros);  // receives no gradient
  Two(std::vector<Real> da, std::vector<Real> db) {
    std::copy(da.begin(), da.end(), a.grad());
    std::copy(db.begin(), db.end(), b.grad());
  }
};

}  // namespace

TEST_CASE("clip_grad_norm scales all gradients together") {
  const Two two({3, 0}, {0, -4, 12});  // norm 13
  CHECK(clip_grad_norm(two.params, Real(6.5)) == Approx(13));
  CHECK(distance(two.a.grad_tensor(), Tensor({2}, {1.5, 0})) <= 1e-6);
  CHECK(distance(two.b.grad_tensor(), Tensor({3}, {0, -2, 6})) <= 1e-6);
  CHECK(clip_grad_norm(two.params, 100) == Approx(6.5));  // small enough: they stay
  CHECK(distance(two.b.grad_tensor(), Tensor({3}, {0, -2, 6})) <= 1e-6);
  CHECK(!two.c.has_grad());
}

TEST_CASE("clip_grad_norm of no gradient, and of zeros") {
  CHECK(clip_grad_norm(Params(1), 1) == 0);
  const Two two({0, 0}, {0, 0, 0});
  CHECK(clip_grad_norm(two.params, 1) == 0);
  CHECK(all_zero(two.b.grad_tensor()));
}

TEST_CASE("clip_grad_norm: gradients whose squares overflow are finite all the same") {
  const Two two({Real(3e30), 0}, {0, Real(4e30), 0});
  CHECK(clip_grad_norm(two.params, 1) == Approx(5e30));
  CHECK(distance(two.a.grad_tensor(), Tensor({2}, {Real(0.6), 0})) <= 1e-6);
}

TEST_CASE("clip_grad_norm refuses a largest norm that is none") {
  const Two two({3, 0}, {0, -4, 12});
  for (const Real none : {Real(0), Real(-1), std::numeric_limits<Real>::quiet_NaN()})
    CHECK_THROWS_AS(clip_grad_norm(two.params, none), std::invalid_argument);
  CHECK(two.a.grad()[0] == 3);
}

TEST_CASE("case 8: a NaN gradient names its parameter, and nothing is scaled") {
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
    const Two two({3, 0}, {0, bad, 12});
    CHECK_THROWS_WITH(clip_grad_norm(two.params, 1), "the gradient of second.b is not finite");
    CHECK_THROWS_AS(clip_grad_norm(two.params, 1), std::runtime_error);
    CHECK(two.a.grad()[0] == 3);
  }
}

TEST_CASE("clip_factor: a step by the factor is a step of clipped gradients") {
  const auto after = [](bool by_factor, auto optimizer) {
    const Two two({3, 0}, {0, -4, 12});
    std::fill_n(two.c.grad(), two.c.size(), Real{0});
    if (by_factor) {
      const Clip clip = clip_factor(two.params, Real(3.25));
      CHECK(clip.norm == Approx(13));
      CHECK(clip.factor == Approx(0.25));
      optimizer.step(two.params, clip.factor);
    } else {
      clip_grad_norm(two.params, Real(3.25));
      optimizer.step(two.params);
    }
    return tensors_of(two.params);
  };
  CHECK(distance(after(true, Adam()), after(false, Adam())) == 0);
  CHECK(distance(after(true, SGD()), after(false, SGD())) == 0);
}
