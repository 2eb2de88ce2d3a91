// Words to ids and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/control_ids.hpp"

namespace lookback {

struct VocabularyLimits {
  int min_count = 1;          // words seen less often are left out
  std::size_t max_words = 0;  // keep the most frequent, control words not counted; 0: all
};

class Vocabulary {
 public:
  // Most frequent word first; equally frequent ones in byte order, which in UTF-8 is that of code points.
  explicit Vocabulary(std::span<const std::vector<std::string>> sentences, VocabularyLimits limits = {});

  // From words() of another, so that a checkpoint gives every word the id it was trained with. Throws
  // std::invalid_argument unless it begins with the control words and has no word twice.
  static Vocabulary from_words(const std::vector<std::string>& words);

  // UNK for a word never seen. A control word spelled in a text is a word like any other: id("_EOS") != EOS.
  std::int32_t id(std::string_view word) const;
  std::vector<std::int32_t> ids(std::span<const std::string> tokens) const;
  std::vector<std::string> unseen(std::span<const std::string> tokens) const;  // those that ids() makes UNK

  // Throws std::out_of_range naming id and size.
  const std::string& word(std::int32_t id) const;
  std::vector<std::string> spelled(std::span<const std::int32_t> ids) const;  // word() of each
  // The words before the first EOS, without GO and PAD: what a decoder said.
  std::vector<std::string> tokens(std::span<const std::int32_t> ids) const;

  // By id: _PAD, _GO, _EOS, _UNK, then the words of the texts. V, their number, counts all of them.
  const std::vector<std::string>& words() const { return words_; }
  std::ptrdiff_t size() const { return std::ssize(words_); }

 private:
  Vocabulary() = default;
  bool add(const std::string& word);

  std::vector<std::string> words_{"_PAD", "_GO", "_EOS", "_UNK"};
  std::map<std::string, std::int32_t, std::less<>> ids_;  // without the control words
};

}  // namespace lookback
