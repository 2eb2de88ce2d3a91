#include "examples/kit/figures/sampled_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lookback {
namespace {

constexpr Colour blue{38, 98, 168}, pale{176, 200, 226};
constexpr int pad = 16, top = 90, row = 34, names = 90, column = 370, number = 80;

const SampledWord& right_of(std::span<const SampledWord> words) {
  const auto right = [](const SampledWord& w) { return w.right; };
  if (std::count_if(words.begin(), words.end(), right) != 1)
    throw std::invalid_argument("sampled words: one of them is the right one");
  return *std::find_if(words.begin(), words.end(), right);
}

double corrected(const SampledWord& w) { return w.o - std::log(w.Q); }

}  // namespace

std::string list_sampled(std::span<const SampledWord> words) {
  const double own = corrected(right_of(words));
  std::string table = "  word  id      P      Q    ln Q  logit o  o - ln Q  exp(o - ln Q)\n";
  double sum = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const SampledWord& w = words[k];
    if (!w.right && !w.drawn) continue;
    const double z = corrected(w);
    sum += std::exp(z);
    table += fmt::format("  {:4}  {:2}  {:.3f}  {:.3f}  {:6.3f}  {:7.3f}  {:8.3f}  {:13.3f}{}\n", w.word, k,
                         w.P, w.Q, std::log(w.Q), w.o, z, std::exp(z),
                         !w.right  ? ""
                         : w.drawn ? "  the right word; drawn too, counted once"
                                   : "  the right word");
  }
  return table + fmt::format("  loss = -{:.3f} + ln {:.3f} = {:.4f}\n", own, sum, std::log(sum) - own);
}

Image draw_sampled(std::span<const SampledWord> words) {
  const SampledWord& y = right_of(words);
  const int rows = static_cast<int>(words.size());
  Canvas canvas(2 * pad + names + 2 * column, top + row * (rows + 1) + pad);
  canvas.text("The sum under the softmax, over all words and over those drawn", {pad, pad + 15.0f}, {19.5f});
  double longest = 0;
  const auto value = [&](const SampledWord& w, int side) {
    if (!side) return std::exp(w.o);
    return w.right || w.drawn ? y.Q * std::exp(corrected(w)) : 0;
  };
  for (const SampledWord& w : words) longest = std::max({longest, value(w, 0), value(w, 1)});
  for (const int side : {0, 1}) {
    const int x = pad + names + side * column;
    canvas.text(side ? fmt::format("sampled: exp(o) Q({}) / Q", y.word) : "full: exp(o)",
                {x + 0.0f, top - 14.0f}, {15, palette::soft});
    double sum = 0;
    for (int k = 0; k < rows; ++k) {
      const SampledWord& w = words[static_cast<std::size_t>(k)];
      const double v = value(w, side), length = v / longest * (column - number);
      const float base = static_cast<float>(top + row * k + 19);
      if (!side) canvas.text(shortened(w.word, 16, names - 8), {pad, base}, {16});
      canvas.rectangle(x, top + row * k + 3, static_cast<int>(length), row - 12, w.right ? blue : pale);
      canvas.text(v > 0 ? fmt::format("{:.2f}", v) : "not drawn", {x + static_cast<float>(length) + 6, base},
                  {15, v > 0 ? palette::ink : palette::soft});
      sum += v;
    }
    canvas.text(fmt::format("sum {:.2f}, so {} gets {:.2f} / {:.2f} = {:.3f}", sum, y.word, std::exp(y.o),
                            sum, std::exp(y.o) / sum),
                {x + 0.0f, static_cast<float>(top + row * rows + 19)}, {15});
  }
  return canvas.image();
}

}  // namespace lookback
