// Sentences to tokens and back.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lookback {

struct TokenizeOptions {
  bool lower = true;   // one character for one (unicode.hpp): "Straße" becomes "straße"
  bool split = false;  // nothing joins words: t-shirt is t - shirt, don't is don ' t; but _ is a letter: a_b
};

// Splits at white space and control characters, and splits punctuation and symbols off as tokens of their own,
// except an apostrophe or a hyphen inside a word. Tokens are in NFC. Split, they are what the pattern \w+|[^\w\s]
// finds in Note I's experiment, with accents of their own still inside words.
//
//   ¿Dónde está mi T-shirt?  ->  ¿ dónde está mi t-shirt ?
//   Don't pay 20€, Jo!       ->  don't pay 20 € , jo !
//
// Throws std::invalid_argument with the column of a byte that is not UTF-8.
std::vector<std::string> tokenize(std::string_view sentence, TokenizeOptions options = {});

// The same of a sentence to translate, whose time and memory grow with the square of its length: throws
// std::invalid_argument for more than 1000 characters, too.
std::vector<std::string> tokenize_short(std::string_view sentence, TokenizeOptions options = {});

// A readable sentence: no space before . , ! ? ; : and closing brackets or quotes, none after ¿ ¡ and opening
// ones. A straight quote opens, the next one closes.
std::string detokenize(std::span<const std::string> tokens);

// Columns the text takes in a terminal.
int display_width(std::string_view text);

}  // namespace lookback
