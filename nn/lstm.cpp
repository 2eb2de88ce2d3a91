#include "nn/lstm.hpp"

#include <algorithm>

#include "core/kernels/math.hpp"
#include "core/kernels/parallel.hpp"
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
  const Tensor y = op.output({2, B, H});           // h' and c', one behind the other, so that each is a view
  const Tensor gates = Op::workspace(gi.shape());  // i, f, g, o, for the way back
  Real *new_h = y.write(), *new_c = new_h + B * H, *kept = gates.write();
  const Real *in_all = gi.data(), *re_all = gh.data(), *h_all = h.data(), *c_all = c.data();
  parallel_for(B, grain(20 * H), [=, &keep](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      const Real *in = in_all + b * 4 * H, *re = re_all + b * 4 * H, *old_c = c_all + b * H;
      Real *i = kept + b * 4 * H, *f = i + H, *g = f + H, *o = g + H;
      Real *to_h = new_h + b * H, *to_c = new_c + b * H;
      if (frozen(keep, b)) {
        std::copy_n(h_all + b * H, H, to_h);
        std::copy_n(old_c, H, to_c);
        continue;
      }
#pragma omp simd
      for (Index j = 0; j < H; ++j) {
        i[j] = fast_sigmoid(in[j] + re[j]);
        f[j] = fast_sigmoid(in[H + j] + re[H + j]);
        g[j] = fast_tanh(in[2 * H + j] + re[2 * H + j]);
        o[j] = fast_sigmoid(in[3 * H + j] + re[3 * H + j]);
        to_c[j] = f[j] * old_c[j] + i[j] * g[j];
        to_h[j] = o[j] * fast_tanh(to_c[j]);
      }
    }
  });
  op.reads(c, y);
  op.done(y, [=] {
    const auto [di, dr, to_h, to_c] = grads_into(gi, gh, h, c);
    const Real *dh_all = y.grad(), *new_c_all = y.data() + B * H, *c_all = c.data(), *kept = gates.data();
    parallel_for(
        B, grain(20 * H), [=, &keep, di = di, dr = dr, to_h = to_h, to_c = to_c](Index begin, Index end) {
          constexpr Index some = 64;  // what reaches the gates, h and c, a few columns at a time
          alignas(64) Real gate[4][some], share_h[some], share_c[some];
          for (Index b = begin; b < end; ++b) {
            const bool holds = frozen(keep, b);
            for (Index j = 0; j < H; j += some) {
              const Index count = std::min(some, H - j), at = b * H + j;
              const Real *dh = dh_all + at, *dc = dh + B * H, *new_c = new_c_all + at, *old_c = c_all + at;
              const Real *i = kept + b * 4 * H + j, *f = i + H, *g = f + H, *o = g + H;
              if (holds) {
                for (Real* d : gate) std::fill_n(d, count, Real{0});
                std::copy_n(dh, count, share_h);
                std::copy_n(dc, count, share_c);
              } else {
#pragma omp simd
                for (Index k = 0; k < count; ++k) {
                  const Real t = fast_tanh(new_c[k]), d = dc[k] + dh[k] * o[k] * (1 - t * t);  // dL/dc'
                  gate[0][k] = d * g[k] * i[k] * (1 - i[k]);
                  gate[1][k] = d * old_c[k] * f[k] * (1 - f[k]);
                  gate[2][k] = d * i[k] * (1 - g[k] * g[k]);
                  gate[3][k] = dh[k] * t * o[k] * (1 - o[k]);
                  share_h[k] = 0;
                  share_c[k] = d * f[k];
                }
              }
              for (Index m = 0; m < 4; ++m) {
                di.put(b * 4 * H + m * H + j, count, gate[m]);
                dr.put(b * 4 * H + m * H + j, count, gate[m]);
              }
              to_h.put(at, count, share_h);
              to_c.put(at, count, share_c);
            }
          }
        });
  });
  return {y.select(0), y.select(1)};
}

}  // namespace lookback::inline LOOKBACK_NS
