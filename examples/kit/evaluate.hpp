// How good a translator is, on the pairs it learned and on pairs it has never seen.
#pragma once

#include <array>

#include "examples/kit/text/bleu.hpp"
#include "examples/kit/translation_model.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Evaluation {
  std::vector<Translation> written;  // one a pair, in their order
  Index exact = 0, ended = 0;        // the reference word for word; stopped at EOS
  Bleu bleu = {};                    // of the words as tokens
  // Teacher-forced, over the target tokens the model has a word for (its UNK was perhaps never trained):
  double loss = 0;      // mean a token
  double accuracy = 0;  // share of tokens that are the likeliest
};
// Throws std::invalid_argument when there are no pairs.
Evaluation evaluate(const TranslationModel& model, std::span<const SentencePair> pairs,
                    Unknown unknown = Unknown::unk, Search search = {});

// The share of the source and of the target words that the model has UNK for, or no more than pieces of.
std::array<double, 2> unknown_words(const TranslationModel& model, std::span<const SentencePair> pairs);

// Some pairs to learn from, the others only to be asked about.
struct Split {
  std::vector<SentencePair> trained, held_out;  // each in the order of the corpus
};
// Which `count` pairs are held out is decided by the seed. Throws std::invalid_argument unless 0 <= count <= pairs.
Split hold_out(std::span<const SentencePair> pairs, Index count, std::uint64_t seed);

}  // namespace lookback::inline LOOKBACK_NS
