// A readout by itself, trained by sampled softmax: what chapter 09 measures.
#pragma once

#include "nn/linear.hpp"
#include "nn/sampled_softmax.hpp"

namespace lookback::inline LOOKBACK_NS {

// [rules]
struct SampledRule {
  const char* name;
  bool own, others;  // is ln Q taken off the logit of the right word, and off those of the samples?
  bool hits;         // is a sample that is the right word left in?
};
inline constexpr SampledRule sampled_rules[] = {{"ln Q off both", true, true, false},  // TensorFlow's
                                                {"off samples", false, true, false},
                                                {"no ln Q", false, false, false},
                                                {"hits left in", true, true, true}};
// [/rules]

struct ReadoutTask {  // untrained weights, random x, and what is to be said
  Linear readout;     // x [N, H] -> [N, V], words sorted by falling frequency
  Tensor x;
  Ids labels;  // [N]
};
ReadoutTask readout_task(Index N, Index H, Index V, const Params& params);

// The mean loss over the labels, with n words drawn. Throws like sample_log_uniform and sampled_softmax.
Tensor sampled(const SampledRule& rule, const ReadoutTask& task, Index n, Random& random);

double log_uniform(Index k, Index V);                     // P(k), with which the sampler draws word k of V
Ids log_uniform_words(Index N, Index V, Random& random);  // as a text of N words in which they come by P

// What a readout that sees nothing makes of such a text: ln p [V] by full softmax, after so many steps of Adam on
// 256 words each.
Tensor learn_frequencies(const SampledRule& rule, Index n, Index V, int steps, std::uint64_t seed);

struct StepCost {
  double multiply_adds;                 // of the products, forward and backward
  double loss_ms = 1e9, adam_ms = 1e9;  // measured, the least of five: loss and gradients, and the optimizer
};
// One training step of a readout_task, by the full softmax for n = 0.
StepCost step_cost(Index N, Index H, Index V, Index n, std::uint64_t seed);

}  // namespace lookback::inline LOOKBACK_NS
