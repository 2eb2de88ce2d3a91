#include "attention/decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "nn/control_ids.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

Tensor rows_of(const Tensor& x, const Ids& rows) { return x.defined() ? index_select(x, rows, 0) : x; }

Mask rows_of(const Mask& mask, const Ids& rows) {
  if (mask.empty() || mask.shape[0] == 1) return mask;
  const Index row = mask.shape.stride(0);
  std::vector<std::uint8_t> values;
  for (const std::int32_t r : rows.values)
    values.insert(values.end(), mask.values.begin() + r * row, mask.values.begin() + (r + 1) * row);
  return {mask.shape.with(0, rows.size()), std::move(values)};
}

}  // namespace

Tensor last_states(const Tensor& h, const Mask& mask) {
  const Index B = h.shape()[0], S = h.shape()[1];
  Mask is_last({B, S, 1}, std::vector<std::uint8_t>(static_cast<std::size_t>(B * S)));
  for (Index b = 0; b < B; ++b)
    for (Index i = S - 1; i >= 0; --i)
      if (mask.empty() || mask.values[static_cast<std::size_t>(b * S + i)]) {
        is_last.values[static_cast<std::size_t>(b * S + i)] = 1;
        break;
      }
  return sum(where(is_last, h, Tensor(h.shape())), 1);
}

bool has_source(const Encoded& encoded, Index b) {
  const Index S = encoded.h.shape()[1];
  if (encoded.mask.empty()) return S > 0;
  const auto row = encoded.mask.values.begin() + b * S;
  return std::any_of(row, row + S, [](std::uint8_t keep) { return keep != 0; });
}

Encoded limit_memory(const Encoded& encoded, MemoryLimit limit) {
  if (limit == MemoryLimit::all) return encoded;
  const Index B = encoded.h.shape()[0], H = encoded.h.cols();
  const Tensor one = limit == MemoryLimit::first ? slice(encoded.h, 1, 0, 1)
                                                 : last_states(encoded.h, encoded.mask).reshape({B, 1, H});
  Mask mask({B, 1}, std::vector<std::uint8_t>(static_cast<std::size_t>(B)));
  for (Index b = 0; b < B; ++b) mask.values[static_cast<std::size_t>(b)] = has_source(encoded, b);
  return {one, encoded.last, mask};
}

Linear make_readout(const Params& p, Index O, const Embedding& embedding, bool tied) {
  const Index V = embedding.weight.rows(), E = embedding.weight.cols();
  if (!tied) return Linear(p, O, V);
  if (O != E)
    throw std::invalid_argument(
        fmt::format("a tied readout takes the embedding's {} features, not {}", E, O));
  return {embedding.weight, p.add("bias", {V}, zeros)};
}

Memory select_rows(const Memory& memory, const Ids& rows) {
  const Encoded& e = memory.encoded;
  Memory picked{{rows_of(e.h, rows), rows_of(e.last, rows), rows_of(e.mask, rows)}, {}};
  for (const Keys& k : memory.keys)
    picked.keys.push_back({rows_of(k.h, rows), rows_of(k.projected, rows), rows_of(k.mask, rows)});
  return picked;
}

State select_rows(const State& state, const Ids& rows) {
  State picked;
  for (const Tensor& part : state.parts) picked.parts.push_back(rows_of(part, rows));
  return picked;
}

// [feed_previous]
Forced feed_previous(const Decoder& decoder, const Memory& memory, Index T) {
  State state = decoder.start(memory);
  Ids previous(Shape{memory.encoded.h.shape()[0]}, GO);
  std::vector<Tensor> logits, weights;
  for (Index t = 0; t < T; ++t) {
    const Step step = decoder.step(memory, previous, state);
    previous = argmax(step.logits);
    logits.push_back(step.logits);
    weights.push_back(step.weights);
  }
  return {stack(logits, 1), stack(weights, 2)};
}
// [/feed_previous]

}  // namespace lookback::inline LOOKBACK_NS
