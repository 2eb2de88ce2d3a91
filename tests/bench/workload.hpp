// The reference workloads of peer/workloads.md: sizes, data and weights, the same for every contender.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "examples/kit/batch.hpp"
#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Workload {
  std::string_view name;
  Index B, S, T;
  Index source_words, target_words;
  Index width;             // of embeddings and states
  std::string_view score;  // of the GRU models
};

std::span<const Workload> workloads();
const Workload& workload(std::string_view name);  // throws std::invalid_argument

// Batch k, drawn from stream 7000 + k. S and T are the workload's, whatever the longest sentence is.
Batch draw_batch(const Workload& w, int k);

// value_i = (2 u_i - 1) bound from the stream `seed`, u_i in [0, 1) with 24 bits.
Tensor draw_tensor(std::uint64_t seed, const Shape& shape, Real bound);

// Parameter j of `order`, full names, gets stream 100 + j; those of a layer norm stay as they are.
void draw_weights(const Params& params, std::span<const std::string> order);

}  // namespace lookback::inline LOOKBACK_NS
