// Long short-term memory.                           Hochreiter and Schmidhuber 1997; forget gate: Gers et al. 2000
//
//   i = sigmoid(W_ii x + b_ii + W_hi h + b_hi)      f = sigmoid(W_if x + b_if + W_hf h + b_hf)
//   g = tanh(W_ig x + b_ig + W_hg h + b_hg)         o = sigmoid(W_io x + b_io + W_ho h + b_ho)
//   c' = f c + i g                                  h' = o tanh(c')
//
// Names, shapes and gate order are PyTorch's: row blocks i, f, g, o. No extra forget bias.
#pragma once

#include "nn/recurrent.hpp"

namespace lookback::inline LOOKBACK_NS {

// h' and c' from the two halves of the gates, gi and gh [B, 4H], and h and c [B, H].
// Rows where `keep` [B, 1] is false hold their state; without a mask every row moves on.
CellState lstm_gates(const Tensor& gi, const Tensor& gh, const CellState& state, const Mask& keep = {});
CellState lstm_gates_composed(const Tensor& gi, const Tensor& gh, const CellState& state,
                              const Mask& keep = {});  // its slow twin

struct LSTMCell : RecurrentCell {
  LSTMCell(const Params& p, Index in, Index hidden, const std::string& suffix = "")
      : RecurrentCell(p, 4, in, hidden, suffix) {}
  CellState next(const Tensor& gi, const CellState& state, const Mask& keep = {}) const override {
    return lstm_gates(gi, linear(state.h, weight_hh, bias_hh), state, keep);
  }
  CellState zero(Index B) const override { return {Tensor({B, hidden()}), Tensor({B, hidden()})}; }
  CellState operator()(const Tensor& x, const CellState& state) const { return next(input(x), state); }
};

struct LSTM : Recurrent {
  LSTM(const Params& p, Index in, Index hidden, RecurrentOptions options = {}) : Recurrent("lstm", options) {
    add_cells(in, hidden, [&](Index size, const std::string& suffix) {
      return std::make_shared<LSTMCell>(p, size, hidden, suffix);
    });
  }
};

}  // namespace lookback::inline LOOKBACK_NS
