#include "attention/alignment.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace lookback::inline LOOKBACK_NS {

void Alignment::add(const Tensor& step) {
  if (step.rank() != 2 && step.rank() != 3)
    throw std::invalid_argument(fmt::format(
        "alignment: a step needs the shape [B, heads, S] or [B, S], not {}", to_string(step.shape())));
  const Tensor values = step.detach();
  const Index B = step.shape()[0], S = step.cols();
  const Tensor row = values.reshape({B, step.rank() == 2 ? 1 : step.shape()[1], 1, S});
  const Tensor rows[] = {weights, row};
  weights = weights.defined() ? concat(rows, 2) : row;
}

Tensor Alignment::head(Index k) const {
  if (k < 0 || k >= weights.shape()[1])
    throw std::out_of_range(fmt::format("alignment: no head {} in {}", k, to_string(weights.shape())));
  return lookback::select(weights, 1, k);
}

Tensor Alignment::mean() const { return lookback::mean(weights, 1); }

Heatmap heatmap(const Alignment& alignment, Index b, std::optional<Index> head) {
  const auto at = static_cast<std::size_t>(b);
  if (b < 0 || at >= alignment.source.size() || at >= alignment.target.size())
    throw std::out_of_range(fmt::format("alignment: no pair {} of {}", b, alignment.source.size()));
  const Tensor weights =  // [T, S]
      head ? alignment.head(*head).select(b) : lookback::mean(alignment.weights.select(b), 0);
  const auto &columns = alignment.source[at], &rows = alignment.target[at];
  const auto T = static_cast<Index>(rows.size()), S = static_cast<Index>(columns.size());
  if (T > weights.rows() || S > weights.cols())
    throw std::invalid_argument(fmt::format("alignment: {} target and {} source tokens do not fit weights {}",
                                            T, S, to_string(weights.shape())));
  Heatmap map{.rows = rows, .columns = columns, .weights = {}, .title = {}};
  for (Index t = 0; t < T; ++t)
    for (Index i = 0; i < S; ++i)
      map.weights.push_back(static_cast<float>(weights.data()[t * weights.cols() + i]));
  return map;
}

}  // namespace lookback::inline LOOKBACK_NS
