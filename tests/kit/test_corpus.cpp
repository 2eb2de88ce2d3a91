#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "examples/kit/text/corpus.hpp"
#include "examples/kit/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string repeated(std::string_view line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

}  // namespace

TEST_CASE("The toy corpus is 20 pairs, all different, of 4 to 10 tokens") {
  const Corpus toy = read_corpus(find_corpus("toy"));
  REQUIRE(toy.pairs.size() == 20);
  CHECK(toy.skipped.empty());
  CHECK(toy.pairs[0].source == Tokens{"i", "like", "my", "red", "car", "."});
  CHECK(toy.pairs[0].target == Tokens{"me", "gusta", "mi", "coche", "rojo", "."});
  CHECK(toy.pairs[19].line == 20);
  for (const std::vector<Tokens>& side : {sources(toy.pairs), targets(toy.pairs)}) {
    CHECK(std::set<Tokens>(side.begin(), side.end()).size() == 20);
    std::set<std::string> words;
    for (const Tokens& sentence : side) {
      CHECK(sentence.size() >= 4);
      CHECK(sentence.size() <= 10);
      words.insert(sentence.begin(), sentence.end());
    }
    CHECK(words.size() >= 80);
    CHECK(words.size() <= 100);
  }
}

TEST_CASE("case 13: sides of different length are refused, not cut") {
  const TemporaryFolder folder;
  const CorpusFiles files{folder.write("mine.en", repeated("yes\n", 21)),
                          folder.write("mine.es", repeated("sí\n", 20))};
  CHECK_THROWS_WITH(read_corpus(files), files.source + " has 21 lines but " + files.target + " has 20");
}

TEST_CASE("case 13: a line that is blank on one side is refused by name") {
  const TemporaryFolder folder;
  const CorpusFiles files{folder.write("mine.en", repeated("yes\n", 11) + "I am in the old house.\n"),
                          folder.write("mine.es", repeated("sí\n", 11) + " \t\n")};
  CHECK_THROWS_WITH(read_corpus(files), files.target + ":12: empty line, but mine.en:12 has 7 tokens");
  CHECK_THROWS_WITH(read_corpus({files.target, files.source}),
                    files.target + ":12: empty line, but mine.en:12 has 7 tokens");
}

TEST_CASE("case 10: a line blank on both sides is skipped and said, later ones keep their partner") {
  const TemporaryFolder folder;
  const Corpus corpus = read_corpus({folder.write("a.en", "one\n\ntwo\n \nthree\n"),
                                     folder.write("a.es", "\xEF\xBB\xBFuno\r\n\t\r\ndos\r\n\r\ntres")});
  CHECK(corpus.skipped == std::vector<int>{2, 4});
  REQUIRE(corpus.pairs.size() == 3);
  CHECK(corpus.pairs[2].line == 5);
  CHECK(corpus.pairs[2].source == Tokens{"three"});
  CHECK(sources(corpus.pairs) == std::vector<Tokens>{{"one"}, {"two"}, {"three"}});
  CHECK(targets(corpus.pairs) == std::vector<Tokens>{{"uno"}, {"dos"}, {"tres"}});
}

TEST_CASE("case 13: odd characters do not shift the pairing") {
  const TemporaryFolder folder;
  const Corpus corpus = read_corpus({folder.write("a.en", "one\u2028more\ntwo\u0085\nthree\v\f\n"),
                                     folder.write("a.es", "uno\ndos\ntres\n")});
  REQUIRE(corpus.pairs.size() == 3);
  CHECK(corpus.pairs[0].source == Tokens{"one", "more"});
  CHECK(corpus.pairs[2].target == Tokens{"tres"});
}

TEST_CASE("A corpus without a pair is refused") {
  const TemporaryFolder folder;
  const CorpusFiles blank{folder.write("a.en", "\n\n"), folder.write("a.es", " \n\n")};
  CHECK_THROWS_WITH(read_corpus(blank),
                    blank.source + " and " + blank.target + ": no sentence pair in 2 lines");
  const CorpusFiles empty{folder.write("b.en", ""), folder.write("b.es", "")};
  CHECK_THROWS_WITH(read_corpus(empty), ContainsSubstring("no sentence pair in 0 lines"));
  CHECK_THROWS_WITH(read_corpus({blank.source, folder / "none.es"}),
                    "cannot read " + folder / "none.es" + ": No such file or directory");
}

TEST_CASE("The option --data names two files, a folder or toy") {
  const TemporaryFolder folder;
  CHECK(find_corpus("x/a.en,b.es").source == "x/a.en");
  CHECK(find_corpus("x/a.en,b.es").target == "b.es");
  const std::string form = "--data SOURCE_FILE,TARGET_FILE";
  const std::string none = ": 0 pairs of files like mine.en and mine.es in this folder, not one; name them: ";
  for (const std::string data : {"nonsense", "a,b,c", ",b", "a,", ""})
    CHECK_THROWS_WITH(find_corpus(data),
                      "--data " + data + ": not toy, not a folder, not two files: " + form);

  const std::string path = folder.path.string();
  folder.write("README.md", "");
  CHECK_THROWS_WITH(find_corpus(path), "--data " + path + none + form);
  folder.write("mine.es", "sí\n");
  folder.write("mine.en", "yes\n");
  CHECK(find_corpus(path).source == folder / "mine.en");
  CHECK(find_corpus(path).target == folder / "mine.es");
  folder.write("other.de", "");
  folder.write("other.en", "");
  CHECK_THROWS_WITH(find_corpus(path), ContainsSubstring(": 2 pairs of files"));
}

TEST_CASE("LOOKBACK_DATA moves the folder of the corpora") {
  const TemporaryFolder folder;
  const std::string before = data_folder();
  setenv("LOOKBACK_DATA", folder.path.c_str(), 1);
  CHECK(find_corpus("toy").source == folder / "toy.en");
  setenv("LOOKBACK_DATA", before.c_str(), 1);
}
