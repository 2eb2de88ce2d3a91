#include "attention/draw/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lookback {
namespace {

constexpr int grid_side = 3000;      // pixels of the cells along one axis, at most
constexpr float label_length = 260;  // pixels of a label, at most
constexpr float diagonal = 0.7071f;  // of a label at 45 degrees: its height and its reach to the right

int round_up(float x) { return static_cast<int>(std::ceil(x)); }
int round_up(int x, int y) { return (x + y - 1) / y; }

// How the tokens of one side are spread over cells.
struct Axis {
  int tokens, per_cell, cells, pixels;  // tokens, how many share a cell, cells, pixels of one
  int every;                            // cells a label
  std::vector<std::string> labels;      // of the first token of a labelled cell
  float widest = 0;                     // label, in pixels

  Axis(const std::vector<std::string>& names, const HeatmapOptions& options, float line) {
    tokens = static_cast<int>(names.size());
    per_cell = round_up(tokens, grid_side);
    cells = round_up(tokens, per_cell);
    pixels = std::clamp(options.cell, 1, grid_side / cells);
    every = round_up(options.font * line / pixels);
    for (int i = 0; i < tokens; i += per_cell * every) {
      labels.push_back(shortened(names[i], options.font, label_length));
      widest = std::max(widest, text_width(labels.back(), options.font));
    }
  }
  int length() const { return cells * pixels; }
  float middle(std::size_t label) const { return pixels * (every * label + 0.5f); }  // of its cell
  void describe(const std::string& name, std::vector<std::string>& notices) const {
    if (per_cell > 1)
      notices.push_back(fmt::format("{}: {} tokens in {} cells, each the largest weight of up to {}", name,
                                    tokens, cells, per_cell));
    if (every > 1) notices.push_back(fmt::format("{}: one label in {} is shown", name, every));
  }
};

// [rows, columns] of the picture: the largest weight of each cell, or one that is not finite.
std::vector<float> cell_weights(const Heatmap& heatmap, const Axis& rows, const Axis& columns) {
  std::vector<float> cells(rows.cells * columns.cells, std::numeric_limits<float>::lowest());
  const std::size_t S = heatmap.columns.size();
  for (std::size_t i = 0; i < heatmap.weights.size(); ++i) {
    float& cell = cells[i / S / rows.per_cell * columns.cells + i % S / columns.per_cell];
    const float weight = heatmap.weights[i];
    if (!std::isfinite(weight) || (std::isfinite(cell) && weight > cell)) cell = weight;
  }
  return cells;
}

std::string in_cell(float weight) {  // ".37", "1", "nan", and nothing for 0.00
  std::string text = fmt::format("{:.2f}", weight);
  if (text == "0.00" || text == "-0.00") return "";
  if (text == "1.00") return "1";
  return text.starts_with("0.") ? text.substr(1) : text;
}

void draw_cells(Canvas& canvas, int left, int top, const Heatmap& heatmap, const Axis& rows,
                const Axis& columns, bool values) {
  const std::vector<float> weights = cell_weights(heatmap, rows, columns);
  const float size = std::min(rows.pixels, columns.pixels) * 0.32f;
  for (int k = 0; k < rows.cells * columns.cells; ++k) {
    const int x = left + k % columns.cells * columns.pixels, y = top + k / columns.cells * rows.pixels;
    const Colour colour = weight_colour(weights[k]);
    canvas.rectangle(x, y, columns.pixels, rows.pixels, colour);
    if (values && size >= 8)
      canvas.text(in_cell(weights[k]), {x + columns.pixels / 2.0f, y + rows.pixels / 2.0f + size * 0.36f},
                  {size, ink_on(colour), Anchor::centre});
  }
  for (const auto [t, i] : heatmap.links) {
    const int row = t / rows.per_cell, column = i / columns.per_cell;
    const Colour colour = ink_on(weight_colour(weights[row * columns.cells + column]));
    for (const int in : {1, 2})
      canvas.frame(left + column * columns.pixels + in, top + row * rows.pixels + in, columns.pixels - 2 * in,
                   rows.pixels - 2 * in, colour);
  }
  canvas.frame(left - 1, top - 1, columns.length() + 2, rows.length() + 2, palette::rule);
}

void draw_bar(Canvas& canvas, int x, int top, int height, float font) {
  const int width = round_up(font), steps = height > 6 * font ? 4 : height > 2.5f * font ? 2 : 1;
  for (int k = 0; k < height; ++k) canvas.rectangle(x, top + k, width, 1, viridis(1 - k / (height - 1.0f)));
  canvas.frame(x - 1, top - 1, width + 2, height + 2, palette::rule);
  for (int k = 0; k <= steps; ++k) {
    const float value = static_cast<float>(k) / steps, y = top + (1 - value) * (height - 1);
    canvas.rectangle(x + width + 1, static_cast<int>(y), 4, 1, palette::soft);
    canvas.text(fmt::format("{}", value), {x + width + 9.0f, y + font * 0.3f}, {font * 0.8f, palette::soft});
  }
}

}  // namespace

Colour weight_colour(float weight) { return std::isfinite(weight) ? viridis(weight) : palette::not_finite; }

void check_heatmap(const Heatmap& heatmap) {
  const std::size_t T = heatmap.rows.size(), S = heatmap.columns.size(), n = heatmap.weights.size();
  if (T == 0 || S == 0)
    throw std::invalid_argument(fmt::format("heatmap: nothing to draw: {} rows and {} columns", T, S));
  if (n != T * S)
    throw std::invalid_argument(
        fmt::format("heatmap: {} rows and {} columns need {} weights, not {}", T, S, T * S, n));
  for (const auto [row, column] : heatmap.links)
    if (row < 0 || column < 0 || row >= std::ssize(heatmap.rows) || column >= std::ssize(heatmap.columns))
      throw std::invalid_argument(
          fmt::format("heatmap: no cell {},{} in {} rows and {} columns", row, column, T, S));
}

std::ptrdiff_t count_not_finite(const Heatmap& heatmap) {
  auto not_finite = [](float weight) { return !std::isfinite(weight); };
  return std::count_if(heatmap.weights.begin(), heatmap.weights.end(), not_finite);
}

Image draw_heatmap(const Heatmap& heatmap, const HeatmapOptions& options) {
  check_heatmap(heatmap);
  const Axis rows(heatmap.rows, options, 1.25f), columns(heatmap.columns, options, 1.25f / diagonal);
  std::vector<std::string> notices;
  const auto bad = count_not_finite(heatmap);
  if (bad) notices.push_back(fmt::format("not finite: {} of {} weights", bad, heatmap.weights.size()));
  rows.describe(heatmap.row_axis, notices);
  columns.describe(heatmap.column_axis, notices);

  // Across: row axis, row labels, cells, bar. Down: title, column axis, column labels, cells, notices.
  const float font = options.font, title_font = font * 1.15f;
  const float axis_font = font * 0.9f, note_font = font * 0.8f;
  const int pad = round_up(font * 0.9f), line = round_up(font * 1.5f), gap = round_up(font * 0.55f);
  const bool level = columns.widest + 4 <= columns.pixels * columns.every;
  const int label_height = round_up(level ? font : (columns.widest + font) * diagonal);
  const int left = pad + (heatmap.row_axis.empty() ? 0 : line) + round_up(rows.widest) + gap;
  const int top = pad + (heatmap.title.empty() ? 0 : line + gap) + (heatmap.column_axis.empty() ? 0 : line) +
                  label_height + gap;
  const int end = left + columns.length(), bar_height = std::max(rows.length(), round_up(font * 2));
  const std::string title = shortened(heatmap.title, title_font, 900);
  const std::string over = shortened(heatmap.column_axis, axis_font, 600);
  const std::string beside = shortened(heatmap.row_axis, axis_font, 400);
  const float over_width = text_width(over, axis_font), beside_width = text_width(beside, axis_font);
  const int beside_end =
      std::max(top + round_up((rows.length() + beside_width) / 2),  // reads upward, from here
               top - gap - label_height + round_up(beside_width));
  const int below = std::max(top + (options.bar ? bar_height : rows.length()), beside_end) + gap;
  float width = std::max({pad + text_width(title, title_font), pad + over_width, 1.0f * end});
  if (options.bar) width = std::max(width, end + 4.0f * line);
  if (!level) width = std::max(width, end + columns.widest * diagonal - columns.pixels / 2.0f);
  for (std::string& notice : notices) {
    notice = shortened(notice, note_font, 900);
    width = std::max(width, left + text_width(notice, note_font));
  }
  Canvas canvas(round_up(width) + pad, below + static_cast<int>(notices.size()) * line + pad);

  const float over_end = std::min(left + (columns.length() + over_width) / 2, width);
  const float over_left = std::max(over_end - over_width, 1.0f * pad);
  canvas.text(title, {1.0f * pad, pad + font}, {title_font});
  canvas.text(over, {over_left, top - gap - label_height - font * 0.5f}, {axis_font, palette::soft});
  canvas.text(beside, {pad + font * 0.8f, 1.0f * beside_end}, {axis_font, palette::soft, Anchor::left, 90});
  for (std::size_t j = 0; j < columns.labels.size(); ++j)
    canvas.text(columns.labels[j], {left + columns.middle(j) + (level ? 0 : font * 0.2f), 1.0f * (top - gap)},
                {font, palette::ink, level ? Anchor::centre : Anchor::left, level ? 0.0f : 45.0f});
  for (std::size_t i = 0; i < rows.labels.size(); ++i)
    canvas.text(rows.labels[i], {1.0f * (left - gap), top + rows.middle(i) + font * 0.35f},
                {font, palette::ink, Anchor::right});
  draw_cells(canvas, left, top, heatmap, rows, columns, options.values);
  if (options.bar) draw_bar(canvas, end + line, top, bar_height, font);
  for (std::size_t k = 0; k < notices.size(); ++k)
    canvas.text(notices[k], {1.0f * left, below + line * (k + 0.8f)}, {note_font, palette::soft});
  if (bad) canvas.rectangle(left - gap - 6, below + line * 4 / 5 - gap, gap, gap, palette::not_finite);
  return canvas.image();
}

Image draw_sheet(std::span<const Image> images, int per_row) {
  const int n = static_cast<int>(images.size()), across = std::min(n, per_row);
  if (across < 1) throw std::invalid_argument(fmt::format("sheet: {} pictures, {} in a row", n, per_row));
  int width = 0, height = 120;
  for (const Image& image : images)
    width = std::max(width, image.width), height = std::max(height, image.height);
  Canvas canvas(width * across + 60, height * round_up(n, across));
  for (int k = 0; k < n; ++k) canvas.paste(images[k], k % across * width, k / across * height);
  draw_bar(canvas, width * across, 16, 90, 13);
  return canvas.image();
}

}  // namespace lookback
