#include "examples/kit/figures/tape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace lookback {
namespace {

constexpr Colour blue{38, 98, 168}, orange{214, 110, 6}, crimson{176, 22, 90};  // leaves, ops, gradients
constexpr Colour pale_blue{226, 236, 247}, pale_orange{253, 232, 209}, pale_grey{241, 243, 244};
constexpr int left = 112, right = 24, top = 96, gap = 24, line = 20;
constexpr float small = 14;

void check(const std::vector<TapeBox>& boxes) {
  if (boxes.empty()) throw std::invalid_argument("tape: there is no box");
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    const TapeBox& box = boxes[k];
    const std::size_t size = static_cast<std::size_t>(box.shape.size());
    if (box.value.size() != size || (!box.grad.empty() && box.grad.size() != size))
      throw std::invalid_argument(fmt::format("tape: {} {} has {} values and {} gradients", box.name,
                                              to_string(box.shape), box.value.size(), box.grad.size()));
    for (const int i : box.inputs)
      if (i < 0 || i >= static_cast<int>(k))
        throw std::invalid_argument(
            fmt::format("tape: {} reads box {}, which is not before it", box.name, i));
  }
}

// Row by row as text; a rounded zero has no sign.
std::vector<std::string> rows_of(const std::vector<double>& values, const Shape& shape, int digits) {
  const std::size_t cols = shape.rank() ? static_cast<std::size_t>(shape[-1]) : 1;
  const double least = 0.5 * std::pow(10, -digits);
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % cols == 0) rows.emplace_back();
    rows.back() +=
        fmt::format("{}{:.{}f}", i % cols ? " " : "", std::abs(values[i]) < least ? 0 : values[i], digits);
  }
  return rows;
}

struct Text {  // of a box
  std::vector<std::string> value, grad;
  Text(const TapeBox& box, int digits)
      : value(rows_of(box.value, box.shape, digits)), grad(rows_of(box.grad, box.shape, digits)) {
    if (value.empty()) value.push_back("empty");
    if (grad.empty()) grad.push_back("none");
  }
};

bool constant(const TapeBox& box) { return box.op.empty() && box.grad.empty(); }
std::string kind(const TapeBox& box) {
  return !box.op.empty() ? box.op : constant(box) ? "constant" : "leaf";
}
std::string shape_of(const TapeBox& box) { return box.shape.rank() ? to_string(box.shape) : ""; }

// From the top of one box over to the top of another, with a head at the end.
void draw_arc(Canvas& canvas, Point from, Point to, float rise) {
  constexpr int pieces = 40;
  Point last = from;
  for (int k = 1; k < pieces; ++k) {
    const float turn = 3.14159265f * k / pieces;
    const Point next{(from.x + to.x) / 2 - (to.x - from.x) / 2 * std::cos(turn),
                     from.y - rise * std::sin(turn)};
    if (next.x > to.x - 4 && next.y > to.y - 14) break;  // the head does the rest
    canvas.line(last, next, 1.6f, palette::soft);
    last = next;
  }
  canvas.arrow(last, to, 1.6f, palette::soft);
}

struct Layout {
  std::vector<Text> texts;
  std::vector<int> x, width;  // of every box
  int value_rows = 1, grad_rows = 1, reach = 0, y = 0;
  int head = 44;  // name and kind; a shape below them when one has axes

  explicit Layout(const TapeFigure& figure) {
    int at = left;
    for (const TapeBox& box : figure.boxes) {
      if (box.shape.rank()) head = 60;
      const Text& text = texts.emplace_back(box, figure.digits);
      float widest = std::max(
          {44.0f, text_width(box.name, 18), text_width(kind(box), small), text_width(shape_of(box), small)});
      for (const auto* rows : {&text.value, &text.grad})
        for (const std::string& row : *rows) widest = std::max(widest, text_width(row, small));
      x.push_back(at), width.push_back(static_cast<int>(std::ceil(widest)) + 20);
      at += width.back() + gap;
      value_rows = std::max(value_rows, static_cast<int>(text.value.size()));
      grad_rows = std::max(grad_rows, static_cast<int>(text.grad.size()));
      for (const int i : box.inputs) reach = std::max(reach, static_cast<int>(x.size()) - 1 - i);
    }
    y = top + static_cast<int>(rise(reach)) + 10;
  }
  static float rise(int distance) { return 16 + 16 * static_cast<float>(distance); }
  int value_y() const { return y + head + 6; }
  int grad_y() const { return value_y() + value_rows * line + 12; }
  int end() const { return grad_y() + grad_rows * line + 8; }
  float middle(std::size_t k) const { return x[k] + width[k] / 2.0f; }
};

void draw_box(Canvas& canvas, const TapeBox& box, const Layout& at, std::size_t k) {
  const int x = at.x[k], width = at.width[k];
  const auto look = constant(box)    ? std::array{pale_grey, palette::soft}
                    : box.op.empty() ? std::array{pale_blue, blue}
                                     : std::array{pale_orange, orange};
  const auto put = [&](const std::string& text, int y, float size, Colour colour) {
    canvas.text(text, {at.middle(k), static_cast<float>(y)}, {size, colour, Anchor::centre});
  };
  canvas.rectangle(x, at.y, width, at.head, look[0]);
  canvas.frame(x, at.y, width, at.end() - at.y, look[1]);
  put(box.name, at.y + 21, 18, palette::ink);
  put(kind(box), at.y + 38, small, look[1]);
  put(shape_of(box), at.y + 54, small, palette::soft);
  int y = at.value_y() + 15;
  for (const std::string& row : at.texts[k].value) put(row, y, small, palette::ink), y += line;
  y = at.grad_y() + 15;
  for (const std::string& row : at.texts[k].grad)
    put(row, y, small, box.grad.empty() ? palette::soft : crimson), y += line;
}

void draw_arcs(Canvas& canvas, const TapeBox& box, const Layout& at, std::size_t k) {
  const float y = static_cast<float>(at.y), n = static_cast<float>(box.inputs.size());
  float aside = -7 * (n - 1);  // each argument has its own place
  for (const int from : box.inputs) {
    draw_arc(canvas, {at.middle(static_cast<std::size_t>(from)) + 16, y}, {at.middle(k) - 12 + aside, y - 2},
             Layout::rise(static_cast<int>(k) - from));
    aside += 14;
  }
}

}  // namespace

Image draw_tape(const TapeFigure& figure) {
  check(figure.boxes);
  const Layout at(figure);
  const int end = at.x.back() + at.width.back(), width = std::max(end + right, 720);
  Canvas canvas(width, at.end() + 66);
  canvas.text(shortened(figure.title, 25, width - 48.0f), {24, 42}, {25});
  canvas.text(shortened(figure.claim, 17, width - 48.0f), {24, 74}, {17, palette::soft});
  canvas.text("value", {24, at.value_y() + 15.0f}, {small});
  canvas.text("gradient", {24, at.grad_y() + 15.0f}, {small, crimson});
  for (std::size_t k = 0; k < figure.boxes.size(); ++k) {
    draw_box(canvas, figure.boxes[k], at, k);
    draw_arcs(canvas, figure.boxes[k], at, k);
  }
  const float forward = at.end() + 22.0f, backward = forward + 22, last = static_cast<float>(end);
  canvas.text("forward", {24, forward + 5}, {small});
  canvas.arrow({left, forward}, {last, forward}, 1.6f, palette::ink);
  canvas.text("backward", {24, backward + 5}, {small, crimson});
  canvas.arrow({last, backward}, {left, backward}, 1.6f, crimson);
  return canvas.image();
}

std::string list_tape(const TapeFigure& figure) {
  check(figure.boxes);
  std::vector<std::array<std::string, 4>> table{{"", "shape", "value", "gradient"}};
  for (const TapeBox& box : figure.boxes) {
    std::string made = box.name;
    for (std::size_t i = 0; i < box.inputs.size(); ++i)
      made += (i ? ", " : " = " + box.op + "(") + figure.boxes[static_cast<std::size_t>(box.inputs[i])].name;
    if (!box.inputs.empty()) made += ")";
    const Text text(box, figure.digits);
    for (std::size_t r = 0; r < text.value.size(); ++r)
      table.push_back({r ? "" : made, r ? "" : to_string(box.shape), text.value[r],
                       r < text.grad.size() ? text.grad[r] : ""});
  }
  std::array<std::size_t, 4> width{};
  for (const auto& row : table)
    for (std::size_t c = 0; c < 4; ++c) width[c] = std::max(width[c], row[c].size());
  std::string text;
  for (const auto& row : table)
    text += fmt::format("  {:{}}  {:{}}  {:>{}}  {:>{}}\n", row[0], width[0], row[1], width[1], row[2],
                        width[2], row[3], width[3]);
  return text;
}

std::string list_gradients(const std::vector<std::string>& names,
                           const std::vector<std::vector<double>>& columns) {
  std::string text = fmt::format("  {:12}{:>10}{:>12}{:>12}{:>14}\n", "gradient of", "by hand", "engine",
                                 "tape", "differences");
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("  {:12}{:10.6f}{:12.6f}{:12.6f}{:14.6f}\n", names[i], columns.at(0).at(i),
                        columns.at(1).at(i), columns.at(2).at(i), columns.at(3).at(i));
  return text;
}

}  // namespace lookback
