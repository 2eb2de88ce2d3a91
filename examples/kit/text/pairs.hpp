// Sentence pairs, wherever they come from.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace lookback {

using Tokens = std::vector<std::string>;

// Target word `target` says source word `source`; both count from 0.
struct Link {
  int source, target;
  bool operator==(const Link&) const = default;
};

struct SentencePair {
  Tokens source, target;         // neither is empty
  int line;                      // in its file or files, the first is 1
  std::vector<Link> links = {};  // in the order of the target; empty: not known
};

// One side of the pairs: to build a vocabulary from, to compare translations with.
std::vector<Tokens> sources(std::span<const SentencePair> pairs);
std::vector<Tokens> targets(std::span<const SentencePair> pairs);

}  // namespace lookback
