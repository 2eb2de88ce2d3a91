// Layer normalisation.
#include <algorithm>
#include <cmath>

#include "core/kernels/parallel.hpp"
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
  const Tensor standard = Op::workspace(x.shape());  // (x - mean) / deviation, for the way back
  const Tensor inverse = Op::workspace({rows});      // 1 / deviation
  Real *out = y.write(), *all_z = standard.write(), *all_inverse = inverse.write();
  const Real *in = x.data(), *w = weight.defined() ? weight.data() : nullptr,
             *b = bias.defined() ? bias.data() : nullptr;
  parallel_for(rows, grain(4 * n), [=](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const Real* row = in + r * n;
      Real *z = all_z + r * n, *to = out + r * n;
      const Real mean = lookback::sum(n, row) / static_cast<Real>(n);
#pragma omp simd
      for (Index i = 0; i < n; ++i) z[i] = row[i] - mean;
      const Real one_over = all_inverse[r] =
          1 / std::sqrt(sum_squares(n, z) / static_cast<Real>(n) + epsilon);
#pragma omp simd
      for (Index i = 0; i < n; ++i) {
        z[i] *= one_over;
        to[i] = (w ? w[i] * z[i] : z[i]) + (b ? b[i] : 0);
      }
    }
  });
  if (weight.defined())
    op.reads(weight);
  else
    op.reads();
  return op.done(y, [=] {
    const auto [into_x, into_w, into_b] = grads_into(x, weight, bias);
    constexpr Index block = 64;  // rows whose share of dw and db is summed first: by one thread, in one order
    const Index blocks = (rows + block - 1) / block;
    const Tensor for_row = Op::workspace({blocks, n}), for_w({blocks, n}), for_b({blocks, n});
    Real *us = for_row.write(), *dws = for_w.write(), *dbs = for_b.write();
    const Real *all_dy = y.grad(), *all_z = standard.data(), *all_inverse = inverse.data();
    parallel_for(blocks, grain(8 * n * block), [=, into_x = into_x](Index begin, Index end) {
      for (Index r = begin * block; r < std::min(end * block, rows); ++r) {
        const Real *dy = all_dy + r * n, *z = all_z + r * n;
        const Index at = r / block * n;
        Real *u = us + at, *dw = dws + at, *db = dbs + at;
#pragma omp simd
        for (Index i = 0; i < n; ++i) {
          u[i] = w ? w[i] * dy[i] : dy[i];
          dw[i] += dy[i] * z[i];
          db[i] += dy[i];
        }
        const Real mean = lookback::sum(n, u) / static_cast<Real>(n),
                   along = dot(n, u, z) / static_cast<Real>(n);
#pragma omp simd
        for (Index i = 0; i < n; ++i) u[i] = all_inverse[r] * (u[i] - mean - z[i] * along);
        into_x.put(r * n, n, u);  // with u = w dy: dx += (u - mean u - z mean(u z)) / deviation
      }
    });
    if (into_w.data) column_sums(blocks, n, dws, into_w.data, !into_w.fresh);
    if (into_b.data) column_sums(blocks, n, dbs, into_b.data, !into_b.fresh);
  });
}

}  // namespace lookback::inline LOOKBACK_NS
