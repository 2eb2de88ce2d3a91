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

// TensorFlow's sequence_loss, quoted in Note II: the weighted mean over time of each sentence, then over
// sentences. Not the mean over tokens: a word of a short sentence counts for more.
//   loss_b = sum_t w_{b,t} loss_{b,t} / (sum_t w_{b,t} + 1e-12)      logits [B, T, V], targets and weights [B, T]
struct SequenceLoss {
  Tensor mean;          // []
  Tensor per_sentence;  // [B]
};
SequenceLoss sequence_loss(const Tensor& logits, const Ids& targets, const Tensor& weights);

}  // namespace lookback::inline LOOKBACK_NS
