#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/kit/text/vocabulary.hpp"
#include "tests/catch.hpp"

using namespace lookback;

using Strings = std::vector<std::string>;
using Numbers = std::vector<std::int32_t>;

namespace {

const std::vector<Strings> sentences = {{"la", "casa", "ñu", "azul", "."}, {"la", "z", "casa", "la", "."}};

}  // namespace

TEST_CASE("Vocabulary: control words, then by frequency, ties in byte order") {
  const Vocabulary vocabulary(sentences);
  CHECK(vocabulary.words() == Strings{"_PAD", "_GO", "_EOS", "_UNK", "la", ".", "casa", "azul", "z", "ñu"});
  CHECK(vocabulary.size() == 10);
  CHECK(vocabulary.id("la") == 4);
  CHECK(vocabulary.word(9) == "ñu");
  CHECK(Vocabulary(std::vector<Strings>{}).size() == 4);
}

TEST_CASE("Vocabulary: limits") {
  CHECK(Vocabulary(sentences, {.min_count = 2}).size() == 4 + 3);
  CHECK(Vocabulary(sentences, {.max_words = 2}).words() == Strings{"_PAD", "_GO", "_EOS", "_UNK", "la", "."});
  CHECK(Vocabulary(sentences, {.max_words = 100}).size() == 10);
}

TEST_CASE("Vocabulary: unseen words become UNK and are named") {
  const Vocabulary vocabulary(sentences);
  const Strings text = {"la", "mesa", "azul", "mesa"};
  CHECK(vocabulary.ids(text) == Numbers{4, UNK, 7, UNK});
  CHECK(vocabulary.unseen(text) == Strings{"mesa", "mesa"});
  CHECK(vocabulary.id("") == UNK);
}

TEST_CASE("Vocabulary: control words spelled in a text are not the control ids") {
  const Strings spelled = {"_PAD", "_GO", "_EOS", "_UNK"};
  CHECK(Vocabulary(sentences).ids(spelled) == Numbers{UNK, UNK, UNK, UNK});
  const Vocabulary seen(std::vector<Strings>{spelled});
  CHECK(seen.size() == 8);
  for (const std::string& word : spelled) {
    CHECK(seen.id(word) > UNK);
    CHECK(seen.word(seen.id(word)) == word);
  }
}

TEST_CASE("Vocabulary: ids out of range are refused with id and size") {
  const Vocabulary vocabulary(sentences);
  CHECK(vocabulary.word(PAD) == "_PAD");
  CHECK_THROWS_WITH(vocabulary.word(-1), "word: id -1 is not in 0 .. 9");
  CHECK_THROWS_WITH(vocabulary.word(10), "word: id 10 is not in 0 .. 9");
  CHECK_THROWS_WITH(vocabulary.word(std::numeric_limits<std::int32_t>::max()),
                    "word: id 2147483647 is not in 0 .. 9");
  CHECK_THROWS_AS(vocabulary.tokens(Numbers{4, 10}), std::out_of_range);
}

TEST_CASE("Vocabulary: ids back to words end at EOS") {
  const Vocabulary vocabulary(sentences);
  CHECK(vocabulary.tokens(Numbers{GO, 4, UNK, 6, EOS, 4, PAD}) == Strings{"la", "_UNK", "casa"});
  CHECK(vocabulary.tokens(Numbers{4, PAD, PAD}) == Strings{"la"});
  CHECK(vocabulary.tokens(Numbers{}).empty());
}

TEST_CASE("Vocabulary: saved words give the same ids") {
  const Vocabulary vocabulary(sentences);
  const Vocabulary again = Vocabulary::from_words(vocabulary.words());
  CHECK(again.words() == vocabulary.words());
  CHECK(again.id("ñu") == vocabulary.id("ñu"));
  CHECK(again.id("_EOS") == UNK);
  CHECK_THROWS_WITH(Vocabulary::from_words({"la", "casa"}), "a vocabulary begins with _PAD, _GO, _EOS, _UNK");
  CHECK_THROWS_WITH(Vocabulary::from_words({"_PAD", "_GO", "_EOS", "_UNK", "la", "la"}),
                    "word \"la\" is twice in the vocabulary");
}

TEST_CASE("Vocabulary: spelled names every id, control words too") {
  const Vocabulary vocabulary(sentences);
  CHECK(vocabulary.spelled(Numbers{GO, 4, 9, EOS, PAD, UNK}) ==
        Strings{"_GO", "la", "ñu", "_EOS", "_PAD", "_UNK"});
  CHECK_THROWS_AS(vocabulary.spelled(Numbers{10}), std::out_of_range);
}
