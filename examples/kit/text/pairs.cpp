#include "examples/kit/text/pairs.hpp"

namespace lookback {

std::vector<Tokens> sources(std::span<const SentencePair> pairs) {
  std::vector<Tokens> sentences;
  for (const SentencePair& pair : pairs) sentences.push_back(pair.source);
  return sentences;
}

std::vector<Tokens> targets(std::span<const SentencePair> pairs) {
  std::vector<Tokens> sentences;
  for (const SentencePair& pair : pairs) sentences.push_back(pair.target);
  return sentences;
}

}  // namespace lookback
