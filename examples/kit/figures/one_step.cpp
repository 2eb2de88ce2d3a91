#include "examples/kit/figures/one_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lookback {
namespace {

using Vector = std::array<float, 2>;

constexpr Colour blue{38, 98, 168}, orange{214, 110, 6}, crimson{176, 22, 90};  // h, s, c
constexpr const char* subscript[] = {"₁", "₂", "₃", "₄", "₅", "₆"};
constexpr float side = 470, left = 70, top = 104;                           // of the plane
constexpr float panel = 604, scores = panel + 206, weights = scores + 184;  // columns of the numbers

void check(const OneStep& step) {
  const std::size_t S = step.h.size(), e = step.e.size(), alpha = step.alpha.size();
  if (S < 1 || S > 6 || e != S || alpha != S)
    throw std::invalid_argument(
        fmt::format("one step: {} states (1 to 6), {} scores, {} weights", S, e, alpha));
  if (step.p.empty() || step.p.size() != step.words.size())
    throw std::invalid_argument(
        fmt::format("one step: {} probabilities, {} words", step.p.size(), step.words.size()));
  auto drawable = [](const Vector& v) { return std::abs(v[0]) < 1e6f && std::abs(v[1]) < 1e6f; };
  if (!drawable(step.s) || !drawable(step.c) || !std::all_of(step.h.begin(), step.h.end(), drawable))
    throw std::invalid_argument("one step: h, s or c is not finite, or past a million");
  if (!std::all_of(step.alpha.begin(), step.alpha.end(), [](float a) { return a >= 0 && a < 1.001f; }))
    throw std::invalid_argument("one step: alpha is not in [0, 1]");
}

std::string number(float x) {
  return std::abs(x) < 100 ? fmt::format("{:.3f}", x) : fmt::format("{:.4g}", x);
}

std::string pair(const Vector& v) { return fmt::format("({}, {})", number(v[0]), number(v[1])); }

std::size_t largest(const std::vector<float>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

// From vectors to pixels: one scale for both components, with the origin and every vector inside.
struct Plane {
  Vector low{};    // the lower left corner
  float span = 0;  // the length of a side

  explicit Plane(const OneStep& step) {
    std::vector<Vector> all = step.h;
    all.insert(all.end(), {step.s, step.c});
    Vector high{};
    for (const Vector& v : all)
      for (int k : {0, 1}) low[k] = std::min(low[k], v[k]), high[k] = std::max(high[k], v[k]);
    span = std::max({high[0] - low[0], high[1] - low[1], 1e-3f}) * 1.36f;
    for (int k : {0, 1}) low[k] = (low[k] + high[k] - span) / 2;
  }
  Point operator()(const Vector& v) const {
    return {left + (v[0] - low[0]) / span * side, top + side - (v[1] - low[1]) / span * side};
  }
};

void draw_axes(Canvas& canvas, const Plane& plane) {
  const float power = std::pow(10.0f, std::floor(std::log10(plane.span / 4))), ratio = plane.span / 4 / power;
  const float step = power * (ratio < 2 ? 1 : ratio < 5 ? 2 : 5);
  for (const int k : {0, 1})
    for (int i = static_cast<int>(std::ceil(plane.low[k] / step)); i * step < plane.low[k] + plane.span;
         ++i) {
      const Point at = plane({i * step, i * step});
      const std::string value = fmt::format("{:.5g}", i ? i * step : 0.0f);
      if (k == 0) {
        canvas.line({at.x, top}, {at.x, top + side}, 1, i ? palette::rule : palette::soft);
        canvas.text(value, {at.x, top + side + 18}, {13, palette::soft, Anchor::centre});
      } else {
        canvas.line({left, at.y}, {left + side, at.y}, 1, i ? palette::rule : palette::soft);
        canvas.text(value, {left - 8, at.y + 5}, {13, palette::soft, Anchor::right});
      }
    }
  canvas.text("first component", {left + side / 2, top + side + 40}, {14, palette::soft, Anchor::centre});
  canvas.text("second component", {left - 46, top + side / 2}, {14, palette::soft, Anchor::centre, 90});
}

// The smallest convex shape round the points: all triangles of three of them, turning one way, filled as one.
Path hull(const std::vector<Point>& points) {
  Path triangles;
  for (const Point& a : points)
    for (const Point& b : points)
      for (const Point& c : points)
        if ((b.x - a.x) * (c.y - a.y) > (b.y - a.y) * (c.x - a.x)) triangles.push_back({a, b, c});
  return triangles;
}

struct Plate {  // where a name or a tip stands
  float x, y, width;
  static constexpr float height = 18;
  bool meets(const Plate& other) const {
    return x < other.x + other.width && other.x < x + width && std::abs(y - other.y) < height;
  }
  bool inside() const {
    return x > left + 4 && x + width < left + side - 4 && y > top && y + height < top + side;
  }
};

// Writes a name beside the tip of its arrow, away from the origin, or turned aside to where nothing stands.
void put_name(Canvas& canvas, std::vector<Plate>& taken, const std::string& name, Point tip, Point origin,
              Colour colour) {
  const float width = text_width(name, 18), away = std::atan2(tip.y - origin.y, tip.x - origin.x);
  Plate plate{};
  for (const float turn : {0.0f, 0.8f, -0.8f, 1.6f, -1.6f, 2.4f, -2.4f, 3.1f}) {
    const Point d{std::cos(away + turn), std::sin(away + turn)};
    const float reach =
        std::max(std::abs(d.x), std::abs(d.y));  // the plate stands clear of the tip in x or in y
    plate = {tip.x + d.x / reach * (width / 2 + 13) - width / 2, tip.y + d.y / reach * 21 - Plate::height / 2,
             width};
    if (plate.inside() && std::none_of(taken.begin(), taken.end(), [&](auto& p) { return p.meets(plate); }))
      break;
  }
  taken.push_back(plate);
  const float middle = plate.y + Plate::height / 2;
  canvas.line({plate.x, middle}, {plate.x + width, middle}, Plate::height, palette::paper, 0.7f);
  canvas.text(name, {plate.x, plate.y + 15}, {18, colour});
}

void draw_plane(Canvas& canvas, const OneStep& step, Stage stage) {
  const Plane plane(step);
  const Point origin = plane({0, 0}), s = plane(step.s), c = plane(step.c);
  std::vector<Point> h;
  for (const Vector& state : step.h) h.push_back(plane(state));

  draw_axes(canvas, plane);
  canvas.fill(hull(h), blue, 0.10f);
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (stage >= Stage::softmax) canvas.circle(h[i], 34 * std::sqrt(step.alpha[i]), blue, 0.25f);
    if (stage >= Stage::context) canvas.line(h[i], c, 12 * step.alpha[i], crimson, 0.55f);
  }
  for (const Point& tip : h) canvas.arrow(origin, tip, 2.6f, blue);
  canvas.arrow(origin, s, 2.6f, orange);
  if (stage >= Stage::context) canvas.circle(c, 9, palette::paper), canvas.circle(c, 7, crimson);

  std::vector<Plate> taken;
  for (const Point& tip : h) taken.push_back({tip.x - 5, tip.y - Plate::height / 2, 10});
  for (std::size_t i = 0; i < h.size(); ++i) {
    std::string name = fmt::format("h{}", subscript[i]);
    if (stage == Stage::score) name += fmt::format("  e{} = {}", subscript[i], number(step.e[i]));
    if (stage == Stage::softmax) name += fmt::format("  α{} = {}", subscript[i], number(step.alpha[i]));
    put_name(canvas, taken, name, h[i], origin, blue);
  }
  put_name(canvas, taken, "s", s, origin, orange);
  if (stage >= Stage::context) put_name(canvas, taken, "c", c, origin, crimson);
}

// A number, and a bar from its zero: at the left when low is 0, in the middle when it is -high.
void draw_bar(Canvas& canvas, Point at, float value, float low, float high, float width, Colour colour) {
  canvas.text(number(value), at, {16, colour});
  const float unit = width / (high - low), zero = at.x + 66 - low * unit, y = at.y - 6;
  if (std::isfinite(value)) canvas.line({zero, y}, {zero + value * unit, y}, 13, colour);
  canvas.line({zero, y - 9}, {zero, y + 9}, 1, palette::soft);
}

float line_height(const OneStep& step) { return step.h.size() > 4 ? 28 : 36; }

void draw_states(Canvas& canvas, const OneStep& step, Stage stage) {
  float low = 0, high = 1e-6f;
  for (const float e : step.e)
    if (std::isfinite(e)) high = std::max(high, std::abs(e)), low = std::min(low, e);
  if (low < 0) low = -high;
  canvas.text("s = " + pair(step.s), {panel, top + 14}, {16, orange});
  canvas.text(shortened("e = " + step.score + "(s, h)", 15, 174), {scores, top + 50}, {15, palette::soft});
  if (stage >= Stage::softmax) canvas.text("α = softmax(e)", {weights, top + 50}, {15, palette::soft});
  for (std::size_t i = 0; i < step.h.size(); ++i) {
    const float y = top + 80 + line_height(step) * i;
    canvas.text(shortened(fmt::format("h{} = {}", subscript[i], pair(step.h[i])), 16, 200), {panel, y},
                {16, blue});
    draw_bar(canvas, {scores, y}, step.e[i], low, high, 90, palette::ink);
    if (stage >= Stage::softmax) draw_bar(canvas, {weights, y}, step.alpha[i], 0, 1, 90, blue);
  }
}

void draw_context(Canvas& canvas, const OneStep& step, float y) {
  std::string sum = "c = ";
  for (std::size_t i = 0; i < step.h.size(); ++i)
    sum += fmt::format("{}α{} h{}", i ? " + " : "", subscript[i], subscript[i]);
  canvas.text(sum, {panel, y}, {16, crimson});
  canvas.text("= " + pair(step.c), {panel + 14, y + 26}, {16, crimson});
}

void draw_prediction(Canvas& canvas, const OneStep& step, float y) {
  canvas.text("p = softmax(Wₒ [s; c])", {panel, y}, {15, palette::soft});
  const std::size_t n = step.words.size(), shown = n <= 6 ? n : 5;
  for (std::size_t k = 0; k < shown; ++k) {
    y += 27;
    canvas.text(shortened(step.words[k], 16, 190), {panel, y}, {16});
    draw_bar(canvas, {scores, y}, step.p[k], 0, 1, 274, palette::ink);
  }
  if (shown < n)
    canvas.text(fmt::format("and {} more words", n - shown), {panel, y + 27}, {15, palette::soft});
}

std::string claim(const OneStep& step, Stage stage) {
  const std::size_t S = step.h.size(), e = largest(step.e), alpha = largest(step.alpha), p = largest(step.p);
  if (stage == Stage::score)
    return fmt::format("{}(s, h{}) = {} is the highest score.", step.score, subscript[e], number(step.e[e]));
  if (stage == Stage::softmax)
    return fmt::format("The weights sum to 1, and h{} takes the most: {:.3f}.", subscript[alpha],
                       step.alpha[alpha]);
  if (stage == Stage::predict)
    return fmt::format("State and context together choose the word: “{}”, with {:.3f}.", step.words[p],
                       step.p[p]);
  const char* where[] = {"at the only one", "between the two", "inside their triangle", "inside their hull"};
  return fmt::format("c, the mean of the states weighted by α, lies {}.",
                     where[std::min<std::size_t>(S, 4) - 1]);
}

}  // namespace

Image draw_one_step(const OneStep& step, Stage stage) {
  check(step);
  const char* titles[] = {"score every state", "softmax turns scores into weights",
                          "the context is their weighted mean", "predict the next word"};
  const int number = static_cast<int>(stage);
  Canvas canvas(1180, 640);
  canvas.text(fmt::format("Step {} of 4: {}", number + 1, titles[number]), {24, 42}, {25});
  canvas.text(shortened(claim(step, stage), 17, 1130), {24, 74}, {17, palette::soft});
  draw_plane(canvas, step, stage);
  draw_states(canvas, step, stage);
  const float below = top + 100 + line_height(step) * step.h.size();
  if (stage >= Stage::context) draw_context(canvas, step, below);
  if (stage >= Stage::predict) draw_prediction(canvas, step, below + 66);
  return canvas.image();
}

}  // namespace lookback
