#include "examples/kit/text/run_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>

namespace lookback {

std::string words_to_text(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (word.find('\n') != word.npos)
      throw std::invalid_argument(fmt::format("the word \"{}\" has an end of line inside", word));
    text += word + '\n';
  }
  return text;
}

std::vector<std::string> words_from_text(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size(); begin += words.back().size() + 1)
    words.push_back(text.substr(begin, text.find('\n', begin) - begin));
  return words;
}

std::string random_to_text(const Random& stream) {
  return fmt::format("{} {}", stream.seed(), stream.position());
}

Random random_from_text(const std::string& text) {
  std::uint64_t seed = 0, position = 0;
  const char* end = text.data() + text.size();
  const char* space = std::from_chars(text.data(), end, seed).ptr;
  if (space != end) std::from_chars(space + 1, end, position);
  const Random stream(seed, position);
  if (random_to_text(stream) != text)
    throw std::invalid_argument(fmt::format("\"{}\" is not seed and position of a random stream", text));
  return stream;
}

const std::string& text_of(const std::string& path, const RunText& there, const std::string& name) {
  const auto found = there.find(name);
  if (found == there.end())
    throw std::runtime_error(fmt::format("{}: it does not say what {} is", path, name));
  return found->second;
}

void require_same(const std::string& path, const RunText& there, const RunText& here) {
  for (const auto& [name, ours] : here) {
    const std::string& theirs = text_of(path, there, name);
    if (theirs == ours) continue;
    std::vector<std::string> a = words_from_text(theirs), b = words_from_text(ours);
    const std::size_t lines = std::max(a.size(), b.size());
    a.resize(lines), b.resize(lines);
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
    if (x == a.end()) continue;  // the last line ends in one and not in the other
    throw std::runtime_error(fmt::format("{}: {}{} is \"{}\" there and \"{}\" here", path,
                                         lines > 1 ? fmt::format("line {} of ", x - a.begin() + 1) : "", name,
                                         *x, *y));
  }
}

}  // namespace lookback
