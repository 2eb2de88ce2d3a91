// The sum under a sampled softmax beside the sum under the full one, word by word.
#pragma once

#include <span>
#include <string>

#include "attention/draw/image.hpp"

namespace lookback {

struct SampledWord {  // of a vocabulary, in the order of ids
  std::string word;
  double P, Q, o;     // how likely a draw finds it; how likely all draws together; its logit
  bool right, drawn;  // the word to be said: exactly one; among the samples
};

// The words that count as a table, the loss under it. Throws std::invalid_argument unless one word is right.
std::string list_sampled(std::span<const SampledWord> words);

// Two columns of bars: exp(o) of all words, and what stands for it, Q_y exp(o - ln Q), where y is the right word.
// Throws as above.
Image draw_sampled(std::span<const SampledWord> words);

}  // namespace lookback
