// What GRU and LSTM share: layers and directions of cells run over sentences of different lengths.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ops.hpp"
#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

struct CellState {
  Tensor h, c;  // [B, H] each; c is the LSTM's memory, empty for a GRU
};

// One cell. Names, shapes and gate order are PyTorch's; `suffix` ends each name: "_l0", "_l0_reverse".
struct RecurrentCell {
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;  // [G H, in], [G H, H], [G H], [G H] for G gates

  virtual ~RecurrentCell() = default;
  // One step from gi = input(x) [B, G H]. Rows where `keep` [B, 1] is false hold their state; without a
  // mask every row moves on.
  virtual CellState next(const Tensor& gi, const CellState& state, const Mask& keep = {}) const = 0;
  virtual CellState zero(Index B) const = 0;
  // x [.., in] -> gi [.., G H], of many steps at once
  Tensor input(const Tensor& x) const { return linear(x, weight_ih, bias_ih); }
  Index hidden() const { return weight_hh.cols(); }

 protected:
  RecurrentCell(const Params& p, Index gates, Index in, Index hidden, const std::string& suffix);
};

// Does row b hold its state?
inline bool frozen(const Mask& keep, Index b) {
  return !keep.empty() && !keep.values[static_cast<std::size_t>(b)];
}

struct RecurrentOptions {
  Index layers = 1;
  bool bidirectional = false;
  Real dropout = 0;  // between layers, where a random stream is passed
};

struct States {
  Tensor h;     // [B, S, D H]: the top layer after each token, 0 past a sentence's end; [forward; backward]
  Tensor last;  // [B, D H]: the top layer after each direction's last token
  std::vector<CellState> final;  // of each layer and direction, direction fastest
};

// Runs x [B, S, in] over true lengths: past its end a sentence's state is frozen and its output 0, so that
// neither padding nor longer batch mates change anything; the backward direction begins at the last token.
// `first` holds the states to begin from, one a layer and direction; zero when empty. Throws
// std::invalid_argument when shapes do not fit or a length is not in 0 .. S.
class Recurrent {
 public:
  States operator()(const Tensor& x, std::span<const Index> lengths, std::span<const CellState> first = {},
                    Random* dropout = nullptr) const;

 protected:
  // Throws std::invalid_argument for less than one layer or a dropout outside [0, 1).
  Recurrent(const char* name, RecurrentOptions options);
  // Adds the cells of every layer and direction: make(params, in, suffix).
  template <class Make>
  void add_cells(Index in, Index hidden, Make make) {
    const Index directions = options_.bidirectional ? 2 : 1;
    for (Index layer = 0; layer < options_.layers; ++layer)
      for (Index d = 0; d < directions; ++d)
        cells_.push_back(
            make(layer ? directions * hidden : in, "_l" + std::to_string(layer) + (d ? "_reverse" : "")));
  }

 private:
  const char* name_;  // for messages: "gru"
  RecurrentOptions options_;
  std::vector<std::shared_ptr<const RecurrentCell>> cells_;
};

}  // namespace lookback::inline LOOKBACK_NS
