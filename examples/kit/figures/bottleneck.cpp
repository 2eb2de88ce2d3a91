#include "examples/kit/figures/bottleneck.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace lookback {
namespace {

constexpr Colour blue{38, 98, 168}, orange{214, 110, 6}, crimson{176, 22, 90};  // h, s, c
constexpr Colour blue_fill{226, 236, 247}, orange_fill{253, 232, 209}, crimson_fill{250, 228, 238};
constexpr const char* subscript[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆"};
constexpr int side = 48, pitch = 78, left = 96, panel = 412;  // of a state; from state to state; of one model

struct Model {
  Canvas& canvas;
  std::string letters;
  float y;  // middle of the row of states
  int S = static_cast<int>(letters.size());

  Point h(int i) const { return {left + (i - 1.0f) * pitch, y}; }       // h_1 .. h_S
  Point s(int t) const { return h(S) + Point{150.0f + t * pitch, 0}; }  // s_0 .. s_T
  std::string letter(int i) const { return letters.substr(static_cast<std::size_t>(i - 1), 1); }

  void box(Point at, const std::string& name, Colour fill, Colour edge) const {
    const int x = static_cast<int>(at.x) - side / 2, top = static_cast<int>(at.y) - side / 2;
    canvas.rectangle(x, top, side, side, fill);
    canvas.frame(x, top, side, side, edge);
    canvas.text(name, {at.x, at.y + 6}, {18, palette::ink, Anchor::centre});
  }
  void word(Point at, const std::string& text) const {
    canvas.text(text, {at.x, at.y + 6}, {18, palette::ink, Anchor::centre});
  }
  void note(const std::string& text, Point at, Colour colour = palette::soft) const {
    canvas.text(text, at, {15, colour, Anchor::centre});
  }
  void join(Point from, Point to, Colour colour = palette::soft, float width = 1.6f) const {
    canvas.arrow(from, to, width, colour);
  }

  void draw_states(bool attends) const {
    constexpr float edge = side / 2.0f + 3;
    for (int i = 1; i <= S; ++i) {
      const bool lost = !attends && i < S;
      box(h(i), fmt::format("h{}", subscript[i]), lost ? palette::paper : blue_fill,
          lost ? palette::rule : blue);
      word(h(i) + Point{0, 78}, letter(i));
      join(h(i) + Point{0, 60}, h(i) + Point{0, edge});
      if (i < S) join(h(i) + Point{edge, 0}, h(i + 1) - Point{edge, 0});
    }
    box(s(0), "s₀", orange_fill, orange);
    join(h(S) + Point{edge, 0}, s(0) - Point{edge, 0}, orange, attends ? 2.0f : 5.0f);
    for (int t = 1; t <= S; ++t) {
      box(s(t), fmt::format("s{}", subscript[t]), orange_fill, orange);
      join(s(t - 1) + Point{edge, 0}, s(t) - Point{edge, 0});
      word(s(t) + Point{0, 78}, t > 1 ? letter(t - 1) : "GO");
      join(s(t) + Point{0, 60}, s(t) + Point{0, edge});
      join(s(t) - Point{0, edge}, s(t) - Point{0, 136});
      word(s(t) - Point{0, 152}, letter(t));
    }
    note("reads", {36, y + 84});
    note("writes", s(0) - Point{0, 146});
    note(fmt::format("s₀ = f(h{})", subscript[S]), {(h(S).x + s(0).x) / 2, y - 18}, orange);
  }

  // Lines over lines: a white one below keeps them apart.
  void path(std::initializer_list<Point> points, Colour colour) const {
    for (const Point* p = points.begin(); p + 1 != points.end(); ++p)
      canvas.line(p[0], p[1], 8, palette::paper);
    for (const Point* p = points.begin(); p + 2 != points.end(); ++p) canvas.line(p[0], p[1], 2, colour);
    canvas.arrow(points.end()[-2], points.end()[-1], 2, colour);
  }

  void draw_look() const {  // of the third step
    const float top = y - 118, bottom = y - 74, end = h(S).x + side / 2.0f, middle = (left + h(S).x) / 2;
    for (int i = 1; i <= S; ++i) join(h(i) - Point{0, side / 2.0f + 3}, {h(i).x, bottom + 3}, blue, 2);
    const int x = left - side / 2, width = static_cast<int>(end) - x, height = static_cast<int>(bottom - top);
    canvas.rectangle(x, static_cast<int>(top), width, height, crimson_fill);
    canvas.frame(x, static_cast<int>(top), width, height, crimson);
    word({middle, (top + bottom) / 2}, "score, softmax, weighted sum");
    const Point s3 = s(3), c = s3 + Point{pitch / 2.0f, -102};
    path({s3 - Point{12, side / 2.0f + 2}, {s3.x - 12, bottom - 8}, {end + 4, bottom - 8}}, orange);
    path({{end + 1, c.y}, {c.x - 18, c.y}}, crimson);
    note("s₃ asks", {(end + s(0).x) / 2, bottom + 11}, orange);
    note("the context", {(end + s(0).x) / 2, c.y - 8}, crimson);
    join(c + Point{-11, -14}, s3 + Point{9, -142}, crimson, 2);
    if (S > 3) join(c + Point{9, 16}, s(4) - Point{14, side / 2.0f + 3}, crimson, 2);
    canvas.circle(c, 17, crimson);
    canvas.circle(c, 15.5f, crimson_fill);
    word(c, "c₃");
  }
};

}  // namespace

Image draw_bottleneck(const std::string& letters, int numbers) {
  if (letters.size() < 3 || letters.size() > 6)
    throw std::invalid_argument(fmt::format("bottleneck: {} letters, not 3 to 6", letters.size()));
  Canvas canvas(static_cast<int>(letters.size()) * 2 * pitch + 230, 2 * panel - 20);
  for (const bool attends : {false, true}) {
    const float top = attends ? panel : 0;
    const Model model{canvas, letters, top + 276};
    canvas.text(attends ? "With attention" : "Without attention", {24, top + 42}, {25});
    canvas.text(
        attends
            ? "each step asks all states; its context goes into this word and the next step"
            : fmt::format("the source reaches the decoder through s₀ alone: {} numbers, however long it is",
                          numbers),
        {24, top + 72}, {17, palette::soft});
    model.draw_states(attends);
    if (attends)
      model.draw_look();
    else
      model.note("computed, then thrown away", {(model.h(1).x + model.h(model.S - 1).x) / 2, model.y - 40});
  }
  return canvas.image();
}

}  // namespace lookback
