#include "examples/kit/text/corpus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/file.hpp"
#include "core/utf8.hpp"
#include "examples/kit/grammar/grammar.hpp"
#include "examples/kit/text/lines.hpp"

#ifndef LOOKBACK_DATA_DEFAULT  // CMake gives the full path
#define LOOKBACK_DATA_DEFAULT "examples/data"
#endif

namespace lookback {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view grammar = "grammar", bars = "|||";
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

using Parts = std::map<std::string, std::vector<CorpusFiles>>;

// train, validation and test for the names that say so, "" for others.
std::string part_of(const std::string& name) {
  const std::string word = name.substr(0, name.find_first_of("_-.0123456789"));
  if (word == "val" || word == "valid" || word == "dev") return "validation";
  return word == "train" || word == "validation" || word == "test" ? word : "";
}

Parts corpora_in(const std::string& folder) {
  std::set<std::string> paths;  // a.en before a.en.gz
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) paths.insert(entry.path().string());
  std::map<std::string, std::map<std::string, std::string>> by_name;
  for (const std::string& path : paths) {
    fs::path name = fs::path(path).filename();
    if (name.extension() == ".gz") name = name.stem();
    by_name[name.stem().string()].emplace(name.extension().string(), path);
  }
  Parts found;
  std::set<std::string> endings;  // of the parts that are pairs
  for (const auto& [name, files] : by_name)
    for (const auto& [ending, path] : files)
      if (files.size() == 2 && !part_of(name).empty()) endings.insert(ending);
  for (const auto& [name, files] : by_name) {
    const std::string part = part_of(name);
    if (files.size() > 2 && !part.empty())
      fail("{0}: {1} has {2} endings, not two as {1}.de and {1}.en", folder, name, files.size());
    if (files.size() == 2) found[part].push_back({files.begin()->second, files.rbegin()->second});
    if (files.size() == 1 && !part.empty() && endings.erase(files.begin()->first) > 0)
      fail("{0}: {1}{2} is there, but not {1}{3}", folder, name, files.begin()->first, *endings.begin());
    if (files.size() == 1 && files.contains(".txt") && !part.empty())
      found[part].push_back({files.begin()->second, ""});
  }
  return found;
}

std::string multi30k_folder() { return data_folder() + "/multi30k"; }

// Where the corpus is that --data names: for multi30k its folder.
std::string place_of(const std::string& data) {
  if (data != "multi30k") return data;
  const std::string folder = multi30k_folder();
  if (!fs::is_directory(folder))
    fail("--data multi30k: {} is not there; examples/data/get_multi30k.sh fetches it", folder);
  return folder;
}

CorpusParts cut(std::vector<SentencePair> pairs, const std::string& data) {
  if (pairs.size() < 3) fail("--data {}: {} pairs make no three parts", data, pairs.size());
  const auto tenth = std::max(std::ssize(pairs) / 10, std::ptrdiff_t{1});
  CorpusParts parts;
  parts.test.assign(pairs.end() - tenth, pairs.end());
  parts.validation.assign(pairs.end() - 2 * tenth, pairs.end() - tenth);
  parts.train.assign(pairs.begin(), pairs.end() - 2 * tenth);
  return parts;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin; (begin = text.find_first_not_of(" \t")) != text.npos;) {
    text.remove_prefix(begin);
    words.push_back(text.substr(0, text.find_first_of(" \t")));
    text.remove_prefix(words.back().size());
  }
  return words;
}

// Split at |||, which no word can hold: | is a token by itself.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t bar; (bar = line.find(bars)) != line.npos; line.remove_prefix(bar + bars.size()))
    fields.push_back(line.substr(0, bar));
  fields.push_back(line);
  return fields;
}

int number(std::string_view digits) {  // -1: not a number; too large for int is as large as can be
  int value = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || digits[0] == '-' || end != digits.data() + digits.size()) return -1;
  return error == std::errc::result_out_of_range ? std::numeric_limits<int>::max() : value;
}

std::vector<Link> links_of(std::string_view line, std::string_view field, const SentencePair& pair,
                           const std::string& path) {
  std::vector<Link> links;
  std::set<std::pair<int, int>> seen;
  for (const std::string_view word : words_of(field)) {
    const auto refuse = [&](const std::string& why) {
      const std::size_t column =
          decode_utf8(line.substr(0, static_cast<std::size_t>(word.data() - line.data()))).size() + 1;
      fail("{}:{}:{}: link {}: {}", path, pair.line, column, word, why);
    };
    const std::size_t dash = word.find('-');
    const Link link{number(word.substr(0, dash)), dash == word.npos ? -1 : number(word.substr(dash + 1))};
    if (link.source < 0 || link.target < 0) refuse("not two numbers, as in 0-2");
    if (link.source >= std::ssize(pair.source))
      refuse(fmt::format("the source has {} words", pair.source.size()));
    if (link.target >= std::ssize(pair.target))
      refuse(fmt::format("the target has {} words", pair.target.size()));
    if (!seen.insert({link.target, link.source}).second) refuse("it is there twice");
  }
  for (const auto& [target, source] : seen) links.push_back({source, target});
  return links;
}

Tokens side(std::string_view field, const char* name, const std::string& path, int line) {
  const Tokens tokens = tokenize(field);
  const std::size_t words = words_of(field).size();
  if (tokens.empty()) fail("{}:{}: the {} is empty", path, line, name);
  if (tokens.size() != words)
    fail("{}:{}: the {} has {} words between spaces but {} tokens", path, line, name, words, tokens.size());
  return tokens;
}

Corpus read_one_file(const std::string& path) {
  Corpus corpus{{path, ""}, {}, {}};
  const std::vector<std::string> lines = read_lines(path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int line = static_cast<int>(i) + 1;
    if (words_of(lines[i]).empty()) {
      corpus.skipped.push_back(line);
      continue;
    }
    const std::vector<std::string_view> fields = fields_of(lines[i]);
    if (lines[i].find("||||") != std::string::npos)
      fail("{}:{}: more than three bars side by side", path, line);
    if (fields.size() != 3)
      fail("{}:{}: {} fields, not three: source words ||| target words ||| 0-0 1-2", path, line,
           fields.size());
    SentencePair pair{side(fields[0], "source", path, line), side(fields[1], "target", path, line), line};
    pair.links = links_of(lines[i], fields[2], pair, path);
    corpus.pairs.push_back(std::move(pair));
  }
  if (corpus.pairs.empty()) fail("{}: no sentence pair in {} lines", path, lines.size());
  return corpus;
}

}  // namespace

CorpusFiles find_corpus(const std::string& data) {
  if (data == "toy") return {data_folder() + "/toy.en", data_folder() + "/toy.es"};
  if (data == grammar) return {data, ""};
  const std::string place = place_of(data);
  std::error_code none;
  if (fs::is_directory(place, none)) {
    Parts found = corpora_in(place);
    std::vector<CorpusFiles> files = found["train"];
    if (files.empty())
      for (const auto& [part, others] : found) files.insert(files.end(), others.begin(), others.end());
    if (files.size() != 1)
      fail("--data {}: {} pairs of files like mine.en and mine.es in this folder, not one; name them: {}",
           data, files.size(), two_files);
    return files.front();
  }
  if (fs::is_regular_file(data, none)) return {data, ""};
  const std::size_t comma = data.find(',');
  const bool two = comma != data.npos && comma == data.rfind(',') && comma > 0 && comma + 1 < data.size();
  if (!two)
    fail("--data {}: not toy, grammar or multi30k, not a folder, not a file, not two files: {}", data,
         two_files);
  return {data.substr(0, comma), data.substr(comma + 1)};
}

Corpus read_corpus(const CorpusFiles& files, TokenizeOptions options) {
  if (files.target.empty())
    return files.source == grammar ? Corpus{files, make_grammar().train, {}} : read_one_file(files.source);
  const std::vector<std::string> source = read_lines(files.source), target = read_lines(files.target);
  if (source.size() != target.size())
    fail("{} has {} lines but {} has {}", files.source, source.size(), files.target, target.size());

  Corpus corpus{files, {}, {}};
  for (std::size_t i = 0; i < source.size(); ++i) {
    const int line = static_cast<int>(i) + 1;
    SentencePair pair{tokenize(source[i], options), tokenize(target[i], options), line};
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

void write_corpus(const std::string& path, std::span<const SentencePair> pairs) {
  std::string text;
  for (const SentencePair& pair : pairs) {
    text += fmt::format("{} {} {} {}", fmt::join(pair.source, " "), bars, fmt::join(pair.target, " "), bars);
    for (const Link& link : pair.links) text += fmt::format(" {}-{}", link.source, link.target);
    text += '\n';
  }
  write_file(path, text);
}

std::array<std::string, 2> as_written(const Corpus& corpus, const SentencePair& pair) {
  if (corpus.files.target.empty()) return {detokenize(pair.source), detokenize(pair.target)};
  const std::size_t line = static_cast<std::size_t>(pair.line) - 1;
  return {read_lines(corpus.files.source)[line], read_lines(corpus.files.target)[line]};
}

CorpusParts read_parts(const std::string& data, TokenizeOptions options) {
  if (data == grammar) return make_grammar();
  std::error_code none;
  const std::string place = place_of(data);
  Parts found = fs::is_directory(place, none) ? corpora_in(place) : Parts{};
  if (found["validation"].empty() && found["test"].empty())
    return cut(read_corpus(find_corpus(data), options).pairs, data);
  const auto pairs = [&](const char* part) {
    const std::vector<CorpusFiles>& files = found[part];
    if (files.empty())
      fail("--data {0}: of this folder's parts {1} is missing: {1}.de and {1}.en, or {1}.txt", data, part);
    if (files.size() != 1)
      fail("--data {0}: {1} {2} parts in this folder, not one: {2}.de and {2}.en, or {2}.txt", data,
           files.size(), part);
    return read_corpus(files[0], options).pairs;
  };
  return {pairs("train"), pairs("validation"), pairs("test")};
}

bool has_multi30k() { return fs::is_directory(multi30k_folder()); }

std::string data_folder() {
  const char* folder = std::getenv("LOOKBACK_DATA");
  return folder && *folder ? folder : LOOKBACK_DATA_DEFAULT;
}

}  // namespace lookback
