// The lists of words that a checkpoint keeps, and sub-words learned from any words.
#include <fmt/format.h>

#include <vector>

#include "examples/kit/text/bpe.hpp"
#include "examples/kit/text/run_text.hpp"
#include "examples/kit/text/vocabulary.hpp"
#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {
namespace {

using Strings = std::vector<std::string>;

void expect_joined(const Bpe& bpe, const Strings& sentence) {
  expect(Bpe::join(bpe.apply({&sentence, 1}).front()) == sentence, "pieces join to their words");
}

}  // namespace

std::string read_words(std::string_view bytes) {
  const auto [list, text] = split(bytes, "=====\n");
  const Strings lines = words_from_text(std::string(list)), sentence = words_from_text(std::string(text));
  expect(words_from_text(words_to_text(lines)) == lines, "a list comes back");
  const Bpe learned(50, {{&sentence, 1}});
  expect_joined(learned, sentence);
  expect(Bpe(learned.merges()).merges() == learned.merges(), "what was learned is taken again");
  if (list.starts_with("_PAD")) {
    const Vocabulary words = Vocabulary::from_words(lines);
    for (std::int32_t id = UNK + 1; id < words.size(); ++id)
      expect(words.id(words.word(id)) == id, "every word has its id");
    return fmt::format("{} words", words.size());
  }
  const Bpe bpe(lines);
  expect_joined(bpe, sentence);
  return fmt::format("{} merges", bpe.merges().size());
}

}  // namespace lookback::fuzz
