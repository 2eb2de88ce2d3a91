// Alignment: which source words each target word looked at, kept to be looked at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attention/draw/heatmap.hpp"
#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Alignment {
  std::vector<std::vector<std::string>> source, target;  // tokens of B sentence pairs
  Tensor weights;  // [B, heads, T, S]; rows past a sentence's length mean nothing

  // One more step: [B, heads, S], or [B, S] of a single head.
  void add(const Tensor& step);
  Tensor head(Index k) const;  // [B, T, S]; throws std::out_of_range
  Tensor mean() const;         // [B, T, S] over the heads: what Note I draws
};

// The weights of pair b under its tokens: of one head, or the mean. Throws std::invalid_argument when the
// tokens are more than the weights have rows or columns.
Heatmap heatmap(const Alignment& alignment, Index b, std::optional<Index> head = {});

}  // namespace lookback::inline LOOKBACK_NS
