// Weights against known links: how often the largest weight of a target word is at none of its source words.
#pragma once

#include "attention/alignment.hpp"
#include "examples/kit/text/corpus.hpp"

namespace lookback::inline LOOKBACK_NS {

using Heatmaps = std::vector<Heatmap>;

// The weights of each pair under its tokens, with its known links, behind _GO if the model reads that: of one
// head, or the mean. The pairs are those of the alignment, in its order. Throws what heatmap() does.
Heatmaps linked_heatmaps(const Alignment& alignment, std::span<const SentencePair> pairs,
                         std::optional<Index> head = {});

// What rows of weights have at source words. Rows without a link, as that of EOS, are not counted.
struct AtLinks {
  int words = 0, links = 0;  // rows, and the links that they are compared with
  double right = 0;   // rows whose largest weight is at a linked source word; of k equal ones each is 1/k
  double weight = 0;  // the sum over the rows of what is on their linked source words

  double error() const { return 1 - right / words; }
  // Och & Ney 2003: 1 - (|A and S| + |A and P|) / (|A| + |S|), A one link a word, each known link sure: P = S
  double aer() const { return 1 - 2 * right / (words + links); }
};

// Row t, with which target word t is written, against the links of word t + offset: 0 is the output word, -1
// the word that the decoder reads in that step.
AtLinks at_links(const Heatmaps& maps, int offset = 0);

// The mean over the rows of sum_i alpha_{t,i} |i - (t + offset)|: how far a look is from the diagonal, for
// words whose links are not known.
double off_diagonal(const Heatmaps& maps, int offset = 0);

// The pairs with the weights of a rule in the place of a model's, to compare with.
using WeightRule = double (*)(const Heatmap& map, int t, int i);
Heatmaps by_rule(std::span<const SentencePair> pairs, WeightRule rule);

double even(const Heatmap& map, int t, int i);      // 1 / S
double diagonal(const Heatmap& map, int t, int i);  // 1 where i = round(t (S - 1) / (T - 1)); EOS is row T
double known(const Heatmap& map, int t, int i);     // even over the links of row t: the best that one can do

}  // namespace lookback::inline LOOKBACK_NS
