// A corpus made by rules, so that every link between its words is known.                       docs/grammar.md
#pragma once

#include <cstdint>

#include "examples/kit/text/corpus.hpp"

namespace lookback {

struct GrammarOptions {
  std::uint64_t seed = 1;
  int train = 8000, validation = 500, test = 500;
};

// English sentences and their Spanish translations of 3 to 25 tokens, as `tokenize` would give them, with all
// links. No English sentence comes twice, in one part or in two, and every word of the last two parts is in the first. The same options give the same bytes
// everywhere. Throws std::runtime_error when the grammar has not so many sentences.
CorpusParts make_grammar(const GrammarOptions& options = {});

// What is left of an English sentence when every word that the lexicon inflects is replaced by its class: "the
// noun verb.past a adjective noun ." Two sentences that say the same of other things have one pattern.
std::string grammar_pattern(const Tokens& source);

}  // namespace lookback
