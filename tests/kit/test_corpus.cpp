#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/file.hpp"
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
                      "--data " + data +
                          ": not toy, grammar or multi30k, not a folder, not a file, not two files: " + form);

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

TEST_CASE("One file has both sides and the links between their words") {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "a.txt",
      "\xEF\xBB\xBFI see her . ||| la veo . ||| 1-1 0-1 2-0\r\n\nyes ||| sí |||\n¿ a ? ||| ¡ b ! ||| 0-0");
  const Corpus corpus = read_corpus(find_corpus(path));
  CHECK(corpus.files.source == path);
  CHECK(corpus.files.target.empty());
  CHECK(corpus.skipped == std::vector<int>{2});
  REQUIRE(corpus.pairs.size() == 3);
  CHECK(corpus.pairs[0].source == Tokens{"i", "see", "her", "."});
  CHECK(corpus.pairs[0].links == std::vector<Link>{{2, 0}, {0, 1}, {1, 1}});
  CHECK(corpus.pairs[1].links.empty());
  CHECK(corpus.pairs[2].line == 4);
  CHECK(as_written(corpus, corpus.pairs[0]) == std::array<std::string, 2>{"i see her.", "la veo."});
  write_corpus(folder / "b.txt", corpus.pairs);
  CHECK(read_file(folder / "b.txt") ==
        "i see her . ||| la veo . ||| 2-0 0-1 1-1\nyes ||| sí |||\n¿ a ? ||| ¡ b ! ||| 0-0\n");
}

TEST_CASE("case 13: a line that is no pair with links is refused with its place") {
  const TemporaryFolder folder;
  const std::string form = " fields, not three: source words ||| target words ||| 0-0 1-2";
  const std::pair<std::string, std::string> cases[] = {
      {"a b", ":2: 1" + form},
      {"a ||| b", ":2: 2" + form},
      {"a ||| b ||| 0-0 ||| c", ":2: 4" + form},
      {"a b |||| c d ||| 0-0", ":2: more than three bars side by side"},
      {" ||| b ||| ", ":2: the source is empty"},
      {"a ||| \t ||| 0-0", ":2: the target is empty"},
      {"don't. ||| no ||| 0-0", ":2: the source has 1 words between spaces but 2 tokens"},
      {"sí a ||| b c ||| 0-0 2-1", ":2:22: link 2-1: the source has 2 words"},
      {"a ||| b ||| 0-1", ":2:13: link 0-1: the target has 1 words"},
      {"a ||| b ||| 99999999999999999999-0", ":2:13: link 99999999999999999999-0: the source has 1 words"},
      {"a ||| b ||| 0-0 0-0", ":2:17: link 0-0: it is there twice"},
  };
  for (const auto& [line, message] : cases) {
    const std::string path = folder.write("a.txt", "a ||| b ||| 0-0\n" + line + "\n");
    CHECK_THROWS_WITH(read_corpus({path, ""}), path + message);
  }
  for (const std::string link :
       {"0", "0-", "-0", "0-x", "x-0", "0-0-0", "0--0", "+0-0", "0-0,", "-1-0", "0.5-0"}) {
    const std::string path = folder.write("a.txt", "a ||| b ||| " + link);
    CHECK_THROWS_WITH(read_corpus({path, ""}), path + ":1:13: link " + link + ": not two numbers, as in 0-2");
  }
  const std::string broken = folder.write("a.txt", "a ||| \xC3 ||| 0-0\n"),
                    empty = folder.write("b.txt", "\n");
  CHECK_THROWS_WITH(read_corpus({broken, ""}),
                    broken + ":1:7: invalid UTF-8 (byte 0xC3 without its continuation)");
  CHECK_THROWS_WITH(read_corpus({empty, ""}), empty + ": no sentence pair in 1 lines");
}

TEST_CASE("A folder with three parts, and the corpus that is made by rules") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string();
  folder.write("train.txt", "a ||| b ||| 0-0\n");
  folder.write("validation.txt", "c ||| d ||| 0-0\n");
  CHECK_THROWS_WITH(
      read_parts(path),
      "--data " + path + ": of this folder's parts test is missing: test.de and test.en, or test.txt");
  folder.write("test.txt", "e ||| f ||| 0-0\n");
  CHECK(read_parts(path).test[0].target == Tokens{"f"});
  CHECK(find_corpus(path).source == folder / "train.txt");
  CHECK(read_corpus(find_corpus("grammar")).pairs.size() >= 5000);
  CHECK(read_parts("grammar").validation.size() == 500);
}

TEST_CASE("A folder with parts in two languages: the first of the alphabet is the source") {
  for (const std::string name : {"validation", "valid", "val", "dev"}) {
    const TemporaryFolder folder;
    folder.write("train.de", "T-Shirt\nja\n");
    folder.write("train.en", "t-shirt\nyes\n");
    folder.write("train.en.gz", "not read: the plain file is there");
    folder.write(name + ".en", "two\n");
    folder.write(name + ".de", "zwei\n");
    folder.write("test_2016_flickr.de", "drei\n");
    folder.write("test_2016_flickr.en", "three\n");
    for (const char* other : {"README.md", "mine.en", "mine.es", "trainer.de", "trainer.en", "test.zip"})
      folder.write(other, "");
    const CorpusParts parts = read_parts(folder.path.string(), {.split = true});
    REQUIRE(parts.train.size() == 2);
    CHECK(parts.train[0].source == Tokens{"t", "-", "shirt"});
    CHECK(parts.train[1].target == Tokens{"yes"});
    CHECK(parts.validation[0].source == Tokens{"zwei"});
    CHECK(parts.test[0].target == Tokens{"three"});
    const Corpus train = read_corpus(find_corpus(folder.path.string()));
    CHECK(train.files.source == folder / "train.de");
    CHECK(train.files.target == folder / "train.en");
    CHECK(train.pairs[0].source == Tokens{"t-shirt"});
  }
}

TEST_CASE("case 13: a folder whose parts are not one pair each is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string();
  for (const std::string name : {"train.de", "train.en", "val.de", "val.en", "test-2016.de", "test-2016.en"})
    folder.write(name, "a\n");
  CHECK(read_parts(path).test.size() == 1);
  folder.write("test-2017.de", "a\n");
  folder.write("test-2017.en", "a\n");
  CHECK_THROWS_WITH(
      read_parts(path),
      "--data " + path + ": 2 test parts in this folder, not one: test.de and test.en, or test.txt");
  folder.write("train.fr.gz", "a\n");
  CHECK_THROWS_WITH(find_corpus(path), path + ": train has 3 endings, not two as train.de and train.en");
}

TEST_CASE("case 13: half a part is refused by the name of the half that is missing") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string();
  for (const std::string name : {"train.de", "train.en", "test.zip"}) folder.write(name, "a\nb\nc\n");
  folder.write("mine.de", "not a part");
  CHECK(read_parts(path).train.size() == 1);  // cut: no other part is there
  folder.write("test_2016.de.gz", "");
  for (const auto& read : {+[](const std::string& data) { read_parts(data); },
                           +[](const std::string& data) { find_corpus(data); }})
    CHECK_THROWS_WITH(read(path), path + ": test_2016.de is there, but not test_2016.en");
  folder.write("test_2016.en", "");
  folder.write("val.en", "");
  CHECK_THROWS_WITH(read_parts(path), path + ": val.en is there, but not val.de");
}

TEST_CASE("A corpus without parts: the last tenths are validation and test") {
  const TemporaryFolder folder;
  std::string lines;
  for (int i = 1; i <= 29; ++i) lines += "w" + std::to_string(i) + "\n";
  const std::string data = folder.write("source text", lines) + "," + folder.write("what it says", lines);
  const CorpusParts parts = read_parts(data);
  CHECK(parts.train.size() == 25);
  CHECK(parts.train[24].line == 25);
  REQUIRE(parts.validation.size() == 2);
  CHECK(parts.validation[0].line == 26);
  REQUIRE(parts.test.size() == 2);
  CHECK(parts.test[1].source == Tokens{"w29"});
  CHECK(read_parts("toy").train.size() == 16);
  const std::string few = folder.write("few", "a ||| b |||\nc ||| d |||\n");
  CHECK_THROWS_WITH(read_parts(few), "--data " + few + ": 2 pairs make no three parts");
  folder.write("few", "a ||| b |||\nc ||| d |||\ne ||| f |||\n");
  CHECK(read_parts(few).validation[0].source == Tokens{"c"});
}

TEST_CASE("LOOKBACK_DATA moves the folder of the corpora") {
  const TemporaryFolder folder;
  const std::string before = data_folder();
  setenv("LOOKBACK_DATA", folder.path.c_str(), 1);
  CHECK(find_corpus("toy").source == folder / "toy.en");
  for (const auto& find : {+[] { find_corpus("multi30k"); }, +[] { read_parts("multi30k"); }})
    CHECK_THROWS_WITH(find(), "--data multi30k: " + folder / "multi30k" +
                                  " is not there; examples/data/get_multi30k.sh fetches it");
  setenv("LOOKBACK_DATA", before.c_str(), 1);
}
