#include "examples/kit/by_hand.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Sum {
  std::string text;
  double value;
};

// A row of W v + b.
Sum row_of(const Tensor& W, const Tensor& b, const Tensor& v, Index row) {
  Sum sum{fmt::format("{:.1f}", b.at({row})), b.at({row})};
  for (Index j = v.cols() - 1; j >= 0; --j) {
    const double w = W.at({row, j}), value = v.at({0, j});
    sum.text = fmt::format("{:.1f}*{:.1f} + ", w, value) + sum.text;
    sum.value += w * value;
  }
  for (std::size_t at; (at = sum.text.find("+ -")) != std::string::npos;) sum.text.replace(at, 3, "- ");
  return sum;
}

double sigma(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

// [by_hand]
ByHand gru_by_hand(const GRUCell& cell, const Tensor& x, const Tensor& h) {
  const Index H = h.cols();
  ByHand step;
  const auto show = [&step](const std::string& line) { step.lines.push_back(line); };
  for (Index k = 0; k < H; ++k) {  // of r row k, of z row H + k, of n row 2H + k
    const auto input = [&](Index block) { return row_of(cell.weight_ih, cell.bias_ih, x, block * H + k); };
    const auto recurrent = [&](Index block) {
      return row_of(cell.weight_hh, cell.bias_hh, h, block * H + k);
    };
    double gate[2];
    for (const Index block : {0, 1}) {
      const Sum i = input(block), g = recurrent(block);
      const double sum = i.value + g.value;
      gate[block] = sigma(sum);
      show(fmt::format("{}_{} = sigmoid({} + ({})) = sigmoid({:.6f}) = {:.6f}", "rz"[block], k + 1, i.text,
                       g.text, sum, gate[block]));
    }
    const auto [r, z] = gate;
    const Sum i = input(2), g = recurrent(2);
    const double sum = i.value + r * g.value, n = std::tanh(sum), old = h.at({0, k});
    step.h.push_back((1 - z) * n + z * old);
    show(fmt::format("n_{} = tanh({} + {:.6f}*({})) = tanh({:.6f}) = {:.6f}", k + 1, i.text, r, g.text, sum,
                     n));
    show(fmt::format("h'_{} = {:.6f}*{:.6f} + {:.6f}*{:.1f} = {:.6f}", k + 1, 1 - z, n, z, old,
                     step.h.back()));
  }
  return step;
}
// [/by_hand]

}  // namespace lookback::inline LOOKBACK_NS
