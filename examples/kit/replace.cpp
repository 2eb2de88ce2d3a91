#include "examples/kit/replace.hpp"

#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {

Batch replace_word(const std::vector<std::int32_t>& sentence, Index i, Index V) {
  std::vector<IdPair> rows{{sentence, sentence}};
  const std::int32_t old = sentence.at(static_cast<std::size_t>(i));
  for (std::int32_t id = UNK; id < V && rows.size() <= 60; ++id) {
    if (id == old) continue;
    rows.push_back(rows[0]);
    rows.back().source[static_cast<std::size_t>(i)] = id;
  }
  return make_batch(rows);
}

// [mean_move]
Real mean_move(const Tensor& x) {
  const Tensor d = slice(x, 0, 1, x.rows()) - x.select(0);  // [R, D]
  return mean(sqrt(sum(d * d, -1))).item();
}
// [/mean_move]

}  // namespace lookback::inline LOOKBACK_NS
