// Gated recurrent unit.              Cho et al. 2014; reset after the matrix, as PyTorch and cuDNN have it
//
//   r = sigmoid(W_ir x + b_ir + W_hr h + b_hr)      z = sigmoid(W_iz x + b_iz + W_hz h + b_hz)
//   n = tanh(W_in x + b_in + r (W_hn h + b_hn))     h' = (1 - z) n + z h
//
// With all weights 1, the candidate's recurrent bias 1, other biases 0, x = 1 and h = 0.5 the candidate n is
// 0.9769745638 and the new state h' 0.5870123346. (With the reset before the matrix n would be 0.9839569758;
// with z and 1 - z swapped h' would be 0.8899622291.)
// Names, shapes and gate order are PyTorch's: row blocks r, z, n.
#pragma once

#include <span>
#include <string>

#include "core/ops.hpp"
#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

// h' from the two halves of the gates: input gi = W_i x + b_i [B, 3H], recurrent gh = W_h h + b_h [B, 3H], h
// [B, H]. Rows that `keep` [B, 1] says no to keep their state: h' = h. An empty mask keeps all.
Tensor gru_gates(const Tensor& gi, const Tensor& gh, const Tensor& h, const Mask& keep = {});
// Its slow twin.
Tensor gru_gates_composed(const Tensor& gi, const Tensor& gh, const Tensor& h, const Mask& keep = {});

struct GRUCell {
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;  // [3H, in], [3H, H], [3H], [3H]

  // `suffix` follows each parameter's name: "_l0" for the first layer of a GRU.
  GRUCell(Params p, Index in, Index hidden, const std::string& suffix = "");

  // x [.., in] -> gi [.., 3H], of many steps at once
  Tensor input(const Tensor& x) const { return linear(x, weight_ih, bias_ih); }
  // gi [B, 3H], h [B, H] -> h' [B, H]
  Tensor next(const Tensor& gi, const Tensor& h, const Mask& keep = {}) const;
  Tensor operator()(const Tensor& x, const Tensor& h) const { return next(input(x), h); }
  Index hidden() const { return weight_hh.cols(); }
};

struct States {
  Tensor h;     // [B, S, H]: the state after each token, 0 past a sentence's end
  Tensor last;  // [B, H]: the state after the last token
};

struct GRU {
  GRUCell cell;
  GRU(Params p, Index in, Index hidden) : cell(p, in, hidden, "_l0") {}

  // Runs x [B, S, in] over true lengths: past its end a sentence's state is frozen and its output 0, so that
  // neither padding nor longer batch mates change anything. first [B, H] is h_0, 0 when left out.
  States operator()(const Tensor& x, std::span<const Index> lengths, const Tensor& first = {}) const;
};

}  // namespace lookback::inline LOOKBACK_NS
