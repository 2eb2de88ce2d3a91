// BLEU: how many word runs of a translation stand in its references.            Papineni et al. 2002
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"

namespace lookback {

struct Bleu {
  double score = 0;                    // in [0, 1]; 0 when some n has no match
  double brevity_penalty = 0;          // 1, or e^(1 - r/c) when the translations are the shorter
  std::array<double, 4> precisions{};  // of 1- to 4-grams, over the whole corpus
  std::array<std::ptrdiff_t, 4> matches{}, totals{};
  std::ptrdiff_t length = 0, reference_length = 0;  // c and r: of the closest reference, the shorter on a tie

  // What was compared, as "lower-cased tokens", and how: a score without it means little.
  std::string signature(std::string_view compared) const;
};

// Corpus BLEU of translations against one or more references each; tokens are compared as they are given, counts are
// clipped and summed over the corpus, nothing is smoothed. Throws std::invalid_argument when the counts differ or a
// translation has no reference.
using Words = std::vector<std::string>;
Bleu bleu(std::span<const Words> translations, std::span<const std::vector<Words>> references);
Bleu bleu(std::span<const Words> translations, std::span<const Words> references);  // one reference each

// Where the score lies on other test sets of the kind: between the 2.5 % lowest and the 2.5 % highest of `times` of
// them, each of as many sentences drawn from these with replacement.                    Koehn 2004
struct Interval {
  double low = 0, high = 0;
};
Interval bootstrap(std::span<const Words> translations, std::span<const Words> references, Random random,
                   int times = 1000);
// Of how much the score of `a` is above that of `b`, both on the same sentences.
Interval bootstrap(std::span<const Words> a, std::span<const Words> b, std::span<const Words> references,
                   Random random, int times = 1000);

}  // namespace lookback
