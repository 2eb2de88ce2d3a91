// Note I's experiment, a Transformer whose decoder sees one state of the source: what can be known before it is run.
#pragma once

#include <array>

#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// The largest |dL/dW_q|, |dL/dW_k| and |dL/dW_v| of an untrained cross-attention of 8 heads that looks at `slots`
// states. Of one slot every weight is 1, whatever its score, so the first two are 0.
std::array<Real, 3> cross_attention_gradients(Index slots, std::uint64_t seed);

// How much the first state of an untrained one-layer Transformer encoder moves with each of its S words: the norms
// of the gradient of sum(h_1) in the S embedded words.
std::vector<Real> words_in_first_state(Index S, std::uint64_t seed);

// The share of target words, EOS left out, that have their largest weight at the source of the word written, and at
// that of the word read; of pairs whose word t comes from source word t, such as copies.
std::array<double, 2> largest_weights(const Translator& model, const Batch& batch);

// All of it, with the note's BLEU, for the copies of S letters that `model` was trained on.
void print_note_experiment(const Translator& model, Index S, std::uint64_t seed);

}  // namespace lookback::inline LOOKBACK_NS
