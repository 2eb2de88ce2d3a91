#include "examples/kit/text/text.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "core/utf8.hpp"
#include "examples/kit/text/unicode.hpp"

namespace lookback {
namespace {

constexpr std::u32string_view joining = U"'\u2019-\u2010\u2011";               // apostrophes and hyphens
constexpr std::u32string_view closing = U".,!?;:)]}\u00BB\u201D\u2026%";       // » ” …
constexpr std::u32string_view opening = U"\u00BF\u00A1([{\u00AB\u201C\u201E";  // ¿ ¡ « “ „

bool contains(std::u32string_view set, char32_t c) { return set.find(c) != set.npos; }
bool contains(std::u32string_view set, std::u32string_view token) {
  return token.size() == 1 && contains(set, token[0]);
}

}  // namespace

std::vector<std::string> tokenize(std::string_view sentence, TokenizeOptions options) {
  std::u32string text = decode_utf8(sentence);
  if (options.lower)
    for (char32_t& c : text) c = to_lower(c);
  text = nfc(text);

  std::vector<std::string> tokens;
  std::u32string word;
  const auto end_word = [&] {
    if (!word.empty()) tokens.push_back(encode_utf8(std::exchange(word, {})));
  };
  const auto in_word = [&](char32_t c) {
    return (!is_space(c) && !is_punctuation(c)) || (options.split && c == U'_');
  };
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : U' '; };  // 0 - 1 is huge too
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    if (is_space(c)) {
      end_word();
    } else if (in_word(c) ||
               (!options.split && contains(joining, c) && in_word(at(i - 1)) && in_word(at(i + 1)))) {
      word += c;
    } else {
      end_word();
      tokens.push_back(encode_utf8({&c, 1}));
    }
  }
  end_word();
  return tokens;
}

std::vector<std::string> tokenize_short(std::string_view sentence, TokenizeOptions options) {
  constexpr std::size_t most = 1000;
  if (const std::size_t n = decode_utf8(sentence).size(); n > most)
    throw std::invalid_argument(fmt::format("{} characters, and a sentence has {} at most", n, most));
  return tokenize(sentence, options);
}

std::string detokenize(std::span<const std::string> tokens) {
  std::string sentence;
  bool space = false, quoted = false;  // space: the token before leaves room for one
  for (const std::string& token : tokens) {
    const std::u32string text = decode_utf8(token);
    const bool quote = token == "\"";
    const bool closes = quote ? quoted : contains(closing, text);
    const bool opens = quote ? !quoted : contains(opening, text);
    if (space && !closes) sentence += ' ';
    sentence += token;
    space = !opens;
    quoted ^= quote;
  }
  return sentence;
}

int display_width(std::string_view text) {
  int columns = 0;
  for (const char32_t c : decode_utf8(text)) columns += display_width(c);
  return columns;
}

}  // namespace lookback
