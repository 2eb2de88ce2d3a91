// Multi30k as the experiment of Note I counts it, and as sub-words. Its texts are not part of this project:
// examples/data/get_multi30k.sh fetches them.
#include <cstddef>
#include <filesystem>
#include <vector>

#include "examples/kit/text/bpe.hpp"
#include "examples/kit/text/corpus.hpp"
#include "examples/kit/text/vocabulary.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

std::size_t tokens(const std::vector<Tokens>& sentences) {
  std::size_t count = 0;
  for (const Tokens& sentence : sentences) count += sentence.size();
  return count;
}

std::size_t unseen(const Vocabulary& vocabulary, const std::vector<Tokens>& sentences) {
  std::size_t count = 0;
  for (const Tokens& sentence : sentences) count += vocabulary.unseen(sentence).size();
  return count;
}

}  // namespace

TEST_CASE("Multi30k: sentences, words and vocabularies are those of the experiment") {
  if (!std::filesystem::is_directory(data_folder() + "/multi30k")) {
    WARN("skipped: " << data_folder() << "/multi30k is not there (examples/data/get_multi30k.sh)");
    return;
  }
  const CorpusParts parts = read_parts("multi30k", {.split = true});
  CHECK(parts.train.size() == 29'000);
  CHECK(parts.validation.size() == 1'014);
  CHECK(parts.test.size() == 1'000);
  const std::vector<Tokens> de = sources(parts.train), en = targets(parts.train);
  CHECK(tokens(de) == 365'761);
  CHECK(tokens(en) == 380'728);
  CHECK(tokens(sources(parts.validation)) == 13'111);
  CHECK(tokens(targets(parts.validation)) == 13'454);
  CHECK(tokens(sources(parts.test)) == 12'249);
  CHECK(tokens(targets(parts.test)) == 13'080);
  const Vocabulary source(de, {.min_count = 2}), target(en, {.min_count = 2});
  CHECK(source.size() == 7'882);
  CHECK(target.size() == 5'898);
  CHECK(unseen(source, sources(parts.test)) == 435);  // 3.6%
  CHECK(unseen(target, targets(parts.test)) == 219);  // 1.7%

  const Bpe bpe(6'000, {de, en});
  CHECK(bpe.merges().size() == 6'000);
  std::vector<Tokens> pieces;
  std::size_t wrong = 0;
  for (const std::vector<Tokens>* side : {&de, &en})
    for (std::size_t i = 0; const Tokens& sentence : bpe.apply(*side)) {
      wrong += Bpe::join(sentence) != (*side)[i++];
      pieces.push_back(sentence);
    }
  CHECK(wrong == 0);
  CHECK(tokens(pieces) == 843'732);
  CHECK(Vocabulary(pieces).size() == 5'983);
}
