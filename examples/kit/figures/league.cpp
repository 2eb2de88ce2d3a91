#include "examples/kit/figures/league.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "attention/draw/line_plot.hpp"

namespace lookback {
namespace {

constexpr Colour blue{38, 98, 168}, pale{176, 200, 226};
constexpr const char* subscript[] = {"₁", "₂", "₃", "₄"};
constexpr int pad = 16, top = 84, row = 34, names = 150, number = 54;

void check(const League& league) {
  const std::size_t S = league.h.size();
  if (S < 2 || S > 4 || league.rows.empty())
    throw std::invalid_argument(
        fmt::format("league: {} states (2 to 4) and {} scores (1 or more)", S, league.rows.size()));
  for (const LeagueRow& r : league.rows)
    if (r.alpha.size() != S)
      throw std::invalid_argument(
          fmt::format("league: the score \"{}\" has {} weights for {} states", r.score, r.alpha.size(), S));
}

Image draw_contexts(const League& league) {
  LinePlot plot{"The context of each score, inside the triangle of the states",
                "first component",
                "second component",
                {}};
  for (const LeagueRow& r : league.rows) plot.lines.push_back({r.score, {r.c[0]}, {r.c[1]}});
  Line& hull = plot.lines.emplace_back(Line{"h₁ h₂ h₃", {}, {}, true});
  for (std::size_t i = 0; i <= league.h.size(); ++i) {
    hull.x.push_back(league.h[i % league.h.size()][0]);
    hull.y.push_back(league.h[i % league.h.size()][1]);
  }
  return draw_line_plot(plot);
}

}  // namespace

Image draw_league(const League& league) {
  check(league);
  const Image contexts = draw_contexts(league);
  const int below = top + row * static_cast<int>(league.rows.size()) + pad;
  Canvas canvas(contexts.width, below + contexts.height);
  canvas.paste(contexts, 0, below);

  canvas.text("The weights that each score gives to the same states", {pad, pad + 15.0f}, {19.5f});
  const int S = static_cast<int>(league.h.size()), column = (contexts.width - 2 * pad - names) / S;
  float longest = 1e-6f;
  for (const LeagueRow& r : league.rows)
    longest = std::max(longest, *std::max_element(r.alpha.begin(), r.alpha.end()));
  for (int i = 0; i < S; ++i) {
    const float x = pad + names + i * column;
    canvas.text(fmt::format("α{} of ({:g}, {:g})", subscript[i], league.h[i][0], league.h[i][1]),
                {x, top - 14.0f}, {15, palette::soft});
  }
  for (std::size_t k = 0; k < league.rows.size(); ++k) {
    const LeagueRow& r = league.rows[k];
    const int y = top + row * static_cast<int>(k);
    const float most = *std::max_element(r.alpha.begin(), r.alpha.end());
    canvas.text(shortened(r.score, 16, names - 8), {pad, y + 19.0f}, {16});
    for (int i = 0; i < S; ++i) {
      const int x = pad + names + i * column;
      const float length = r.alpha[i] / longest * (column - number - 24);
      canvas.rectangle(x, y + 3, static_cast<int>(length), row - 12, r.alpha[i] == most ? blue : pale);
      canvas.text(fmt::format("{:.3f}", r.alpha[i]), {x + length + 6, y + 19.0f}, {15});
    }
  }
  return canvas.image();
}

}  // namespace lookback
