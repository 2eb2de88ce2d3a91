#include "examples/kit/inside.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "examples/kit/claims.hpp"

namespace lookback::inline LOOKBACK_NS {

Attended look_inside(const Translator& model, const std::string& score, const Tensor& h) {
  const TranslatorSizes& n = model.sizes();
  const Params params(1);
  // [inside]
  const Attention attend(params, score, {.query = n.hidden, .key = n.hidden, .hidden = n.alignment});
  for (const Param& p : params.all()) {
    const Tensor learned = model.params().find("decoder.attn0." + p.name);
    std::copy_n(learned.data(), learned.size(), p.value.write());
  }
  const Attended a = attend(h, attend.read(h));  // h [1, S, H]: weights [1, S, S], context [1, S, H]
  // [/inside]
  // [facts]
  const Index S = h.shape()[1];
  const Tensor diagonal({S, S});  // 1 there, 0 elsewhere
  std::vector<Tensor> one_by_one;
  Ids back(Shape{S});
  for (Index i = 0; i < S; ++i) {
    diagonal.write()[i * S + i] = 1;
    one_by_one.push_back(attend(select(h, 1, i), attend.read(h)).context);
    back.values[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(S - 1 - i);
  }
  const Tensor reversed = index_select(h, back, 1);
  fmt::print("  {}: weights {}, on the diagonal ~{:.2f} in the mean; 1/S = {:.2f}\n", score,
             to_string(a.weights.shape()), mean(sum(a.weights * diagonal, -1)).item(),
             1.0 / static_cast<double>(S));
  print_equal("  the sum of each row, and 1", sum(a.weights, -1), Tensor({1, S}, 1));
  print_equal("  all places at once, and one after the other", a.context, stack(one_by_one, 1));
  print_equal("  contexts of the states reversed, and contexts reversed",
              attend(reversed, attend.read(reversed)).context, index_select(a.context, back, 1));
  if (score == "dot") print_equal("  e_ii, and |h_i|^2", sum(a.scores * diagonal, -1), sum(h * h, -1));
  // [/facts]
  return a;
}

}  // namespace lookback::inline LOOKBACK_NS
