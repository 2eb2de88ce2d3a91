// The readers of foreign bytes, for the fuzzer (target.cpp) and for the files of tests/hostile (tests/kit/test_hostile.cpp).
// Each reads such bytes as a chapter would read a file of them, expects what must hold of whatever is accepted, and
// answers what that was. It throws what the code under it documents: std::runtime_error or std::invalid_argument. All
// else, from a broken expectation to a signal, is a finding.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tests/kit/temporary_folder.hpp"

namespace lookback::fuzz {

std::string read_folder(std::string_view bytes);  // several files, each behind a line "===== its name"
std::string read_links(std::string_view bytes);   // pairs in one file, with links between words
std::string read_gz(std::string_view bytes);      // a packed file
std::string read_words(
    std::string_view bytes);  // a list of a checkpoint, "=====", words: merges and vocabularies
std::string read_tensors(std::string_view bytes);  // a safetensors file
std::string read_resume(std::string_view bytes);   // one that keeps a run, to go on with
std::string read_model(std::string_view bytes);    // one that keeps a model, to translate with
std::string read_options(std::string_view bytes);  // a command line, an argument a line

// The bytes with the length of their header and their checksum right again: else a fuzzer never gets behind them.
std::string mended(std::string_view bytes);

inline const TemporaryFolder& folder() {
  static const TemporaryFolder made;
  return made;
}

inline void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

inline std::pair<std::string_view, std::string_view> split(std::string_view text, std::string_view at) {
  const std::size_t end = text.find(at);
  return {text.substr(0, end), end == text.npos ? "" : text.substr(end + at.size())};
}

}  // namespace lookback::fuzz
