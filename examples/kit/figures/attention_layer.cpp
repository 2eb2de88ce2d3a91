#include "examples/kit/figures/attention_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

namespace lookback {
namespace {

using Vector = std::vector<float>;

constexpr Colour blue{38, 98, 168}, orange{214, 110, 6}, crimson{176, 22, 90}, pale{241, 243, 244};
constexpr int left = 216, right = 24, width = 1120, box = 48;  // box: height of a row
constexpr int h_row = 128, key_row = 212, rail = 300, u_row = 336, e_row = 420, softmax_row = 492;
constexpr int alpha_row = 540, c_row = 668, height = 740;

void check(const AttentionLayer& x) {
  const std::size_t S = x.words.size();
  if (S < 1 || S > 14 || x.length < 1 || x.length > S)
    throw std::invalid_argument(
        fmt::format("attention layer: {} words (1 to 14), {} of them not PAD (1 to all)", S, x.length));
  const auto need = [](const char* name, std::size_t count, std::size_t needed) {
    if (count != needed)
      throw std::invalid_argument(fmt::format("attention layer: {} has {}, not {}", name, count, needed));
  };
  const auto finite = [](const char* name, const Vector& v) {
    if (v.empty() || !std::all_of(v.begin(), v.end(), [](float x) { return std::abs(x) < 1e6f; }))
      throw std::invalid_argument(
          fmt::format("attention layer: {} is empty, not finite, or past a million", name));
  };
  need("h", x.h.size(), S), need("keys", x.keys.size(), S), need("u", x.u.size(), S);
  need("e", x.e.size(), S), need("alpha", x.alpha.size(), S), need("c", x.c.size(), x.h[0].size());
  for (std::size_t i = 0; i < S; ++i) {
    need("a state", x.h[i].size(), x.c.size());
    need("a key", x.keys[i].size(), x.q.size()), need("u", x.u[i].size(), x.q.size());
    finite("h", x.h[i]), finite("a key", x.keys[i]), finite("u", x.u[i]);
  }
  finite("q", x.q), finite("e", x.e), finite("c", x.c);
  if (!std::all_of(x.alpha.begin(), x.alpha.end(), [](float a) { return a >= 0 && a < 1.001f; }))
    throw std::invalid_argument("attention layer: alpha is not in [0, 1]");
}

float largest(std::span<const Vector> vectors) {
  float most = 1e-6f;
  for (const Vector& v : vectors)
    for (const float value : v) most = std::max(most, std::abs(value));
  return most;
}

struct Frame {
  int x, y, width;
  float middle() const { return x + width / 2.0f; }
};

// A box with a bar up or down from its middle line for each number.
void draw_vector(Canvas& canvas, Frame at, const Vector& v, float scale, Colour colour) {
  canvas.rectangle(at.x, at.y, at.width, box, palette::paper);
  canvas.frame(at.x, at.y, at.width, box, colour);
  const float pitch = (at.width - 12.0f) / static_cast<float>(v.size()), zero = at.y + box / 2.0f;
  canvas.line({at.x + 6.0f, zero}, {at.x + at.width - 6.0f, zero}, 1, palette::rule);
  for (std::size_t k = 0; k < v.size(); ++k) {
    const float x = at.x + 6 + pitch * (static_cast<float>(k) + 0.5f);
    canvas.line({x, zero}, {x, zero - v[k] / scale * (box / 2.0f - 4)}, pitch * 0.7f, colour);
  }
}

void draw_number(Canvas& canvas, Frame at, const std::string& text, Colour fill, Colour edge, Colour ink) {
  canvas.rectangle(at.x, at.y, at.width, box, fill);
  canvas.frame(at.x, at.y, at.width, box, edge);
  canvas.text(text, {at.middle(), at.y + box / 2.0f + 6},
              {at.width < 76 ? 13.0f : 16.0f, ink, Anchor::centre});
}

void label(Canvas& canvas, int y, const char* name, const char* note) {
  canvas.text(name, {24, y + 20.0f}, {17});
  canvas.text(note, {24, y + 40.0f}, {14, palette::soft});
}

std::string claim(const AttentionLayer& x) {
  const auto i = std::max_element(x.alpha.begin(), x.alpha.end()) - x.alpha.begin();
  return fmt::format(
      "“{}” has the highest score, {:.2f}, and with it the largest weight, {:.2f}: "
      "the context leans to its state.",
      shortened(x.words[i], 17, 200), x.e[i], x.alpha[i]);
}

}  // namespace

Image draw_attention_layer(const AttentionLayer& x) {
  check(x);
  const int S = static_cast<int>(x.words.size()), step = std::min((width - left - right) / S, 110);
  const int n = static_cast<int>(x.length);
  const auto cell = [&](int i, int y) { return Frame{left + i * step, y, step - 8}; };
  Canvas canvas(width, height);
  canvas.text("The attention layer: one step of one head, one sentence of the batch", {24, 42}, {25});
  canvas.text(shortened(claim(x), 17, width - 48), {24, 74}, {17, palette::soft});
  label(canvas, h_row, "h", "encoder states [B, S, H]");
  label(canvas, key_row, "W₂ h", "1x1 convolution [B, S, A]");
  label(canvas, u_row, "tanh(q + W₂ h)", "a layer of size A [B, S, A]");
  label(canvas, e_row, "e = v · tanh(…)", "scores [B, S]");
  label(canvas, alpha_row, "α = softmax(e)", "weights [B, S]");
  label(canvas, c_row, "c = Σ α h", "context [B, H]");

  // the state that asks, and its rail to every position
  draw_vector(canvas, {24, rail - 20, 92}, x.q, largest({&x.q, 1}), orange);
  canvas.text("q = W₁ s + b", {124, rail - 8}, {15, orange});
  canvas.text("asks [B, A]", {124, rail + 18}, {14, palette::soft});
  canvas.line({116, rail}, {cell(n - 1, 0).middle() + 14, rail}, 2, orange);

  const float of_h = largest(x.h), of_keys = largest(x.keys);
  const Frame c{cell(0, 0).x + (n * step - 8 - 180) / 2, c_row, 180};
  for (int i = 0; i < S; ++i) {
    const bool word = i < n;
    const float middle = cell(i, 0).middle();
    const std::string name = shortened(x.words[i], 16, step - 8);
    canvas.text(name, {middle, h_row - 8}, {16, word ? palette::ink : palette::soft, Anchor::centre});
    draw_vector(canvas, cell(i, h_row), x.h[i], of_h, word ? blue : palette::rule);
    draw_vector(canvas, cell(i, key_row), x.keys[i], of_keys, word ? blue : palette::rule);
    draw_vector(canvas, cell(i, u_row), x.u[i], 1, word ? palette::ink : palette::rule);
    draw_number(canvas, cell(i, e_row), word ? fmt::format("{:.2f}", x.e[i]) : "masked", palette::paper,
                word ? palette::ink : palette::rule, word ? palette::ink : palette::soft);
    const Colour fill = word ? viridis(x.alpha[i]) : pale;
    draw_number(canvas, cell(i, alpha_row), word ? fmt::format("{:.2f}", x.alpha[i]) : "0", fill,
                word ? fill : palette::rule, word ? ink_on(fill) : palette::soft);
    if (!word) continue;
    const auto down = [&](int from, int to, float aside, Colour colour) {
      canvas.arrow({middle + aside, from + 3.0f}, {middle + aside, to - 3.0f}, 1.6f, colour);
    };
    down(h_row + box, key_row, 0, palette::soft);
    down(key_row + box, u_row, 0, palette::soft);
    down(rail - 3, u_row, 14, orange);
    down(u_row + box, e_row, 0, palette::soft);
    down(e_row + box, softmax_row, 0, palette::soft);
    down(softmax_row + 28, alpha_row, 0, palette::soft);
    canvas.line({middle, alpha_row + box + 3.0f}, {c.middle(), c_row - 2.0f}, 22 * x.alpha[i], crimson,
                0.45f);
  }
  const int all = n * step - 8;
  canvas.rectangle(left, softmax_row, all, 28, pale);
  canvas.frame(left, softmax_row, all, 28, palette::soft);
  canvas.text("softmax", {left + all / 2.0f, softmax_row + 20.0f}, {15, palette::ink, Anchor::centre});
  draw_vector(canvas, c, x.c, of_h, crimson);
  return canvas.image();
}

}  // namespace lookback
