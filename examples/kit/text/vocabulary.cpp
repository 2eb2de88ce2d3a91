#include "examples/kit/text/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lookback {

Vocabulary::Vocabulary(std::span<const std::vector<std::string>> sentences, VocabularyLimits limits) {
  std::map<std::string, int> counts;
  for (const std::vector<std::string>& sentence : sentences)
    for (const std::string& word : sentence) ++counts[word];

  std::vector<std::pair<int, std::string>> ranked;  // minus the count, so that pairs sort as wanted
  for (const auto& [word, count] : counts)
    if (count >= limits.min_count) ranked.emplace_back(-count, word);
  std::sort(ranked.begin(), ranked.end());
  if (limits.max_words != 0) ranked.resize(std::min(ranked.size(), limits.max_words));
  for (const auto& [count, word] : ranked) add(word);
}

Vocabulary Vocabulary::from_words(const std::vector<std::string>& words) {
  Vocabulary vocabulary;
  const std::vector<std::string>& control = vocabulary.words_;
  if (words.size() < control.size() || !std::equal(control.begin(), control.end(), words.begin()))
    throw std::invalid_argument("a vocabulary begins with _PAD, _GO, _EOS, _UNK");
  for (std::size_t i = UNK + 1; i < words.size(); ++i)
    if (!vocabulary.add(words[i]))
      throw std::invalid_argument(fmt::format("word \"{}\" is twice in the vocabulary", words[i]));
  return vocabulary;
}

bool Vocabulary::add(const std::string& word) {
  if (!ids_.emplace(word, static_cast<std::int32_t>(words_.size())).second) return false;
  words_.push_back(word);
  return true;
}

std::int32_t Vocabulary::id(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? UNK : found->second;
}

std::vector<std::int32_t> Vocabulary::ids(std::span<const std::string> tokens) const {
  std::vector<std::int32_t> ids;
  for (const std::string& token : tokens) ids.push_back(id(token));
  return ids;
}

std::vector<std::string> Vocabulary::unseen(std::span<const std::string> tokens) const {
  std::vector<std::string> words;
  for (const std::string& token : tokens)
    if (id(token) == UNK) words.push_back(token);
  return words;
}

const std::string& Vocabulary::word(std::int32_t id) const {
  if (id < 0 || id >= size())
    throw std::out_of_range(fmt::format("word: id {} is not in 0 .. {}", id, size() - 1));
  return words_[static_cast<std::size_t>(id)];
}

std::vector<std::string> Vocabulary::spelled(std::span<const std::int32_t> ids) const {
  std::vector<std::string> words;
  for (const std::int32_t id : ids) words.push_back(word(id));
  return words;
}

std::vector<std::string> Vocabulary::tokens(std::span<const std::int32_t> ids) const {
  std::vector<std::string> tokens;
  for (const std::int32_t id : ids) {
    if (id == EOS) break;
    if (id != PAD && id != GO) tokens.push_back(word(id));
  }
  return tokens;
}

}  // namespace lookback
