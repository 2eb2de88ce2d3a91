// What a checkpoint says about its run, as text.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/kit/text/run_text.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;
using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("words come back from their text, empty ones too") {
  for (const Words& words :
       {Words{}, Words{""}, Words{"_PAD", "añ", "", "\xE2\x80\xA8", "a b\r"}, Words{"", ""}})
    CHECK(words_from_text(words_to_text(words)) == words);
  CHECK(words_to_text(Words{"a", "b"}) == "a\nb\n");
  CHECK_THROWS_AS(words_to_text(Words{"a\nb"}), std::invalid_argument);
}

TEST_CASE("a random stream goes on from its text") {
  Random stream = Random::named(7, "dropout");
  for (int i = 0; i < 5; ++i) stream.bits();
  Random again = random_from_text(random_to_text(stream));
  CHECK(again.bits() == stream.bits());
  CHECK(random_to_text(Random(UINT64_MAX, UINT64_MAX)) == "18446744073709551615 18446744073709551615");
  CHECK(random_from_text("18446744073709551615 3").seed() == UINT64_MAX);
  for (const char* bad : {"", "7", "7 ", " 7 1", "7 x", "-1 0", "7 1 2", "18446744073709551616 0", "7  1"}) {
    INFO(bad);
    CHECK_THROWS_WITH(random_from_text(bad),
                      "\"" + std::string(bad) + "\" is not seed and position of a random stream");
  }
}

TEST_CASE("case 18: another option, and other words in a vocabulary of equal size, are named") {
  const RunText there{{"score", "dot"}, {"words.source", words_to_text(Words{"_PAD", "perro", "casa"})}};
  require_same("m", there, {});
  require_same("m", there, there);
  require_same("m", there, {{"score", "dot"}});
  require_same("m", there, {{"score", "dot\n"}});
  CHECK_THROWS_WITH(require_same("m", there, {{"score", "additive"}}),
                    "m: score is \"dot\" there and \"additive\" here");
  CHECK_THROWS_WITH(require_same("m", there, {{"heads", "2"}}), "m: it does not say what heads is");
  const auto words = [](const Words& w) { return RunText{{"words.source", words_to_text(w)}}; };
  CHECK_THROWS_WITH(require_same("m", there, words({"_PAD", "gato", "casa"})),
                    "m: line 2 of words.source is \"perro\" there and \"gato\" here");
  CHECK_THROWS_WITH(require_same("m", there, words({"_PAD", "perro"})),
                    "m: line 3 of words.source is \"casa\" there and \"\" here");
  CHECK_THROWS_WITH(require_same("m", there, words({"_PAD", "perro", "casa", "x"})),
                    "m: line 4 of words.source is \"\" there and \"x\" here");
  CHECK(text_of("m", there, "score") == "dot");
}
