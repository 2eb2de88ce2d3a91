#include "examples/kit/figures/moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lookback {

void Moves::add(std::span<const float> weights, float how_far) {
  float sum = 0;
  for (const float alpha : weights) sum -= alpha > 0 ? alpha * std::log(alpha) : 0;
  entropy.push_back(weights.size() > 1 ? sum / std::log(static_cast<float>(weights.size())) : 0);
  moved.push_back(how_far);
}

namespace {

constexpr std::size_t parts = 5;

// Of the tokens whose weights' entropy is in each part of [0, 1]; none of fewer than five.
std::array<std::optional<float>, parts> means(const Moves& moves) {
  std::array<float, parts> sum{}, count{};
  for (std::size_t k = 0; k < moves.entropy.size(); ++k) {
    const auto part = std::min(parts - 1, static_cast<std::size_t>(moves.entropy[k] * parts));
    sum[part] += moves.moved[k], ++count[part];
  }
  std::array<std::optional<float>, parts> mean;
  for (std::size_t part = 0; part < parts; ++part)
    if (count[part] >= 5) mean[part] = sum[part] / count[part];
  return mean;
}

float middle(std::size_t part) { return (static_cast<float>(part) + 0.5f) / parts; }

}  // namespace

Line mean_moves(const Moves& moves) {
  Line line{moves.name, {}, {}};
  std::size_t part = 0;
  for (const std::optional<float>& mean : means(moves)) {
    if (mean) line.x.push_back(middle(part)), line.y.push_back(*mean);
    ++part;
  }
  return line;
}

std::string list_moves(const Moves& moves) {
  std::string list = "  shuffled, by entropy:";
  std::size_t part = 0;
  for (const std::optional<float>& mean : means(moves))
    list += fmt::format("  {:.1f} ~{}", middle(part++), mean ? fmt::format("{:.2f}", *mean) : "-");
  return list + "\n";
}

Image draw_moves(std::span<const Moves> all) {
  LinePlot plot{"Shuffled weights: how far the output moves",
                "entropy of the weights, as a share of ln n",
                "total variation, mean over the tokens",
                {},
                {{0, 1}}};
  for (const Moves& moves : all) plot.lines.push_back(mean_moves(moves));
  return draw_line_plot(plot);
}

Image draw_where(std::span<const Where> pairs) {
  constexpr HeatmapOptions side_by_side{.cell = 40, .font = 15, .bar = false};
  std::vector<Image> images;
  for (const Where& pair : pairs) {
    images.push_back(draw_heatmap(pair.weights, side_by_side));
    Heatmap kept = pair.weights;
    kept.weights = pair.kept, kept.title = "kept with all weight here";
    images.push_back(draw_heatmap(kept, side_by_side));
  }
  return draw_sheet(images, 2);
}

}  // namespace lookback
