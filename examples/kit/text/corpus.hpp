// Sentence pairs: from two text files, line n of one translated by line n of the other; from one file that has the
// links between words too; or made by rules.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "examples/kit/text/pairs.hpp"
#include "examples/kit/text/text.hpp"

namespace lookback {

struct CorpusFiles {
  std::string source;
  std::string target;  // empty: `source` is one file with both sides, or "grammar"
};

struct Corpus {
  CorpusFiles files;
  std::vector<SentencePair> pairs;  // never empty
  std::vector<int> skipped;         // lines that are blank on both sides
};

// What --data names:
//   toy                      the 20 English-Spanish pairs that come with the project
//   grammar                  the first part of the corpus that is made by rules (kit/grammar)
//   multi30k                 the folder that examples/data/get_multi30k.sh fills
//   SOURCE_FILE,TARGET_FILE  two files, whatever their names
//   FILE                     one file, a line as in  i see her . ||| la veo . ||| 2-0 0-1 1-1 3-2
//   FOLDER                   its part train, else the one pair of files in it. A pair has names that differ in the
//                            last ending; in the order of the alphabet, the first is the source: train.de, train.en.
//                            A part may also be one file with both sides, train.txt
// Each file may be packed, train.de.gz; in a folder, the one that is not goes before the one that is. Throws
// std::runtime_error with these forms when it is none of them.
CorpusFiles find_corpus(const std::string& data);

// Throws std::runtime_error when the files cannot be read (lines.hpp), hold no pair or do not match:
//   mine.en has 21 lines but mine.es has 20
//   examples/data/mine.es:12: empty line, but mine.en:12 has 7 tokens
// In one file the words stand between spaces as `tokenize` would split them without options, links count them from
// 0, and a pair whose links are not known ends at the second |||:
//   mine.txt:12: 2 fields, not three: source words ||| target words ||| 0-0 1-2
//   mine.txt:12:34: link 7-2: the source has 6 words
Corpus read_corpus(const CorpusFiles& files, TokenizeOptions options = {});

// Writes what read_corpus reads from one file. Throws std::runtime_error when it cannot.
void write_corpus(const std::string& path, std::span<const SentencePair> pairs);

// A line of the corpus as it was written, both sides; of a corpus in one file, a sentence made of the tokens.
std::array<std::string, 2> as_written(const Corpus& corpus, const SentencePair& pair);

struct CorpusParts {
  std::vector<SentencePair> train, validation, test;
};

// The three parts of "grammar", or of a folder: what is called train; validation, valid, val or dev; and test, perhaps
// with more after a character that is no letter, as in test_2016_flickr.de.gz. Of a corpus with neither validation
// nor test, the last tenth becomes the test and the tenth before it validation. Throws std::runtime_error:
//   --data mine: 2 test parts in this folder, not one: test.de and test.en, or test.txt
//   --data mine: of this folder's parts test is missing: test.de and test.en, or test.txt
//   mine: test.de is there, but not test.en
CorpusParts read_parts(const std::string& data, TokenizeOptions options = {});
bool has_multi30k();  // the folder is there

// Where the corpora lie: the environment variable LOOKBACK_DATA, else examples/data of the source tree.
std::string data_folder();

}  // namespace lookback
