// Line plots as pictures: where points, lines and ticks stand, what breaks a line, what is refused.
#include <algorithm>
#include <cmath>
#include <limits>
#include <locale>

#include "attention/draw/line_plot.hpp"
#include "attention/draw/png.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr float bad = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
constexpr float huge = std::numeric_limits<float>::max(), tiny = std::numeric_limits<float>::denorm_min();

// The middle of all pixels of one colour, and how many there are.
struct Spot {
  double x = 0, y = 0;
  int pixels = 0;
};

Spot find(const Image& image, Colour colour) {
  Spot spot;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) == colour) spot.x += x, spot.y += y, ++spot.pixels;
  spot.x /= std::max(spot.pixels, 1), spot.y /= std::max(spot.pixels, 1);
  return spot;
}

Spot find(const LinePlot& plot, std::size_t k = 0) { return find(draw_line_plot(plot), palette::lines[k]); }

LinePlot two_lines() {
  return {"title", "step", "exact", {{"dot", {0, 10, 20}, {0, 5, 20}}, {"añ", {0, 10, 20}, {3, 4, 4}}}};
}

// Single points without names: nothing but a mark for each.
LinePlot marks(const std::vector<Point>& points) {
  LinePlot plot{"", "x", "y", {}};
  for (const Point& p : points) plot.lines.push_back({"", {p.x}, {p.y}});
  return plot;
}

// A colour as eyes without green (or without red) see it: Machado, Oliveira and Fernandes 2009, severity 1.
Point seen(Colour c, bool green) {
  const double r = c.r, g = c.g, b = c.b;
  if (green)
    return {static_cast<float>(0.367 * r + 0.861 * g - 0.228 * b),
            static_cast<float>(-0.012 * r + 0.043 * g + 0.969 * b)};
  return {static_cast<float>(0.152 * r + 1.053 * g - 0.205 * b),
          static_cast<float>(-0.004 * r - 0.048 * g + 1.052 * b)};
}

}  // namespace

TEST_CASE("ticks of a line plot are round numbers round the values") {
  using Ticks = std::vector<double>;
  const auto ticks = [](double low, double high, bool log) {
    Ticks all = round_ticks(low, high, 10, log);
    for (double& tick : all) tick = std::round(tick * 1e9) / 1e9;
    return all;
  };
  CHECK(ticks(0, 1, false) == Ticks{0, 0.2, 0.4, 0.6, 0.8, 1});
  CHECK(ticks(0, 0.3f, false) == Ticks{0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3});  // 0.3f is more than 0.3
  CHECK(ticks(1, 300, false) == Ticks{0, 50, 100, 150, 200, 250, 300});
  CHECK(ticks(-7, 12, false) == Ticks{-10, -5, 0, 5, 10, 15});
  CHECK(ticks(16, 512, true) == Ticks{10, 20, 50, 100, 200, 500, 1000});
  CHECK(ticks(0.02, 14, true) == Ticks{0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20});
  CHECK(ticks(0.01, 14, true) == Ticks{0.01, 0.1, 1, 10, 100});
  for (const bool log : {false, true})
    for (const auto& [low, high] :
         {std::pair{1e-45, 3e38}, {0.99999, 1.00001}, {3e37, 3.4e38}, {1e-45, 2e-45}}) {
      CAPTURE(low, high, log);
      const Ticks all = round_ticks(low, high, 3, log);
      CHECK(all.size() <= 3);
      CHECK(all.front() <= low * 1.00002);
      CHECK(all.back() >= high * 0.99998);
    }
}

TEST_CASE("a point stands where its values say, on linear and on logarithmic axes") {
  LinePlot plot = marks({{0, 0}, {5, 1}, {20, 4}});
  for (const bool log : {false, true}) {
    CAPTURE(log);
    if (log) plot = marks({{1, 0.1f}, {10, 1}, {10000, 1000}}), plot.log_x = plot.log_y = true;
    const Spot a = find(plot, 0), b = find(plot, 1), c = find(plot, 2);
    CHECK(c.x - a.x == Approx(600).margin(1));
    CHECK(a.y - c.y == Approx(360).margin(1.5));  // a triangle is heavier below
    CHECK((b.x - a.x) / (c.x - a.x) == Approx(0.25).margin(0.003));
    CHECK((a.y - b.y) / (a.y - c.y) == Approx(0.25).margin(0.006));
  }
}

TEST_CASE("a line joins its points, and a point that cannot be drawn breaks it and is counted") {
  LinePlot plot{"", "x", "y", {{"", {0, 1, 2, 3}, {1, 1, 1, 1}}}};
  const Image whole = draw_line_plot(plot);
  const int pixels = find(whole, palette::lines[0]).pixels;
  CHECK(pixels > 2 * 580);
  for (const float value : {bad, inf, -inf}) {
    plot.lines[0].y[1] = value;
    const Image broken = draw_line_plot(plot);
    CHECK(find(broken, palette::lines[0]).pixels < 0.5 * pixels);
    CHECK(broken.height > whole.height);  // a line says how many
    CHECK(broken.width == whole.width);
  }
  plot.lines[0].y[1] = -1, plot.log_y = true;
  CHECK(find(plot).pixels < 0.5 * pixels);
  plot.lines[0].y = {bad, inf, 0, -1};
  CHECK(find(plot).pixels == 0);
}

TEST_CASE("y_range is kept: a line is cut there, and marks outside are left out") {
  LinePlot plot{"", "x", "y", {{"", {0, 1}, {0, 100}}}};
  const double whole = find(plot).pixels;
  plot.y_range = {0, 50};
  const Spot half = find(plot);
  CHECK(half.x < find(marks({{0, 0}, {1, 0}}), 1).x - 290);
  plot.lines[0].x = {0, 0.5f}, plot.lines[0].y = {-huge, huge};  // straight up
  CHECK(find(plot).pixels == Approx(0.5 * whole).epsilon(0.3));
  plot.lines[0].y = {60, 70};
  CHECK(find(plot).pixels == 0);
}

TEST_CASE("a reference of one point is a level across the whole plot") {
  LinePlot plot = two_lines();
  const auto darkest = [&] {  // pixels in the fullest row between the ends of y
    const Image image = draw_line_plot(plot);
    int most = 0;
    for (int y = 80; y < 380; ++y) {
      int dark = 0;
      for (int x = 100; x < 600; ++x) dark += luminance(image.at(x, y)) < 0.7f;
      most = std::max(most, dark);
    }
    return most;
  };
  CHECK(darkest() < 250);
  plot.lines.push_back({"a level", {10}, {12.3f}, true});
  CHECK(darkest() > 300);
}

TEST_CASE("fifteen lines differ without their colours") {
  std::vector<std::vector<bool>> masks;
  for (std::size_t k = 0; k < 15; ++k) {
    LinePlot plot{"", "x", "y", {k, {"", {0}, {-1}}}};  // outside
    plot.y_range = {0, 1};
    plot.lines.push_back({"", {0, 1}, {0.3f, 0.7f}});
    const Image image = draw_line_plot(plot);
    masks.emplace_back();
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) masks[k].push_back(luminance(image.at(x, y)) < 0.75f);
    for (std::size_t j = 0; j < k; ++j) CHECK(masks[j] != masks[k]);
  }
}

TEST_CASE("the colours of lines stay apart, also for eyes without red or without green") {
  for (const Colour& a : palette::lines)
    for (const Colour& b : palette::lines) {
      if (a == b) continue;
      CAPTURE(int(a.r), int(a.g), int(a.b), int(b.r), int(b.g), int(b.b));
      CHECK(std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) > 80);
      for (const bool green : {false, true}) {
        const Point p = seen(a, green), q = seen(b, green);
        CHECK(std::hypot(p.x - q.x, p.y - q.y) > 35);
      }
    }
}

TEST_CASE("the same line plot is the same bytes, in every locale") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const LinePlot plot = two_lines();
  const std::string before = encode_png(draw_line_plot(plot));
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string after = encode_png(draw_line_plot(plot));
  std::locale::global(old);
  CHECK(before == after);
}

TEST_CASE("a line plot with nothing in it, or that cannot be drawn, is refused") {
  const auto message = [](auto change) {
    LinePlot plot = two_lines();
    change(plot);
    try {
      draw_line_plot(plot);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("drawn");
  };
  CHECK(message([](LinePlot&) {}) == "drawn");
  CHECK(message([](LinePlot& p) { p.lines.clear(); }) == "line plot: there is no line to draw");
  CHECK(message([](LinePlot& p) { p.lines[1].x.pop_back(); }) ==
        "line plot: the line \"añ\" has 2 x and 3 y");
  CHECK(message([](LinePlot& p) {
          p.lines[0] = {"dot", {}, {}};
        }) == "line plot: the line \"dot\" has no points");
  CHECK(message([](LinePlot& p) { p.y_range = {1, 1}; }) == "line plot: y cannot run from 1 to 1");
  CHECK(message([](LinePlot& p) { p.y_range = {0, inf}; }) == "line plot: y cannot run from 0 to inf");
  CHECK(message([](LinePlot& p) {
          p.y_range = {0, 1}, p.log_y = true;
        }) == "line plot: y cannot run from 0 to 1");
}

TEST_CASE("nothing touches the edge of the picture, however long the names and large the values") {
  for (const std::string& name : {std::string(), std::string(30, 'W'), std::string(2000, 'W')})
    for (const std::size_t lines : {1, 60})
      for (const auto& [low, high] :
           {std::pair{0.0f, 0.0f}, {-huge, huge}, {tiny, huge}, {bad, inf}, {tiny, tiny}})
        for (const bool log : {false, true}) {
          CAPTURE(name.size(), lines, low, high, log);
          const Line line{name, {low, high, high}, {low, high, low}};
          LinePlot plot{name, name, name, std::vector(lines, line)};
          plot.lines.push_back({name, {high}, {high}, true});
          plot.log_x = plot.log_y = log;
          const Image image = draw_line_plot(plot);
          int marked = 0;
          for (int x = 0; x < image.width; ++x)
            for (const int y : {0, image.height - 1}) marked += !(image.at(x, y) == palette::paper);
          for (int y = 0; y < image.height; ++y)
            for (const int x : {0, image.width - 1}) marked += !(image.at(x, y) == palette::paper);
          CHECK(marked == 0);
        }
}
