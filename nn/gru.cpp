#include "nn/gru.hpp"

#include <cmath>
#include <vector>

#include "core/kernels/math.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor gru_gates_composed(const Tensor& gi, const Tensor& gh, const Tensor& h, const Mask& keep) {
  const Index H = h.cols();
  const auto part = [H](const Tensor& gates, int k) { return slice(gates, -1, k * H, (k + 1) * H); };
  const Tensor r = sigmoid(part(gi, 0) + part(gh, 0));
  const Tensor z = sigmoid(part(gi, 1) + part(gh, 1));
  const Tensor n = tanh(part(gi, 2) + r * part(gh, 2));
  const Tensor next = n + z * (h - n);  // (1 - z) n + z h
  return keep.empty() ? next : where(keep, next, h);
}

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

GRUCell::GRUCell(Params p, Index in, Index hidden, const std::string& suffix) {
  const Init init = uniform(1 / std::sqrt(static_cast<Real>(hidden)));  // PyTorch's
  weight_ih = p.add("weight_ih" + suffix, {3 * hidden, in}, init);
  weight_hh = p.add("weight_hh" + suffix, {3 * hidden, hidden}, init);
  bias_ih = p.add("bias_ih" + suffix, {3 * hidden}, init);
  bias_hh = p.add("bias_hh" + suffix, {3 * hidden}, init);
}

Tensor GRUCell::next(const Tensor& gi, const Tensor& h, const Mask& keep) const {
  return gru_gates(gi, linear(h, weight_hh, bias_hh), h, keep);
}

States GRU::operator()(const Tensor& x, std::span<const Index> lengths, const Tensor& first) const {
  Op op("gru", x);
  op.require(x.rank() == 3 && x.shape()[0] == static_cast<Index>(lengths.size()),
             "x needs the shape [{}, S, in] of {} lengths", lengths.size(), lengths.size());
  const Index B = x.shape()[0], S = x.shape()[1], H = cell.hidden();
  const Mask keep = Mask::lengths(lengths, S);
  const Tensor gi = cell.input(permute(x, {1, 0, 2}));  // [S, B, 3H]: time first, so that a step is a view
  Tensor h = first.defined() ? first : Tensor({B, H});
  std::vector<Tensor> states;
  for (Index t = 0; t < S; ++t) {
    Mask now({B, 1}, std::vector<std::uint8_t>(static_cast<std::size_t>(B)));
    for (std::size_t b = 0; b < lengths.size(); ++b) now.values[b] = t < lengths[b];
    h = cell.next(gi.select(t), h, now);
    states.push_back(h);
  }
  if (states.empty()) return {Tensor({B, 0, H}), h};
  const Tensor all = stack(states, 1);  // [B, S, H]
  return {where(keep.reshape({B, S, 1}), all, Tensor(all.shape())), h};
}

}  // namespace lookback::inline LOOKBACK_NS
