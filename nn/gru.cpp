#include "nn/gru.hpp"

#include <algorithm>

#include "core/kernels/math.hpp"
#include "core/kernels/parallel.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

// [gru]
Tensor gru_gates_composed(const Tensor& gi, const Tensor& gh, const Tensor& h, const Mask& keep) {
  const Index H = h.cols();
  const auto part = [H](const Tensor& gates, int k) { return slice(gates, -1, k * H, (k + 1) * H); };
  const Tensor r = sigmoid(part(gi, 0) + part(gh, 0));
  const Tensor z = sigmoid(part(gi, 1) + part(gh, 1));
  const Tensor n = tanh(part(gi, 2) + r * part(gh, 2));
  const Tensor next = n + z * (h - n);  // (1 - z) n + z h
  return keep.empty() ? next : where(keep, next, h);
}
// [/gru]

Tensor gru_gates(const Tensor& gi, const Tensor& gh, const Tensor& h, const Mask& keep) {
  Op op("gru_gates", gi, gh, h);
  op.require(h.rank() == 2, "h needs two axes, [B, H]");
  const Index B = h.rows(), H = h.cols();
  op.require(gi.shape() == Shape({B, 3 * H}) && gh.shape() == gi.shape(),
             "both halves of the gates need the shape [{}, {}]", B, 3 * H);
  op.require(keep.empty() || keep.shape == Shape({B, 1}), "the mask {} needs the shape [{}, 1]",
             to_string(keep.shape), B);
  Tensor y = op.output(h.shape());
  const Tensor gates = Op::workspace(gi.shape());  // r, z, n, for the way back
  Real *out = y.write(), *kept = gates.write();
  const Real *in = gi.data(), *re = gh.data(), *state = h.data();
  parallel_for(B, grain(20 * H), [=, &keep](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      const Real *i = in + b * 3 * H, *g = re + b * 3 * H, *old = state + b * H;
      Real *r = kept + b * 3 * H, *z = r + H, *n = z + H, *to = out + b * H;
      if (frozen(keep, b)) {
        std::copy_n(old, H, to);
        continue;
      }
#pragma omp simd
      for (Index j = 0; j < 2 * H; ++j) r[j] = fast_sigmoid(i[j] + g[j]);  // r and z
#pragma omp simd
      for (Index j = 0; j < H; ++j) {
        n[j] = fast_tanh(i[2 * H + j] + r[j] * g[2 * H + j]);
        to[j] = n[j] + z[j] * (old[j] - n[j]);
      }
    }
  });
  op.reads(gh, h);
  return op.done(y, [=] {
    const auto [di, dg, dh] = grads_into(gi, gh, h);
    const Real *dy_all = y.grad(), *re = gh.data(), *state = h.data(), *kept = gates.data();
    parallel_for(B, grain(20 * H), [=, &keep, di = di, dg = dg, dh = dh](Index begin, Index end) {
      constexpr Index some = 64;  // what reaches gi, gh and h, a few columns at a time
      alignas(64) Real dr[some], dz[some], dn[some], inner[some], share[some];
      for (Index b = begin; b < end; ++b) {
        const bool holds = frozen(keep, b);
        for (Index j = 0; j < H; j += some) {
          const Index count = std::min(some, H - j), at = b * 3 * H + j;
          const Real *dy = dy_all + b * H + j, *old = state + b * H + j, *g = re + at + 2 * H;
          const Real *r = kept + at, *z = r + H, *n = z + H;
          if (holds) {
            for (Real* d : {dr, dz, dn, inner}) std::fill_n(d, count, Real{0});
            std::copy_n(dy, count, share);
          } else {
#pragma omp simd
            for (Index k = 0; k < count; ++k) {
              dn[k] = dy[k] * (1 - z[k]) * (1 - n[k] * n[k]);       // before the tanh
              dz[k] = dy[k] * (old[k] - n[k]) * z[k] * (1 - z[k]);  // before the sigmoid
              dr[k] = dn[k] * g[k] * r[k] * (1 - r[k]);
              inner[k] = dn[k] * r[k];
              share[k] = dy[k] * z[k];
            }
          }
          di.put(at, count, dr), dg.put(at, count, dr);
          di.put(at + H, count, dz), dg.put(at + H, count, dz);
          di.put(at + 2 * H, count, dn), dg.put(at + 2 * H, count, inner);
          dh.put(b * H + j, count, share);
        }
      }
    });
  });
}

}  // namespace lookback::inline LOOKBACK_NS
