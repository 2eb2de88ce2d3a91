#include "examples/kit/figures/gradient.hpp"

#include <algorithm>

#include "attention/draw/heatmap.hpp"
#include "attention/draw/line_plot.hpp"

namespace lookback {

Image draw_by_distance(std::span<const Arrivals> all) {
  LinePlot plot{"What of step t's error arrives at h_i",
                "(S - i) + t, the recurrent steps without attention",
                "|dL_t/dh_i| / |dL_t/dlogits_t|",
                {}};
  plot.log_y = true;
  for (const Arrivals& a : all) {
    Line line{a.name, {}, {}};
    const std::size_t T = a.at.size() / a.S;
    for (std::size_t distance = 1; distance < a.S + T; ++distance) {
      float sum = 0, pairs = 0;
      for (std::size_t t = 1; t <= T; ++t)  // i = S + t - distance, from 1 to S
        if (t <= distance && distance < a.S + t) sum += a.at[t * a.S + t - distance - 1], ++pairs;
      line.x.push_back(static_cast<float>(distance)), line.y.push_back(sum / pairs);
    }
    plot.lines.push_back(line);
  }
  return draw_line_plot(plot);
}

Image draw_arrivals(std::span<const Arrivals> all) {
  std::vector<Image> maps;
  for (const Arrivals& a : all) {
    Heatmap map{{}, {}, {}, a.name, "step t", "state h_i"};
    for (std::size_t i = 1; i <= a.S; ++i) map.columns.push_back(std::to_string(i));
    for (auto row = a.at.begin(); row != a.at.end(); row += static_cast<std::ptrdiff_t>(a.S)) {
      map.rows.push_back(std::to_string(map.rows.size() + 1));
      const float most = *std::max_element(row, row + static_cast<std::ptrdiff_t>(a.S));
      std::transform(row, row + static_cast<std::ptrdiff_t>(a.S), std::back_inserter(map.weights),
                     [most](float x) { return x / most; });
    }
    maps.push_back(draw_heatmap(map, {.cell = 20, .font = 11, .bar = false, .values = false}));
  }
  return draw_sheet(maps, 2);
}

}  // namespace lookback
