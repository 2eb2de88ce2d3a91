// The heads of an attention side by side.
#pragma once

#include "attention/alignment.hpp"

namespace lookback::inline LOOKBACK_NS {

// Pair b: a heatmap of each head and, when there are several, of their mean, with the links that are known.
// Throws what heatmap() does.
Image draw_heads(const Alignment& alignment, Index b, const std::vector<Heatmap::Link>& links = {});

}  // namespace lookback::inline LOOKBACK_NS
