#include "examples/kit/figures/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace lookback {
namespace {

constexpr Colour blue{38, 98, 168}, orange{214, 110, 6}, crimson{176, 22, 90};
constexpr Colour pale_blue{226, 236, 247}, pale_orange{253, 232, 209}, pale_crimson{250, 226, 236};
constexpr const char* subscript[] = {"₁", "₂", "₃", "₄"};
constexpr int most = 4;                                                   // steps that are drawn
constexpr int left = 216, step = 228, box = 124, height = 44, rise = 88;  // a step, a box; from row to row
constexpr int top = 150, panel = 3 * rise + 76;  // the first panel, from one to the next

int middle(int t) { return left + t * step + box / 2; }

void draw_word(Canvas& canvas, const std::string& word, int t, int y, Colour edge, Colour fill) {
  canvas.rectangle(left + t * step, y, box, height, fill);
  canvas.frame(left + t * step, y, box, height, edge);
  canvas.text(shortened(word, 18, box - 12), {1.0f * middle(t), y + 28.0f},
              {18, palette::ink, Anchor::centre});
}

void draw_label(Canvas& canvas, const char* name, const char* note, int y) {
  canvas.text(name, {24, y + 18.0f}, {17});
  canvas.text(note, {24, y + 38.0f}, {14, palette::soft});
}

void draw_up(Canvas& canvas, int t, int from, const char* what) {  // to the row above
  const float x = static_cast<float>(middle(t));
  canvas.arrow({x, from - 3.0f}, {x, from - rise + height + 4.0f}, 1.6f, palette::soft);
  canvas.text(what, {x + 8, from - (rise - height) / 2.0f + 5}, {14, palette::soft});
}

// From the word written at step t to the place of the word read at step t + 1.
void draw_loop_back(Canvas& canvas, int t, int writes, int reads) {
  const float x = left + t * step + box, gutter = x + (step - box) / 2.0f;
  const float from = writes + height / 2.0f, to = reads + height / 2.0f;
  canvas.line({x + 3, from}, {gutter, from}, 2.4f, orange);
  canvas.line({gutter, from}, {gutter, to}, 2.4f, orange);
  canvas.arrow({gutter, to}, {left + (t + 1) * step - 4.0f, to}, 2.4f, orange);
}

void draw_panel(Canvas& canvas, const Loop& loop, bool fed, int y) {
  const std::vector<std::string>& written = fed ? loop.fed_back : loop.forced;
  const int cells = y + rise, reads = y + 2 * rise, n = std::min(most, static_cast<int>(written.size()));
  canvas.text(fed ? "Fed back: at inference it reads what it wrote itself"
                  : "Forced: in training it reads what the teacher wrote",
              {24, y - 22.0f}, {18, fed ? orange : blue});
  draw_label(canvas, "writes", "the likeliest word", y);
  draw_label(canvas, "decoder", "state and context", cells);
  draw_label(canvas, "reads", fed ? "its own last word" : "the teacher's last word", reads);
  for (int t = 0; t < n; ++t) {
    const bool right = written[t] == loop.targets[t];
    draw_word(canvas, written[t], t, y, right ? blue : crimson, right ? pale_blue : pale_crimson);
    draw_word(canvas, fmt::format("s{}, c{}", subscript[t], subscript[t]), t, cells, palette::soft,
              palette::paper);
    const std::string& read = fed && t > 0 ? written[t - 1] : loop.inputs[t];
    const bool same = read == loop.inputs[t];
    draw_word(canvas, read, t, reads,
              t == 0 ? orange
              : same ? blue
                     : crimson,
              t == 0 ? pale_orange
              : same ? pale_blue
                     : pale_crimson);
    draw_up(canvas, t, cells, "argmax");
    draw_up(canvas, t, reads, "embed");
    if (t + 1 == n) continue;
    const float x = left + t * step + box, state = cells + height / 2.0f;
    canvas.arrow({x + 3, state}, {x + step - box - 4.0f, state}, 1.6f, palette::soft);
    if (fed) draw_loop_back(canvas, t, y, reads);
  }
}

}  // namespace

Image draw_loop(const Loop& loop, const std::string& when) {
  const std::size_t n = loop.inputs.size();
  if (n < 1 || loop.targets.size() != n || loop.forced.size() != n || loop.fed_back.size() != n)
    throw std::invalid_argument(fmt::format("loop: {} inputs, {} targets, {} and {} words written", n,
                                            loop.targets.size(), loop.forced.size(), loop.fed_back.size()));
  const int steps = std::min(most, static_cast<int>(n));
  Canvas canvas(std::max(760, left + (steps - 1) * step + box + 24), top + 2 * panel - 96);
  canvas.text("The loop function: whose word does the next step read?", {24, 42}, {25});
  const std::string claim = "One sentence, one model " + when + ". Red: not the teacher's word.";
  canvas.text(shortened(claim, 17, 712), {24, 74}, {17, palette::soft});
  draw_panel(canvas, loop, false, top);
  draw_panel(canvas, loop, true, top + panel);
  return canvas.image();
}

}  // namespace lookback
