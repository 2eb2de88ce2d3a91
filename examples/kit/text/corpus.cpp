#include "examples/kit/text/corpus.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "examples/kit/text/lines.hpp"
#include "examples/kit/text/text.hpp"

#ifndef LOOKBACK_DATA_DEFAULT  // CMake gives the full path
#define LOOKBACK_DATA_DEFAULT "examples/data"
#endif

namespace lookback {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view two_files = "--data SOURCE_FILE,TARGET_FILE";

template <class... Values>
[[noreturn]] void fail(fmt::format_string<Values...> message, Values&&... values) {
  throw std::runtime_error(fmt::format(message, std::forward<Values>(values)...));
}

void require_tokens(const Tokens& side, const std::string& path, int line, const Tokens& other,
                    const std::string& other_path) {
  const std::string name = fs::path(other_path).filename().string();
  if (side.empty()) fail("{}:{}: empty line, but {}:{} has {} tokens", path, line, name, line, other.size());
}

CorpusFiles pair_in_folder(const std::string& folder) {
  std::map<std::string, std::set<std::string>> by_stem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) by_stem[entry.path().stem().string()].insert(entry.path().string());
  std::vector<CorpusFiles> found;
  for (const auto& [stem, paths] : by_stem)
    if (paths.size() == 2) found.push_back({*paths.begin(), *paths.rbegin()});
  if (found.size() != 1)
    fail("--data {}: {} pairs of files like mine.en and mine.es in this folder, not one; name them: {}",
         folder, found.size(), two_files);
  return found.front();
}

}  // namespace

CorpusFiles find_corpus(const std::string& data) {
  if (data == "toy") return {data_folder() + "/toy.en", data_folder() + "/toy.es"};
  std::error_code none;
  if (fs::is_directory(data, none)) return pair_in_folder(data);
  const std::size_t comma = data.find(',');
  const bool two = comma != data.npos && comma == data.rfind(',') && comma > 0 && comma + 1 < data.size();
  if (!two) fail("--data {}: not toy, not a folder, not two files: {}", data, two_files);
  return {data.substr(0, comma), data.substr(comma + 1)};
}

Corpus read_corpus(const CorpusFiles& files) {
  const std::vector<std::string> source = read_lines(files.source), target = read_lines(files.target);
  if (source.size() != target.size())
    fail("{} has {} lines but {} has {}", files.source, source.size(), files.target, target.size());

  Corpus corpus{files, {}, {}};
  for (std::size_t i = 0; i < source.size(); ++i) {
    const int line = static_cast<int>(i) + 1;
    SentencePair pair{tokenize(source[i]), tokenize(target[i]), line};
    if (pair.source.empty() && pair.target.empty()) {
      corpus.skipped.push_back(line);
      continue;
    }
    require_tokens(pair.source, files.source, line, pair.target, files.target);
    require_tokens(pair.target, files.target, line, pair.source, files.source);
    corpus.pairs.push_back(std::move(pair));
  }
  if (corpus.pairs.empty())
    fail("{} and {}: no sentence pair in {} lines", files.source, files.target, source.size());
  return corpus;
}

std::vector<Tokens> sources(std::span<const SentencePair> pairs) {
  std::vector<Tokens> sentences;
  for (const SentencePair& pair : pairs) sentences.push_back(pair.source);
  return sentences;
}

std::vector<Tokens> targets(std::span<const SentencePair> pairs) {
  std::vector<Tokens> sentences;
  for (const SentencePair& pair : pairs) sentences.push_back(pair.target);
  return sentences;
}

std::string data_folder() {
  const char* folder = std::getenv("LOOKBACK_DATA");
  return folder && *folder ? folder : LOOKBACK_DATA_DEFAULT;
}

}  // namespace lookback
