#include "attention/decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/op.hpp"
#include "nn/control_ids.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

Tensor rows_of(const Tensor& x, const Ids& rows) { return x.defined() ? index_select(x, rows, 0) : x; }

Mask rows_of(const Mask& mask, const Ids& rows) {
  if (mask.empty()) return mask;
  rows.check_range("select_rows", mask.shape[0]);
  const Index row = mask.shape.stride(0);
  std::vector<std::uint8_t> values;
  for (const std::int32_t r : rows.values)
    values.insert(values.end(), mask.values.begin() + r * row, mask.values.begin() + (r + 1) * row);
  return {mask.shape.with(0, rows.size()), std::move(values)};
}

void require_fitting(const Op& op, const Tensor& h, const Mask& mask) {
  op.require(h.rank() == 3, "the states need the shape [B, S, H]");
  const Index B = h.shape()[0], S = h.shape()[1];
  op.require(mask.empty() || mask.shape == Shape({B, S}), "the mask {} needs the shape [{}, {}]", mask.shape,
             B, S);
}

}  // namespace

Tensor last_states(const Tensor& h, const Mask& mask) {
  require_fitting(Op("last_states", h), h, mask);
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
  const Op op("has_source", encoded.h);
  require_fitting(op, encoded.h, encoded.mask);
  op.require(b >= 0 && b < encoded.h.shape()[0], "there is no sentence {}", b);
  const Index S = encoded.h.shape()[1];
  if (encoded.mask.empty()) return S > 0;
  const auto row = encoded.mask.values.begin() + b * S;
  return std::any_of(row, row + S, [](std::uint8_t keep) { return keep != 0; });
}

Encoded limit_memory(const Encoded& encoded, MemoryLimit limit) {
  if (limit == MemoryLimit::all) return encoded;
  const Index B = encoded.h.shape()[0], S = encoded.h.shape()[1], H = encoded.h.cols();
  const Tensor one = limit == MemoryLimit::first
                         ? sum(slice(encoded.h, 1, 0, std::min<Index>(S, 1)), 1, true)  // 0 when S is 0
                         : last_states(encoded.h, encoded.mask).reshape({B, 1, H});
  Mask mask({B, 1}, std::vector<std::uint8_t>(static_cast<std::size_t>(B)));
  for (Index b = 0; b < B; ++b) mask.values[static_cast<std::size_t>(b)] = has_source(encoded, b);
  return {one, encoded.last, mask, encoded.last_c};
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
  Memory picked{{rows_of(e.h, rows), rows_of(e.last, rows), rows_of(e.mask, rows), rows_of(e.last_c, rows)},
                {}};
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
  if (T < 1) throw std::invalid_argument(fmt::format("feed_previous: {} steps; at least one is needed", T));
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

void require_inputs(const char* decoder, const Memory& memory, const Ids& inputs) {
  const Index B = memory.encoded.h.shape()[0];
  if (inputs.shape.rank() != 2 || inputs.shape[0] != B || inputs.shape[1] < 1)
    throw std::invalid_argument(
        fmt::format("{}: the inputs {} need the shape [{}, T], T > 0", decoder, to_string(inputs.shape), B));
}

void require_previous(const char* decoder, const Memory& memory, const Ids& previous) {
  const Index B = memory.encoded.h.shape()[0];
  if (previous.shape != Shape{B})
    throw std::invalid_argument(
        fmt::format("{}: the previous words {} need the shape [{}]", decoder, to_string(previous.shape), B));
}

void require_keys(const char* decoder, const Memory& memory, std::size_t count) {
  if (memory.keys.size() != count)
    throw std::invalid_argument(
        fmt::format("{}: the memory holds {} sets of keys, not {}; it begins with read()", decoder,
                    memory.keys.size(), count));
}

void require_parts(const char* decoder, const State& state, std::size_t count) {
  if (state.parts.size() != count)
    throw std::invalid_argument(fmt::format("{}: the state has {} parts, not {}; it begins with start()",
                                            decoder, state.parts.size(), count));
}

void require_finite(const char* search, Index t, const Tensor& logits, Index row) {
  const Tensor words = logits.select(row);
  bool has_finite = false, has_other = false;  // -inf apart
  for (const Real v : words.values()) {
    has_finite |= std::isfinite(v);
    has_other |= std::isnan(v) || v == std::numeric_limits<Real>::infinity();
  }
  if (!has_finite || has_other)
    throw std::runtime_error(fmt::format("{}: step {}'s logits are not finite", search, t));
}

}  // namespace lookback::inline LOOKBACK_NS
