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

#include "nn/recurrent.hpp"

namespace lookback::inline LOOKBACK_NS {

// h' from the two halves of the gates: input gi = W_i x + b_i [B, 3H], recurrent gh = W_h h + b_h [B, 3H], h
// [B, H]. Rows where `keep` [B, 1] is false hold their state; without a mask every row moves on.
Tensor gru_gates(const Tensor& gi, const Tensor& gh, const Tensor& h, const Mask& keep = {});
// Its slow twin.
Tensor gru_gates_composed(const Tensor& gi, const Tensor& gh, const Tensor& h, const Mask& keep = {});

struct GRUCell : RecurrentCell {
  GRUCell(const Params& p, Index in, Index hidden, const std::string& suffix = "")
      : RecurrentCell(p, 3, in, hidden, suffix) {}
  CellState next(const Tensor& gi, const CellState& state, const Mask& keep = {}) const override {
    return {gru_gates(gi, linear(state.h, weight_hh, bias_hh), state.h, keep), {}};
  }
  CellState zero(Index B) const override { return {Tensor({B, hidden()}), {}}; }
  Tensor operator()(const Tensor& x, const Tensor& h) const { return next(input(x), {h, {}}).h; }
};

struct GRU : Recurrent {
  GRU(const Params& p, Index in, Index hidden, RecurrentOptions options = {}) : Recurrent("gru", options) {
    add_cells(in, hidden, [&](Index size, const std::string& suffix) {
      return std::make_shared<GRUCell>(p, size, hidden, suffix);
    });
  }
};

}  // namespace lookback::inline LOOKBACK_NS
