#include "examples/kit/alignment_error.hpp"

#include <algorithm>
#include <cmath>

namespace lookback::inline LOOKBACK_NS {

Heatmaps linked_heatmaps(const Alignment& alignment, std::span<const SentencePair> pairs,
                         std::optional<Index> head) {
  Heatmaps maps;
  for (const SentencePair& pair : pairs) {
    Heatmap& map = maps.emplace_back(heatmap(alignment, std::ssize(maps), head));
    const int first = map.columns.size() > pair.source.size();  // behind _GO
    for (const Link& link : pair.links) map.links.push_back({link.target, link.source + first});
  }
  return maps;
}

// [at_links]
AtLinks at_links(const Heatmaps& maps, int offset) {
  AtLinks sum;
  for (const Heatmap& map : maps) {
    const std::size_t T = map.rows.size(), S = map.columns.size();
    std::vector<std::vector<std::size_t>> links(T);  // of each row
    for (const auto [row, column] : map.links) links[row].push_back(column);
    for (int t = std::max(0, -offset); t + std::max(0, offset) < static_cast<int>(T); ++t) {
      const std::vector<std::size_t>& linked = links[t + offset];
      if (links[t].empty() || linked.empty()) continue;  // EOS
      const std::span<const float> alpha(map.weights.data() + t * S, S);
      const float largest = *std::max_element(alpha.begin(), alpha.end());
      const auto equal = std::count(alpha.begin(), alpha.end(), largest);
      double right = 0;
      for (const std::size_t i : linked) right += alpha[i] == largest, sum.weight += alpha[i];
      sum.right += right / equal;
      ++sum.words, sum.links += linked.size();
    }
  }
  return sum;
}
// [/at_links]

double off_diagonal(const Heatmaps& maps, int offset) {
  double sum = 0, rows = 0;
  for (const Heatmap& map : maps) {
    const int S = static_cast<int>(map.columns.size());
    for (int k = 0; k < std::ssize(map.weights); ++k)
      sum += map.weights[k] * std::abs(k % S - k / S - offset);
    rows += map.rows.size();
  }
  return sum / rows;
}

Heatmaps by_rule(std::span<const SentencePair> pairs, WeightRule rule) {
  Heatmaps maps;
  for (const SentencePair& pair : pairs) {
    Heatmap& map = maps.emplace_back(Heatmap{pair.target, pair.source, {}});
    map.rows.push_back("_EOS");
    for (const Link& link : pair.links) map.links.push_back({link.target, link.source});
    const int S = static_cast<int>(map.columns.size()), T = static_cast<int>(map.rows.size());
    for (int k = 0; k < T * S; ++k) map.weights.push_back(static_cast<float>(rule(map, k / S, k % S)));
  }
  return maps;
}

double even(const Heatmap& map, int, int) { return 1.0 / map.columns.size(); }

double diagonal(const Heatmap& map, int t, int i) {
  const double S = map.columns.size(), T = map.rows.size() - 1;
  return i == std::lround(t * (S - 1) / std::max(T - 1, 1.0));
}

double known(const Heatmap& map, int t, int i) {
  double links = 0, here = 0;
  for (const auto [row, column] : map.links)
    if (row == t) ++links, here += column == i;
  return here > 0 ? here / links : 0;
}

}  // namespace lookback::inline LOOKBACK_NS
