#include "nn/gru.hpp"

#include "core/kernels/math.hpp"
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
  const Tensor gates(gi.shape());  // r, z, n, for the way back
  Real *out = y.write(), *kept = gates.write();
  for (Index b = 0; b < B; ++b) {
    const Real *i = gi.data() + b * 3 * H, *g = gh.data() + b * 3 * H, *old = h.data() + b * H;
    Real *r = kept + b * 3 * H, *z = r + H, *n = z + H, *to = out + b * H;
    const bool frozen = !keep.empty() && !keep.values[static_cast<std::size_t>(b)];
#pragma omp simd
    for (Index j = 0; j < 2 * H; ++j) r[j] = fast_sigmoid(i[j] + g[j]);  // r and z
#pragma omp simd
    for (Index j = 0; j < H; ++j) {
      n[j] = fast_tanh(i[2 * H + j] + r[j] * g[2 * H + j]);
      to[j] = frozen ? old[j] : n[j] + z[j] * (old[j] - n[j]);
    }
  }
  op.reads(gh, h);
  return op.done(y, [=] {
    for (Index b = 0; b < B; ++b) {
      const Real *dy = y.grad() + b * H, *g = gh.data() + b * 3 * H + 2 * H, *old = h.data() + b * H;
      const Real *r = gates.data() + b * 3 * H, *z = r + H, *n = z + H;
      Real* dh = h.wants_grad() ? h.grad() + b * H : nullptr;
      if (!keep.empty() && !keep.values[static_cast<std::size_t>(b)]) {
        for (Index j = 0; dh && j < H; ++j) dh[j] += dy[j];
        continue;
      }
      Real *di = gi.wants_grad() ? gi.grad() + b * 3 * H : nullptr,
           *dg = gh.wants_grad() ? gh.grad() + b * 3 * H : nullptr;
      for (Index j = 0; j < H; ++j) {
        const Real dn = dy[j] * (1 - z[j]) * (1 - n[j] * n[j]);       // before the tanh
        const Real dz = dy[j] * (old[j] - n[j]) * z[j] * (1 - z[j]);  // before the sigmoid
        const Real dr = dn * g[j] * r[j] * (1 - r[j]);
        if (dh) dh[j] += dy[j] * z[j];
        if (di) di[j] += dr, di[H + j] += dz, di[2 * H + j] += dn;
        if (dg) dg[j] += dr, dg[H + j] += dz, dg[2 * H + j] += dn * r[j];
      }
    }
  });
}

}  // namespace lookback::inline LOOKBACK_NS
