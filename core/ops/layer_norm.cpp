// Layer normalisation.
#include <cmath>
#include <utility>
#include <vector>

#include "core/kernels/reduce.hpp"
#include "core/op.hpp"
#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, Real epsilon) {
  Op op("layer_norm", x);  // y = w (x - mean) / sqrt(variance + epsilon) + b
  op.optional(weight);
  op.optional(bias);
  op.require(x.rank() > 0 && x.cols() > 0, "x needs a last axis that is not empty");
  const Index n = x.cols(), rows = x.rows();
  op.require(!weight.defined() || weight.shape() == Shape{n}, "the weight needs the shape [{}]", n);
  op.require(!bias.defined() || bias.shape() == Shape{n}, "the bias needs the shape [{}]", n);
  Tensor y = op.output(x.shape());
  const Tensor standard(x.shape());  // (x - mean) / deviation, for the way back
  std::vector<Real> inverse(static_cast<std::size_t>(rows));
  Real *out = y.write(), *z = standard.write();
  for (Index r = 0; r < rows; ++r, z += n, out += n) {
    const Real* row = x.data() + r * n;
    const Real mean = lookback::sum(n, row) / static_cast<Real>(n);
    for (Index i = 0; i < n; ++i) z[i] = row[i] - mean;
    const Real one_over = inverse[static_cast<std::size_t>(r)] =
        1 / std::sqrt(sum_squares(n, z) / static_cast<Real>(n) + epsilon);
    for (Index i = 0; i < n; ++i) {
      z[i] *= one_over;
      out[i] =
          (weight.defined() ? weight.data()[i] * z[i] : z[i]) + (bias.defined() ? bias.data()[i] : Real{0});
    }
  }
  if (weight.defined())
    op.reads(weight);
  else
    op.reads();
  return op.done(
      y, [=, inverse = std::move(inverse)] {  // with u = w dy: dx += (u - mean u - z mean(u z)) / deviation
        std::vector<Real> u(static_cast<std::size_t>(n));
        Real* dx = x.wants_grad() ? x.grad() : nullptr;
        Real *dw = weight.wants_grad() ? weight.grad() : nullptr,
             *db = bias.wants_grad() ? bias.grad() : nullptr;
        for (Index r = 0; r < rows; ++r) {
          const Real *dy = y.grad() + r * n, *z = standard.data() + r * n;
          for (Index i = 0; i < n; ++i) {
            u[static_cast<std::size_t>(i)] = weight.defined() ? dy[i] * weight.data()[i] : dy[i];
            if (dw) dw[i] += dy[i] * z[i];
            if (db) db[i] += dy[i];
          }
          const Real mean = lookback::sum(n, u.data()) / static_cast<Real>(n),
                     along = dot(n, u.data(), z) / static_cast<Real>(n);
          for (Index i = 0; dx && i < n; ++i)
            dx[r * n + i] +=
                inverse[static_cast<std::size_t>(r)] * (u[static_cast<std::size_t>(i)] - mean - z[i] * along);
        }
      });
}

}  // namespace lookback::inline LOOKBACK_NS
