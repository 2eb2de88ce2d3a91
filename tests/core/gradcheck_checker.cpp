// Checking the checker: a gradient with one fault planted must not pass, and the text must say where.
#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <string>

#include "core/gradcheck.hpp"
#include "core/op.hpp"
#include "core/ops.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

enum class Fault { none, flipped_sign, missing_term, factor_2, assigns, not_a_number };

// y_i = a_i b_i s, s = sum_j b_j, with the fault in the gradient of b
Tensor planted(const Tensor& a, const Tensor& b, Fault fault) {
  Op op("planted", a, b);
  const Index n = a.size();
  const Real s = sum(b.detach()).item();
  Tensor y = op.output(a.shape());
  Real* out = y.write();
  for (Index i = 0; i < n; ++i) out[i] = a.data()[i] * b.data()[i] * s;
  return op.done(y, [=] {  // da_i += dy_i b_i s, db_i += dy_i a_i s + sum_j dy_j a_j b_j
    const Real *dy = y.grad(), *va = a.data(), *vb = b.data();
    Real through_s = 0;
    for (Index i = 0; i < n; ++i) through_s += dy[i] * va[i] * vb[i];
    for (Index i = 0; i < n; ++i) {
      a.grad()[i] += dy[i] * vb[i] * s;
      const Real direct = dy[i] * va[i] * s, right = direct + through_s;
      Real& db = b.grad()[i];
      if (fault == Fault::none) db += right;
      if (fault == Fault::flipped_sign) db -= right;
      if (fault == Fault::missing_term) db += direct;
      if (fault == Fault::factor_2) db += 2 * right;
      if (fault == Fault::assigns) db = right;
      if (fault == Fault::not_a_number) db += right * std::numeric_limits<Real>::quiet_NaN();
    }
  });
}

Gradcheck check(Fault fault) {
  const Tensor a = random_leaf({3}, 1), b = random_leaf({3}, 2, 0.5, 1);
  return gradcheck("planted", std::array{a, b}, [=] { return planted(a, b, fault); });
}

}  // namespace

TEST_CASE("case 6: gradcheck passes a right gradient") {
  const Gradcheck g = check(Fault::none);
  CHECK(g.failure == "");
  CHECK(g);
  CHECK(g.checked == 12);  // 3 + 3 values, on fresh gradients and on prefilled ones
}

TEST_CASE("case 6: gradcheck catches a planted fault and names op, argument, place and both numbers") {
  const Fault fault = GENERATE(Fault::flipped_sign, Fault::missing_term, Fault::factor_2, Fault::assigns);
  const Gradcheck g = check(fault);
  CHECK_FALSE(g);
  INFO(g.failure);
  double backward = 0, numeric = 0;
  int end = 0;
  std::sscanf(g.failure.c_str(),
              "planted: argument 1 [3], place 0: backward says %lf, finite differences %lf%n", &backward,
              &numeric, &end);
  REQUIRE(end > 0);
  if (fault == Fault::flipped_sign) CHECK(backward == Approx(-numeric));
  if (fault == Fault::factor_2) CHECK(backward == Approx(2 * numeric));
  CHECK(g.failure.substr(static_cast<std::size_t>(end)) ==
        (fault == Fault::assigns ? " (gradients prefilled)" : ""));
}

TEST_CASE("gradcheck catches a NaN") { CHECK_FALSE(check(Fault::not_a_number)); }

TEST_CASE("gradcheck catches a fault that a plain sum would hide") {  // sum softmax = 1: its gradient is 0
  const Tensor x = random_leaf({4}, 1);
  CHECK_FALSE(gradcheck("softmax without a gradient", std::array{x}, [=] { return softmax(x.detach()); }));
}

TEST_CASE("gradcheck that compared nothing does not pass") {
  CHECK_FALSE(gradcheck("nothing", {}, [] { return Tensor(Shape{}, 1); }));
}

TEST_CASE("gradcheck leaves values as they were and drops the gradients") {
  const Tensor x = random_leaf({5}, 1), before = x.detach();
  CHECK(gradcheck("tanh", std::array{x}, [=] { return tanh(x); }));
  CHECK(std::equal(x.values().begin(), x.values().end(), before.values().begin()));
  CHECK_FALSE(x.has_grad());
}
