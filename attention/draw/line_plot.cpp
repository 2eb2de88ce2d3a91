#include "attention/draw/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lookback {
namespace {

constexpr float title_font = 19.5f, axis_font = 15, font = 14;
// Pixels: inside the axes, around it, a row of text, a line in the legend.
constexpr int width = 600, height = 360, pad = 16, gap = 8, row = 24, sample = 44;

using Range = std::array<float, 2>;  // lowest and highest

bool can_draw(const LinePlot& plot, float x, float y) {
  return std::isfinite(x) && std::isfinite(y) && (!plot.log_x || x > 0) && (!plot.log_y || y > 0);
}

void check(const LinePlot& plot) {
  const auto require = [](bool good, const std::string& what) {
    if (!good) throw std::invalid_argument("line plot: " + what);
  };
  require(!plot.lines.empty(), "there is no line to draw");
  for (const Line& line : plot.lines) {
    const std::size_t n = line.x.size(), m = line.y.size();
    require(n == m, fmt::format("the line \"{}\" has {} x and {} y", line.name, n, m));
    require(n > 0, fmt::format("the line \"{}\" has no points", line.name));
  }
  if (const auto& range = plot.y_range)
    require(can_draw(plot, 1, (*range)[0]) && can_draw(plot, 1, (*range)[1]) && (*range)[0] < (*range)[1],
            fmt::format("y cannot run from {} to {}", (*range)[0], (*range)[1]));
}

struct Axis {
  bool log;
  double low = std::numeric_limits<float>::max(), high = -low;
  int undrawn = 0;  // points
  std::vector<double> ticks;

  Axis(const LinePlot& plot, std::vector<float> Line::*values, bool log, std::optional<Range> fixed)
      : log(log) {
    for (const Line& line : plot.lines)
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double value = (line.*values)[i];
        if (can_draw(plot, line.x[i], line.y[i]))
          low = std::min(low, value), high = std::max(high, value);
        else
          ++undrawn;
      }
    if (fixed) low = (*fixed)[0], high = (*fixed)[1];
    if (low > high) low = 1, high = 10;  // nothing can be drawn
    const double room = low < high ? 0 : low == 0 ? 1 : std::abs(low) / 2;
    ticks = round_ticks(low - room, high + room, 10, log);
    low = ticks.front(), high = ticks.back();
  }
  double place(double value) const {  // 0 at the low end, 1 at the high one
    return log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
};

std::string label(double tick) { return fmt::format("{:.9g}", tick); }

struct Stroke {
  float width;
  Colour colour;
  float dash, hole;  // pixels drawn, and left out
  std::size_t mark;  // 0 circle, 1 square, 2 triangle, 3 diamond, 4 triangle upside down, 5 none
};

Stroke stroke_of(const LinePlot& plot, std::size_t k) {
  constexpr float dash[] = {1e6f, 9, 2.5f}, hole[] = {0, 4, 3};
  if (plot.lines[k].reference) return {1.4f, palette::soft, dash[1 + k % 2], hole[1 + k % 2], 5};
  return {2.4f, palette::lines[k % std::size(palette::lines)], dash[k % 3], hole[k % 3], k % 5};
}

void draw_mark(Canvas& canvas, Point at, const Stroke& stroke) {
  constexpr int corners[] = {24, 4, 3, 4, 3, 0};
  constexpr float turned[] = {0, 0.5f, 0, 0, 0.5f, 0};
  std::vector<Point> rim;
  for (int k = 0; k < corners[stroke.mark]; ++k) {
    const float angle = 6.2831853f * (k + turned[stroke.mark]) / corners[stroke.mark];
    rim.push_back(at + 5.2f * Point{std::sin(angle), -std::cos(angle)});
  }
  canvas.polygon(std::move(rim), stroke.colour);
}

// One segment. Its dashes begin as if `walked` pixels of them were drawn; returns how many are now.
float draw_segment(Canvas& canvas, Point a, Point b, const Stroke& stroke, float walked = 0) {
  const float length = std::hypot(b.x - a.x, b.y - a.y), period = stroke.dash + stroke.hole;
  for (float from = -std::fmod(walked, period); from < length; from += period) {
    const float to = from + stroke.dash;
    if (to > 0)
      canvas.line(a + std::max(from, 0.0f) / length * (b - a), a + std::min(to, length) / length * (b - a),
                  stroke.width, stroke.colour);
    if (to >= length) canvas.circle(b, stroke.width / 2, stroke.colour);  // a round joint
  }
  return walked + length;
}

// Where values lie in the picture, below and right of the corner.
struct Area {
  const LinePlot& plot;
  const Axis &x, &y;
  int left, top;

  Point operator()(double px, double py) const {
    const double down = std::clamp((1 - y.place(py)) * height, -1e5, 1e5);  // within any picture, or far out
    const double across = std::clamp(x.place(px), 0.0, 1.0) * width;        // the ends of a level are rounded
    return {static_cast<float>(left + across), static_cast<float>(top + down)};
  }
  bool inside(Point p) const { return p.y > top - 0.5f && p.y < top + height + 0.5f; }

  // Keeps the part between the ends of y; false when nothing is left.
  bool clip(Point& a, Point& b) const {
    const float bottom = top + height;
    if (std::max(a.y, b.y) < top || std::min(a.y, b.y) > bottom) return false;
    const Point from = a, step = b - a;
    for (Point* p : {&a, &b})
      if (!inside(*p)) *p = from + ((p->y < top ? top : bottom) - from.y) / step.y * step;
    return true;
  }

  void draw_axes(Canvas& canvas) const {
    for (const double tick : x.ticks) {
      const int at = static_cast<int>((*this)(tick, y.low).x);
      canvas.rectangle(at, top, 1, height, palette::rule);
      canvas.text(label(tick), {1.0f * at, top + height + 19.0f}, {font, palette::soft, Anchor::centre});
    }
    for (const double tick : y.ticks) {
      const int at = static_cast<int>((*this)(x.low, tick).y);
      canvas.rectangle(left, at, width, 1, palette::rule);
      canvas.text(label(tick), {1.0f * left - gap, at + 5.0f}, {font, palette::soft, Anchor::right});
    }
    canvas.frame(left, top, width + 1, height + 1, palette::soft);
  }

  // Marks of one line stand a little apart.
  void draw_line(Canvas& canvas, const Line& line, const Stroke& stroke) const {
    float walked = 0;
    std::optional<Point> before, marked;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      std::optional<Point> p;
      if (can_draw(plot, line.x[i], line.y[i])) p = (*this)(line.x[i], line.y[i]);
      if (p && before)
        if (Point a = *before, b = *p; clip(a, b)) walked = draw_segment(canvas, a, b, stroke, walked);
      if (p && inside(*p) && (!marked || std::hypot(p->x - marked->x, p->y - marked->y) > 22))
        draw_mark(canvas, *(marked = p), stroke);
      before = p;
    }
  }
};

// 1, 2, 5, 10, 20 .. for k = 0, 1, 2, 3, 4 ..; 0.5 for -1.
double round_number(int k) {
  const int tens = static_cast<int>(std::floor(k / 3.0));
  return (k == 3 * tens ? 1 : k == 3 * tens + 1 ? 2 : 5) * std::pow(10.0, tens);
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int most, bool log) {
  const double slack = 1e-5;  // 0.3f is a little more than 0.3
  const int finest = log ? 0 : 3 * static_cast<int>(std::floor(std::log10((high - low) / most)));
  for (int attempt = 0;; ++attempt) {
    const double step = round_number(finest + attempt);
    const int every = attempt ? 3 * attempt : 1;  // 1, 2, 5, 10 ..; then powers of ten, of a hundred ..
    const auto tick = [&](double i) { return log ? round_number(static_cast<int>(i) * every) : i * step; };
    double i = std::floor(log ? 3 * std::floor(std::log10(low)) / every : low / step);
    while (tick(i + 1) <= low + slack * (log ? low : step)) ++i;
    std::vector<double> ticks{tick(i)};
    while (ticks.back() < high - slack * (log ? high : step) && std::ssize(ticks) <= most)
      ticks.push_back(tick(++i));
    if (std::ssize(ticks) <= most) return ticks;
  }
}

Image draw_line_plot(const LinePlot& given) {
  check(given);
  LinePlot plot = given;
  const Axis x(plot, &Line::x, plot.log_x, {}), y(plot, &Line::y, plot.log_y, plot.y_range);
  plot.title = shortened(plot.title, title_font, 900);

  // Across: name of y, ticks, lines, legend. Down: title, lines, ticks, name of x, notice.
  float widest_tick = 0, widest_name = 0;
  int entries = 0;
  for (const double tick : y.ticks) widest_tick = std::max(widest_tick, text_width(label(tick), font));
  for (Line& line : plot.lines) {
    line.name = shortened(line.name, font, 260);
    if (line.reference && line.x.size() == 1)
      line.x = {static_cast<float>(x.low), static_cast<float>(x.high)}, line.y.resize(2, line.y[0]);
    if (!line.name.empty()) ++entries, widest_name = std::max(widest_name, text_width(line.name, font));
  }
  const Area area{plot, x, y, pad + row + static_cast<int>(widest_tick) + gap, pad + row + 2 * gap};
  const int bottom = area.top + height;
  const float right = area.left + width, legend = right + 2 * gap,
              end = std::max({legend + (entries ? sample + gap + widest_name : 0),
                              pad + text_width(plot.title, title_font),
                              right + text_width(label(x.ticks.back()), font) / 2});
  Canvas canvas(static_cast<int>(end) + pad,
                std::max(bottom + (x.undrawn ? 3 : 2) * row, area.top + entries * row) + pad);

  canvas.text(plot.title, {1.0f * pad, pad + 15.0f}, {title_font});
  const auto centred = [](float angle) { return TextStyle{axis_font, palette::soft, Anchor::centre, angle}; };
  const float middle = area.left + width / 2.0f, half_way = area.top + height / 2.0f;
  canvas.text(shortened(plot.x_axis, axis_font, width), {middle, bottom + row + 18.0f}, centred(0));
  canvas.text(shortened(plot.y_axis, axis_font, height), {pad + 14.0f, half_way}, centred(90));
  if (x.undrawn)
    canvas.text(fmt::format("points not drawn, not finite or without a logarithm: {}", x.undrawn),
                {1.0f * area.left, bottom + 3.0f * row}, {font, palette::soft});
  area.draw_axes(canvas);
  float entry = area.top + row / 2.0f;
  for (std::size_t k = 0; k < plot.lines.size(); ++k) {
    const Stroke stroke = stroke_of(plot, k);
    area.draw_line(canvas, plot.lines[k], stroke);
    if (plot.lines[k].name.empty()) continue;
    draw_segment(canvas, {legend, entry}, {legend + sample, entry}, stroke);
    draw_mark(canvas, {legend + sample / 2.0f, entry}, stroke);
    canvas.text(plot.lines[k].name, {legend + sample + gap, entry + 5}, {font});
    entry += row;
  }
  return canvas.image();
}

}  // namespace lookback
