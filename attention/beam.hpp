// Beam search: the few likeliest beginnings are carried on together.
#pragma once

#include <vector>

#include "attention/decoder.hpp"

namespace lookback::inline LOOKBACK_NS {

struct BeamOptions {
  Index width = 5;
  Index limit = 50;  // words a sentence
  // alpha: a finished sentence is worth log P / ((5 + words) / 6)^alpha. Wu et al. 2016, eq. (14)
  Real length_penalty = 0;
};

struct Hypothesis {
  std::vector<std::int32_t> ids{};  // without EOS
  bool ended = false;               // EOS came before the limit
  double log_probability = 0;       // of its words, and of EOS
  double score = 0;                 // with the length penalty
  Tensor weights{};                 // [heads, T, S]: a row a word, and one for EOS; empty when T is 0
};

// The best hypothesis of each sentence first, up to `width` of them, those cut off by the limit last. A sentence is
// done when `width` of its hypotheses have ended and one of them is as likely as any that goes on. Width 1 is
// greedy decoding. A word whose logit is -inf is never said. A sentence without any source token has one
// hypothesis, with no words. Throws std::invalid_argument for a width < 1 or a length_penalty that is not
// finite, std::runtime_error for a step whose logits hold a NaN or +inf, or nothing but -inf; and whatever the
// decoder throws.
std::vector<std::vector<Hypothesis>> beam_search(const Decoder& decoder, const Memory& memory,
                                                 BeamOptions options = {});

}  // namespace lookback::inline LOOKBACK_NS
