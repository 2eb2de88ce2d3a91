// Sentence pairs from two text files, line n of one translated by line n of the other.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace lookback {

using Tokens = std::vector<std::string>;

struct SentencePair {
  Tokens source, target;  // neither is empty
  int line;               // in both files, the first is 1
};

struct CorpusFiles {
  std::string source, target;
};

struct Corpus {
  CorpusFiles files;
  std::vector<SentencePair> pairs;  // never empty
  std::vector<int> skipped;         // lines that are blank on both sides
};

// What --data names:
//   toy                      the 20 English-Spanish pairs that come with the project
//   SOURCE_FILE,TARGET_FILE  two files
//   FOLDER                   its one pair of files with equal stems, by name: mine.en, then mine.es
// Throws std::runtime_error with these three forms when it is none of them.
CorpusFiles find_corpus(const std::string& data);

// Throws std::runtime_error when the files cannot be read (lines.hpp), hold no pair or do not match:
//   mine.en has 21 lines but mine.es has 20
//   examples/data/mine.es:12: empty line, but mine.en:12 has 7 tokens
Corpus read_corpus(const CorpusFiles& files);

// One side of the pairs: to build a vocabulary from, to compare translations with.
std::vector<Tokens> sources(std::span<const SentencePair> pairs);
std::vector<Tokens> targets(std::span<const SentencePair> pairs);

// Where the corpora lie: the environment variable LOOKBACK_DATA, else examples/data of the source tree.
std::string data_folder();

}  // namespace lookback
