#include "examples/kit/heads.hpp"

#include <fmt/format.h>

namespace lookback::inline LOOKBACK_NS {

Image draw_heads(const Alignment& alignment, Index b, const std::vector<Heatmap::Link>& links) {
  const Index heads = alignment.weights.shape()[1];
  std::vector<Image> images;
  const auto add = [&](Heatmap map, const std::string& title) {
    map.title = title, map.links = links;
    images.push_back(draw_heatmap(map, {.cell = 36, .font = 15, .bar = false}));
  };
  for (Index k = 0; k < heads; ++k) add(heatmap(alignment, b, k), fmt::format("head {}", k + 1));
  if (heads > 1) add(heatmap(alignment, b), "their mean");
  return draw_sheet(images, 3);
}

}  // namespace lookback::inline LOOKBACK_NS
