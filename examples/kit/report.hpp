// What chapters print and draw of a translator at work.
#pragma once

#include "examples/kit/evaluate.hpp"
#include "examples/kit/figures/loop.hpp"

namespace lookback::inline LOOKBACK_NS {

// A line a pair: "= i am hungry. -> tengo hambre.", with "!" unless it is the reference word for word.
void print_pairs(std::span<const SentencePair> pairs, std::span<const Translation> written);

// Translates one sentence, names its unseen words, shows its alignment on stderr and draws it to `path`.
void print_translation(const Translator& model, const Tokens& tokens, const std::string& path);

// The words of one sentence read both ways: the right previous words (teacher forcing), and its own fed back.
Loop read_both_ways(const Translator& model, const SentencePair& pair);
void print_both_ways(const Loop& early, const std::string& when, const Loop& late);

// How training goes for both parts of a split, a row a look, of which there is one at least; what became of the
// held-out pairs in the end; and the losses as a line plot to `path`.
struct Look {
  int epoch;
  Evaluation trained, held_out;
};
void print_held_out(const Translator& model, const Split& split, std::span<const Look> looks,
                    const std::string& path);

}  // namespace lookback::inline LOOKBACK_NS
