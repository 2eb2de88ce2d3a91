#include "examples/kit/figures/batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace lookback {
namespace {

constexpr int pad = 18, top = 96, tallest = 400, panel_width = 196;
constexpr Colour words_colour{38, 98, 168}, pad_colour{238, 190, 120};

void check(std::span<const BatchesPanel> panels) {
  if (panels.empty()) throw std::invalid_argument("batches: there is no panel");
  for (const BatchesPanel& panel : panels) {
    if (panel.words.empty() || panel.words.size() != panel.places.size())
      throw std::invalid_argument("batches: \"" + panel.title + "\" needs words and places of each sentence");
    for (std::size_t i = 0; i < panel.words.size(); ++i)
      if (panel.words[i] < 1 || panel.words[i] > panel.places[i])
        throw std::invalid_argument(fmt::format("batches: \"{}\" has {} words in {} places", panel.title,
                                                panel.words[i], panel.places[i]));
  }
}

}  // namespace

Image draw_batches(const std::string& title, std::span<const BatchesPanel> panels) {
  check(panels);
  int widest = 1;
  for (const BatchesPanel& panel : panels)
    widest = std::max(widest, *std::max_element(panel.places.begin(), panel.places.end()));
  const int columns = static_cast<int>(panels.size());
  Canvas canvas(pad + columns * (panel_width + pad), top + tallest + 30 + pad);
  canvas.text(title, {pad, pad + 16.0f}, {19.5f});
  for (int k = 0; k < columns; ++k) {
    const BatchesPanel& panel = panels[static_cast<std::size_t>(k)];
    const int x = pad + k * (panel_width + pad);
    canvas.text(panel.title, {1.0f * x, top - 32.0f}, {16});
    const double words = std::accumulate(panel.words.begin(), panel.words.end(), 0.0);
    const double places = std::accumulate(panel.places.begin(), panel.places.end(), 0.0);
    canvas.text(fmt::format("{:.0f} % PAD", 100 - 100 * words / places), {1.0f * x, top - 11.0f},
                {14.5f, palette::soft});
    const int n = static_cast<int>(panel.words.size());
    for (int i = 0; i < n; ++i) {
      const int y = i * tallest / n, height = (i + 1) * tallest / n - y;
      canvas.rectangle(x, top + y, panel.places[i] * panel_width / widest, height, pad_colour);
      canvas.rectangle(x, top + y, panel.words[i] * panel_width / widest, height, words_colour);
    }
  }
  const float y = top + tallest + 26.0f;
  canvas.rectangle(pad, top + tallest + 14, 14, 14, words_colour);
  canvas.text("words", {pad + 20.0f, y}, {15});
  canvas.rectangle(pad + 90, top + tallest + 14, 14, 14, pad_colour);
  canvas.text("PAD", {pad + 110.0f, y}, {15});
  return canvas.image();
}

}  // namespace lookback
