#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "examples/kit/text/bpe.hpp"
#include "examples/kit/text/run_text.hpp"
#include "tests/catch.hpp"

using namespace lookback;
using Strings = std::vector<std::string>;
using Sentences = std::vector<Strings>;

namespace {

Strings times(int n, const std::string& word) { return Strings(static_cast<std::size_t>(n), word); }

// The example of the paper: low 5 times, lower 2, newest 6, widest 3.
const Sentences paper = {times(5, "low"), times(2, "lower"), times(6, "newest"), times(3, "widest")};

Strings pieces(const Bpe& bpe, const Strings& words) { return bpe.apply({&words, 1}).front(); }

// Every pair counted anew before every merge: what Bpe has to find without doing so.
Strings learned_slowly(const Sentences& texts, std::size_t most) {
  Sentences words;
  for (const Strings& sentence : texts)
    for (const std::string& word : sentence) words.push_back(pieces(Bpe(Strings{}), {word}));
  Strings merges;
  while (merges.size() < most) {
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const Strings& word : words)
      for (std::size_t i = 0; i + 1 < word.size(); ++i)
        if (word[i][0] != '@' && word[i + 1][0] != '@') ++counts[{word[i], word[i + 1]}];
    const auto best = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == counts.end() || best->second < 2) break;
    const auto [left, right] = best->first;
    merges.push_back(left + " " + right);
    for (Strings& word : words)
      for (std::size_t i = 0; i + 1 < word.size(); ++i)
        if (word[i] == left && word[i + 1] == right) {
          word[i] = left.substr(0, left.size() - 2) + right;
          word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
  }
  return merges;
}

// Words of few characters, so that they repeat, some of them odd.
Sentences random_texts(std::uint64_t seed, std::size_t sentences) {
  const Strings characters = {"a", "b",      "c",    "@", "@@", "ñ",    "e\u0301", "猫",
                              "😀", "\u00A0", "</w>", "_", "'",  "\xBF", "\xC3"};
  Random random(seed);
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(random.below(static_cast<Index>(n)));
  };
  Sentences texts(sentences);
  for (Strings& sentence : texts) {
    sentence.resize(below(8));
    for (std::string& word : sentence) {
      const std::size_t some = below(4) == 0 ? characters.size() : 4;
      for (std::size_t size = 1 + below(7); size > 0; --size) word += characters[below(some)];
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("Sub-words: the paper's words, merge by merge") {
  const Bpe bpe(10, {paper});
  CHECK(bpe.merges() == Strings{"e@@ s@@", "es@@ t", "l@@ o@@", "e@@ w@@", "ew@@ est", "n@@ ewest", "lo@@ w",
                                "d@@ est", "i@@ dest", "w@@ idest"});
  CHECK(pieces(bpe, {"low", "lowest", "newer", "west"}) ==
        Strings{"low", "lo@@", "w@@", "est", "n@@", "ew@@", "e@@", "r", "w@@", "est"});
  CHECK(Bpe(4, {paper}).merges() == Strings(bpe.merges().begin(), bpe.merges().begin() + 4));
}

TEST_CASE("Sub-words: texts of two languages count together") {
  const Sentences german = {{"los", "los"}}, english = {{"lot", "lot", "tea", "tea", "tea"}};
  CHECK(Bpe(1, {german, english}).merges() == Strings{"l@@ o@@"});  // 2 and 2 times
  CHECK(Bpe(1, {english}).merges() == Strings{"e@@ a"});
}

TEST_CASE("Sub-words: of equally frequent pairs the first in byte order, and none that is seen once") {
  const Bpe bpe(100, {Sentences{{"zy", "zy", "ab", "ab", "éa", "éa", "once"}}});
  CHECK(bpe.merges() == Strings{"a@@ b", "z@@ y", "é@@ a"});
  CHECK(Bpe(100, {Sentences{{"aaaa", "aaaa"}}}).merges() == Strings{"a@@ a@@", "a@@ a", "aa@@ aa"});
  CHECK(Bpe(100, {Sentences{}}).merges().empty());
  CHECK(Bpe(100, {}).merges().empty());
}

TEST_CASE("Sub-words: no merges leave characters, no words leave nothing") {
  const Bpe none(0, {paper});
  CHECK(none.merges().empty());
  CHECK(pieces(none, {"señor", "@", "a"}) == Strings{"s@@", "e@@", "ñ@@", "o@@", "r", "@", "a"});
  CHECK(none.apply(Sentences{}).empty());
  CHECK(none.apply(Sentences{{}, {"a"}, {}}) == Sentences{{}, {"a"}, {}});
  CHECK(Bpe::join(Strings{}).empty());
}

TEST_CASE("Sub-words: counts kept from merge to merge are those of counting anew") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Sentences texts = random_texts(seed, 30);
    CHECK(Bpe(40, {texts}).merges() == learned_slowly(texts, 40));
  }
}

TEST_CASE("Sub-words: joining gives back every sentence, known or not") {
  const Bpe bpe(100, {random_texts(1, 200)});
  CHECK(bpe.merges().size() == 100);
  for (const Bpe& each : {bpe, Bpe(0, {}), Bpe(10, {paper})})
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      for (const Strings& sentence : random_texts(seed, 50))
        CHECK(Bpe::join(pieces(each, sentence)) == sentence);
  const Strings odd = {"@@",  "a@@", "@@a",      "@@@@@",    "",      "</w>",
                       "a b", "\n",  "\x80\x80", "\xF0\x9F", "@\x80", " @@ "};
  CHECK(Bpe::join(pieces(bpe, odd)) == odd);
  CHECK(Bpe::join(Strings{"lo@@", "w@@"}) == Strings{"low"});  // where a decoder stopped too early
}

TEST_CASE("Sub-words: merges go into a checkpoint's text and come back") {
  const Bpe bpe(100, {random_texts(3, 100)});
  const Bpe again(words_from_text(words_to_text(bpe.merges())));
  CHECK(again.merges() == bpe.merges());
  CHECK(again.apply(paper) == bpe.apply(paper));
  for (const std::string bad :
       {"", "a", "a@@", "a b", "a@@ ", "@@ b", " b", "a@@ b c", "@@@ @", "a@@ @", "l@@ o"})
    CHECK_THROWS_WITH(Bpe(Strings{"l@@ o", bad}), "merge 2: \"" + bad + "\" is not one, or not new");
}
