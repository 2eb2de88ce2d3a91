// Copy and reverse: sentences of random letters, to be written again as they are, or from their end. Nothing
// but the source helps to guess a letter, so what a model writes tells how much of the source came through.
#pragma once

#include "attention/greedy.hpp"
#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

enum class CopyTask { copy, reverse };
inline constexpr Index longest_copy = 40;  // sentences have 1 to 40 letters

Vocabulary copy_vocabulary();             // the letters a to z: ids 4 to 29, V = 30
Tokens letters(const std::string& text);  // one token each: "tea" -> t, e, a

// B sentences of one length, each letter as likely as any other. Throws std::invalid_argument for a length
// outside 1 .. longest_copy.
Batch copy_batch(CopyTask task, Index length, Index B, Random& random);

// Batches to learn from: the length of each is drawn from 1 .. longest.
std::vector<Batch> copy_batches(CopyTask task, Index longest, Index batches, Index B, Random random);

// At each of the T places of a copy_batch, EOS the last: the share of its sentences that have the right token
// there in what was written. The mean over the places is the share of all target tokens.
std::vector<double> right_by_place(std::span<const Written> written, const Batch& batch);

struct CopyScore {
  std::vector<double> share;     // of target tokens right, for the lengths 1, 2, .. longest
  std::vector<double> by_place;  // right_by_place of the longest
};
// Greedy, the model's own words fed back, on B new sentences of each length.
CopyScore measure_copy(const Translator& model, CopyTask task, Index longest, Index B, Random random);

}  // namespace lookback::inline LOOKBACK_NS
