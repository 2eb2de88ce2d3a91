// Pieces of a sentence in both languages at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "examples/kit/grammar/lexicon.hpp"
#include "examples/kit/text/corpus.hpp"

namespace lookback::grammar {

// An English word has a number of its own, wherever it will stand; a Spanish word has those of the English words
// that it says. So rules put words together in any order, and the links follow by themselves.
struct Word {
  std::string text;
  std::vector<int> ids;
};
using Line = std::vector<Word>;

struct Phrase {
  Line en, es;
};

Line operator+(Line a, const Line& b);
Phrase operator+(const Phrase& a, const Phrase& b);  // the same order in both languages
std::vector<int> ids(const Line& line);              // of all its words
std::vector<int> together(std::vector<int> a, const std::vector<int>& b);

// Hands out the numbers of one sentence.
class Words {
 public:
  Line en(std::string_view text);  // a word or more
  Phrase fixed(const Fixed& entry);

 private:
  int next_ = 0;
};
Line es(std::string_view text, const std::vector<int>& from);  // every word from the same

// The sentence: de el -> del, a el -> al and y i- -> e i- in Spanish, a -> an before a vowel in English, and each
// link once, in the order of the target.
SentencePair finish(const Phrase& sentence);

}  // namespace lookback::grammar
