#include "examples/kit/figures/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lookback {
namespace {

constexpr std::size_t max_columns = 28;
constexpr int width = 1120, left = 216, cells_end = 950, last_gap = 30, last_width = 36, bar_left = 1052;
constexpr int head = 96, cell = 17, panel_gap = 62;
constexpr Colour low{38, 98, 168}, high{214, 110, 6};

Colour diverging(float value) {
  if (!std::isfinite(value)) return palette::not_finite;
  const Colour end = value < 0 ? low : high;
  const float t = std::min(std::abs(value), 1.0f);
  const auto channel = [t](int paper, int end) {
    return static_cast<std::uint8_t>(std::lround(paper + t * (end - paper)));
  };
  return {channel(palette::paper.r, end.r), channel(palette::paper.g, end.g),
          channel(palette::paper.b, end.b)};
}

// The number of columns.
std::size_t check(const StateFigure& figure) {
  if (figure.words.empty() || figure.panels.empty())
    throw std::invalid_argument(
        fmt::format("states: {} words, {} panels", figure.words.size(), figure.panels.size()));
  const std::size_t S = figure.panels[0].h.size() / std::max<std::size_t>(figure.panels[0].last.size(), 1);
  if (S < figure.words.size())
    throw std::invalid_argument(fmt::format("states: {} states for {} words", S, figure.words.size()));
  for (const StatePanel& panel : figure.panels)
    if (panel.last.empty() || panel.h.size() != S * panel.last.size() || panel.steps < 1 ||
        panel.steps > static_cast<std::ptrdiff_t>(S))
      throw std::invalid_argument(fmt::format("states: {} values, {} steps for {} states of {} numbers",
                                              panel.h.size(), panel.steps, S, panel.last.size()));
  return S;
}

void draw_column(Canvas& canvas, int x, int y, int column_width, const float* values, int H) {
  for (int j = 0; j < H; ++j) canvas.rectangle(x, y + j * cell, column_width, cell, diverging(values[j]));
  canvas.frame(x, y, column_width, H * cell, palette::rule);
}

void draw_bar(Canvas& canvas, int top, int height) {
  for (int k = 0; k < height; ++k)
    canvas.rectangle(bar_left, top + k, 16, 1, diverging(1 - 2.0f * k / (height - 1)));
  canvas.frame(bar_left, top, 16, height, palette::rule);
  for (const int value : {1, 0, -1}) {
    const float y = top + (1 - value) * (height - 1) / 2.0f;
    canvas.text(fmt::format("{}", value), {bar_left + 24.0f, y + 5}, {14, palette::soft});
  }
}

}  // namespace

Image draw_states(const StateFigure& figure) {
  const std::size_t states = check(figure);
  const int S = static_cast<int>(std::min(states, max_columns));
  const bool more = states > max_columns;
  std::vector<std::string> words = figure.words;
  words.resize(states, "PAD");
  const int step = std::min((cells_end - left) / S, 72), last_x = left + S * step + last_gap;
  const auto middle = [&](int i) { return left + i * step + step / 2.0f; };
  float widest = 0;
  for (const std::string& word : words) widest = std::max(widest, text_width(word, 16));
  const bool level = widest < step - 4;
  const int top = head + (level ? 26 : 96);
  int height = top;
  for (const StatePanel& panel : figure.panels)
    height += static_cast<int>(panel.last.size()) * cell + panel_gap;

  Canvas canvas(width, height);
  canvas.text("The encoder's states, word by word", {24, 42}, {25});
  canvas.text(
      "A column is one state. Over true lengths padding leaves no trace; read as words it moves the last "
      "state.",
      {24, 74}, {17, palette::soft});
  for (int i = 0; i < S; ++i) {
    const bool cut = more && i + 1 == S;
    const bool word = i < static_cast<int>(figure.words.size());
    canvas.text(cut ? "…" : shortened(words[i], 16, 110), {middle(i) + (level ? 0 : 3), top - 10.0f},
                {16, word ? palette::ink : palette::soft, level ? Anchor::centre : Anchor::left,
                 level ? 0.0f : 45.0f});
  }
  canvas.text("last", {last_x + last_width / 2.0f, top - 10.0f}, {16, palette::ink, Anchor::centre});

  int y = top;
  for (const StatePanel& panel : figure.panels) {
    const int H = static_cast<int>(panel.last.size()), tall = H * cell;
    canvas.text(shortened(panel.name, 17, left - 40), {24, y + 20.0f}, {17});
    canvas.text(shortened(panel.note, 14, left - 40), {24, y + 42.0f}, {14, palette::soft});
    for (int i = 0; i < S - more; ++i)
      draw_column(canvas, left + i * step, y, step - 2, panel.h.data() + i * H, H);
    draw_column(canvas, last_x, y, last_width, panel.last.data(), H);
    const int steps = static_cast<int>(std::min<std::ptrdiff_t>(panel.steps, S));
    const Point begin{left + 4.0f, y + tall + 16.0f}, end{left + steps * step - 6.0f, begin.y};
    canvas.arrow(panel.reverse ? end : begin, panel.reverse ? begin : end, 2, palette::soft);
    y += tall + panel_gap;
  }
  draw_bar(canvas, top, static_cast<int>(figure.panels[0].last.size()) * cell);
  return canvas.image();
}

}  // namespace lookback
