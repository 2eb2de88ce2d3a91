#include "attention/draw/shade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attention/draw/characters.hpp"
#include "core/utf8.hpp"

namespace lookback {
namespace {

constexpr int label_columns = 32;         // of the terminal, at most
constexpr std::size_t most_columns = 60;  // of the heatmap: 120 of the terminal

struct Label {
  std::string text;
  int columns;  // it takes in the terminal
};

// Control characters could move the cursor: they show as U+FFFD, like broken UTF-8.
Label label(std::string_view token) {
  std::u32string kept;
  int columns = 0;
  for (char32_t c : decode_utf8_lossy(token)) {
    if (c < 0x20 || (c >= 0x7F && c < 0xA0)) c = U'\uFFFD';
    columns += terminal_columns(c);
    if (columns >= label_columns) return {encode_utf8(kept) + "…", columns - terminal_columns(c) + 1};
    kept += c;
  }
  return {encode_utf8(kept), columns};
}

const char* shade(float weight) {
  if (!std::isfinite(weight)) return "??";
  return weight < 0.05f ? "  " : weight < 0.25f ? "░░" : weight < 0.5f ? "▒▒" : weight < 0.75f ? "▓▓" : "██";
}

}  // namespace

std::string shade_heatmap(const Heatmap& heatmap) {
  check_heatmap(heatmap);
  const std::size_t S = heatmap.columns.size(), shown = std::min(S, most_columns);
  std::vector<Label> rows;
  int margin = 0;
  for (const std::string& token : heatmap.rows) {
    rows.push_back(label(token));
    margin = std::max(margin, rows.back().columns);
  }
  const std::string indent(static_cast<std::size_t>(margin) + 1, ' ');

  std::string out = heatmap.title.empty() ? "" : heatmap.title + "\n";
  std::string stems, above, below;  // the lines that run from the labels down to the frame
  for (std::size_t j = 0; j < shown; ++j) {
    out += fmt::format("{} {}┌ {}\n", indent, stems, label(heatmap.columns[j]).text);
    stems += "│ ", above += "┴─", below += "──";
  }
  out += fmt::format("{}┌{}┐\n", indent, above);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.append(static_cast<std::size_t>(margin - rows[i].columns), ' ').append(rows[i].text + " │");
    for (std::size_t j = 0; j < shown; ++j) out += shade(heatmap.weights[i * S + j]);
    out += "│\n";
  }
  out += fmt::format("{}└{}┘\n{}░ from .05  ▒ .25  ▓ .5  █ .75\n", indent, below, indent);
  if (shown < S) out += fmt::format("{}{} more columns are left out\n", indent, S - shown);
  if (const auto bad = count_not_finite(heatmap))
    out += fmt::format("{}? not finite: {} of {} weights\n", indent, bad, heatmap.weights.size());
  return out;
}

}  // namespace lookback
