// A corpus in a folder: plain text in two files, or parts of it, packed or not.
#include <fmt/format.h>

#include <filesystem>
#include <span>

#include "examples/kit/text/corpus.hpp"
#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {
namespace {

void expect_pairs(std::span<const SentencePair> pairs) {
  int line = 0;
  for (const SentencePair& pair : pairs) {
    expect(!pair.source.empty() && !pair.target.empty(), "no side of a pair is empty");
    expect(pair.line > line, "lines rise");
    line = pair.line;
    for (const Tokens* side : {&pair.source, &pair.target})
      for (const std::string& token : *side) expect(!token.empty(), "no token is empty");
  }
}

}  // namespace

std::string read_folder(std::string_view bytes) {
  for (const auto& entry : std::filesystem::directory_iterator(folder().path))
    std::filesystem::remove(entry.path());
  for (std::string_view rest = split(bytes, "===== ").second; !rest.empty();) {
    const auto [name, more] = split(rest, "\n");
    const auto [text, others] = split(more, "===== ");
    if (name.find('/') == name.npos && name.find('\0') == name.npos) folder().write(name, text);
    rest = others;
  }
  const std::string data = folder().path.string();
  const Corpus corpus = read_corpus(find_corpus(data));
  expect_pairs(corpus.pairs);
  std::string answer = fmt::format("{} pairs", corpus.pairs.size());
  if (!corpus.skipped.empty()) answer += fmt::format(", {} lines skipped", corpus.skipped.size());
  for (const SentencePair& pair : corpus.pairs) {
    as_written(corpus, pair);
    break;  // it reads the files again
  }
  if (corpus.pairs.size() < 3) return answer;
  const CorpusParts parts = read_parts(data, {.split = true});
  for (const auto* part : {&parts.train, &parts.validation, &parts.test}) expect_pairs(*part);
  return answer + fmt::format(": {} to learn, {} to choose by, {} to test", parts.train.size(),
                              parts.validation.size(), parts.test.size());
}

}  // namespace lookback::fuzz
