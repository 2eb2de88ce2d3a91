// How hard a corpus with known links is, in numbers.
#pragma once

#include <map>
#include <span>

#include "examples/kit/text/corpus.hpp"

namespace lookback {

// Two English words cross when a Spanish word of the first stands behind one of the second. Punctuation is left
// out of crossings: the ¿ that opens a question would cross all of it.
struct Difficulty {
  int pairs = 0, source_forms = 0, target_forms = 0;  // sentences; words that differ
  int source_tokens = 0, target_tokens = 0, links = 0;
  double crossing = 0;  // share of sentences with a word that crosses two others or more
  double strict_crossing =
      0;                   // the same when all of a word's Spanish words have to be behind all of the other's
  double one_to_many = 0;  // share of links of a source word that has several
  double many_to_one = 0;  // share of links of a target word that has several
  double linked = 0;       // share of target words with a link
  double diagonal_error = 0;   // share of target words t not linked to source word round(t (S - 1) / (T - 1))
  std::map<int, int> lengths;  // sentences by their source tokens
};
Difficulty difficulty(std::span<const SentencePair> pairs);

// The share of the tokens that are in none of the others.
double unseen(std::span<const Tokens> sentences, std::span<const Tokens> others);

}  // namespace lookback
