// Losses over words.
#pragma once

#include <cstdint>
#include <optional>

#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {

enum class Reduction { mean, sum, none };

struct CrossEntropyOptions {
  std::optional<std::int32_t> ignore = {};  // targets of this id count for nothing: PAD
  Reduction reduction = Reduction::mean;    // mean over the targets that count; 0 when none does
  Real label_smoothing = 0;                 // epsilon in [0, 1): Szegedy et al. 2016, section 7
};

// Cross-entropy of logits [.., V] against target ids [..]:
//   loss_i = -(1 - epsilon) log p_i[target_i] - epsilon / V sum_v log p_i[v],      p = softmax(logits)
// One pass forward and one back. Throws std::out_of_range for a target outside 0 .. V-1 that is not `ignore`.
Tensor cross_entropy(const Tensor& logits, const Ids& targets, CrossEntropyOptions options = {});
// Its slow twin.
Tensor cross_entropy_composed(const Tensor& logits, const Ids& targets, CrossEntropyOptions options = {});

}  // namespace lookback::inline LOOKBACK_NS
