#include "examples/kit/figures/labels.hpp"

#include <algorithm>
#include <array>

namespace lookback {

Image draw_labels(const Heatmap& map) {
  check_heatmap(map);
  Heatmap writes = map, reads = map;
  writes.row_axis = "the word it writes", reads.row_axis = "the word it reads";
  std::rotate(reads.rows.begin(), reads.rows.end() - 1, reads.rows.end());
  reads.rows[0] = "_GO";
  std::erase_if(reads.links, [&](const Heatmap::Link& link) { return link.row + 1 == std::ssize(map.rows); });
  for (Heatmap::Link& link : reads.links) ++link.row;
  const HeatmapOptions options{.cell = 40, .font = 16, .bar = false};
  return draw_sheet(std::array{draw_heatmap(writes, options), draw_heatmap(reads, options)}, 2);
}

}  // namespace lookback
