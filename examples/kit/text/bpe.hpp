// Sub-words by byte-pair encoding: Sennrich, Haddow and Birch 2016, "Neural machine translation of rare words with
// subword units". Begin with characters, and again and again make one piece of the two that are seen side by side most.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace lookback {

// Words to pieces and back. A piece that ends in @@ is followed by more of its word: lower -> low@@ er.
class Bpe {
 public:
  // What is learned from the words of all texts, from those of both languages together for joint sub-words: at most
  // `merges` merges, and none of a pair that is seen only once. Of pairs seen equally often the first in byte order.
  Bpe(std::size_t merges, std::initializer_list<std::span<const std::vector<std::string>>> texts);

  // From merges() of another, as a checkpoint keeps them. Throws std::invalid_argument for what is no merge.
  explicit Bpe(std::vector<std::string> merges);

  // In the order they were learned, "lo@@ w@@" and "lo@@ wer".
  const std::vector<std::string>& merges() const { return merges_; }

  // The pieces of each sentence, and the words again: join(pieces) is the sentence, whatever its characters.
  std::vector<std::vector<std::string>> apply(std::span<const std::vector<std::string>> sentences) const;
  static std::vector<std::string> join(std::span<const std::string> pieces);

 private:
  std::vector<std::string> pieces(const std::string& word) const;

  std::vector<std::string> merges_;
  std::unordered_map<std::string, std::size_t> rank_;  // of each merge
};

}  // namespace lookback
