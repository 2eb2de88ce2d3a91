#include "nn/lstm.hpp"

#include "core/kernels/math.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

CellState lstm_gates_composed(const Tensor& gi, const Tensor& gh, const CellState& state, const Mask& keep) {
  const Index H = state.h.cols();
  const Tensor gates = gi + gh;
  const auto part = [&](int k) { return slice(gates, -1, k * H, (k + 1) * H); };
  const Tensor i = sigmoid(part(0)), f = sigmoid(part(1)), g = tanh(part(2)), o = sigmoid(part(3));
  const Tensor c = f * state.c + i * g, h = o * tanh(c);
  return keep.empty() ? CellState{h, c} : CellState{where(keep, h, state.h), where(keep, c, state.c)};
}

CellState lstm_gates(const Tensor& gi, const Tensor& gh, const CellState& state, const Mask& keep) {
  const Tensor &h = state.h, &c = state.c;
  Op op("lstm_gates", gi, gh, h, c);
  op.require(h.rank() == 2 && c.shape() == h.shape(), "h and c need one shape, [B, H]");
  const Index B = h.rows(), H = h.cols();
  op.require(gi.shape() == Shape({B, 4 * H}) && gh.shape() == gi.shape(),
             "both halves of the gates need the shape [{}, {}]", B, 4 * H);
  op.require(keep.empty() || keep.shape == Shape({B, 1}), "the mask {} needs the shape [{}, 1]",
             to_string(keep.shape), B);
  const auto frozen = [](const Mask& mask, Index b) {
    return !mask.empty() && !mask.values[static_cast<std::size_t>(b)];
  };
  const Tensor y = op.output({2, B, H});  // h' and c', one behind the other, so that each is a view
  const Tensor gates(gi.shape());         // i, f, g, o, for the way back
  Real *new_h = y.write(), *new_c = new_h + B * H, *kept = gates.write();
  for (Index b = 0; b < B; ++b) {
    const Real *in = gi.data() + b * 4 * H, *re = gh.data() + b * 4 * H, *old_h = h.data() + b * H,
               *old_c = c.data() + b * H;
    Real *i = kept + b * 4 * H, *f = i + H, *g = f + H, *o = g + H;
    const bool stays = frozen(keep, b);
#pragma omp simd
    for (Index j = 0; j < H; ++j) {
      i[j] = fast_sigmoid(in[j] + re[j]);
      f[j] = fast_sigmoid(in[H + j] + re[H + j]);
      g[j] = fast_tanh(in[2 * H + j] + re[2 * H + j]);
      o[j] = fast_sigmoid(in[3 * H + j] + re[3 * H + j]);
      const Real next = f[j] * old_c[j] + i[j] * g[j];
      new_c[b * H + j] = stays ? old_c[j] : next;
      new_h[b * H + j] = stays ? old_h[j] : o[j] * fast_tanh(next);
    }
  }
  op.reads(c, y);
  op.done(y, [=] {
    const Real *dh_all = y.grad(), *dc_all = dh_all + B * H, *c_all = y.data() + B * H;
    for (Index b = 0; b < B; ++b) {
      const Real *dh = dh_all + b * H, *dc = dc_all + b * H, *new_c = c_all + b * H,
                 *old_c = c.data() + b * H;
      const Real *i = gates.data() + b * 4 * H, *f = i + H, *g = f + H, *o = g + H;
      Real *to_h = h.wants_grad() ? h.grad() + b * H : nullptr,
           *to_c = c.wants_grad() ? c.grad() + b * H : nullptr;
      if (frozen(keep, b)) {
        for (Index j = 0; j < H; ++j) {
          if (to_h) to_h[j] += dh[j];
          if (to_c) to_c[j] += dc[j];
        }
        continue;
      }
      Real *di = gi.wants_grad() ? gi.grad() + b * 4 * H : nullptr,
           *dr = gh.wants_grad() ? gh.grad() + b * 4 * H : nullptr;
      for (Index j = 0; j < H; ++j) {
        const Real t = fast_tanh(new_c[j]), d = dc[j] + dh[j] * o[j] * (1 - t * t);  // dL/dc'
        const Real gate[] = {d * g[j] * i[j] * (1 - i[j]), d * old_c[j] * f[j] * (1 - f[j]),
                             d * i[j] * (1 - g[j] * g[j]), dh[j] * t * o[j] * (1 - o[j])};
        if (to_c) to_c[j] += d * f[j];
        for (Index k = 0; k < 4; ++k) {
          if (di) di[k * H + j] += gate[k];
          if (dr) dr[k * H + j] += gate[k];
        }
      }
    }
  });
  return {y.select(0), y.select(1)};
}

}  // namespace lookback::inline LOOKBACK_NS
