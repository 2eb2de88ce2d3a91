// The texts of a checkpoint (nn/checkpoint.hpp): what a run has to know again beside its numbers.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace lookback {

// By name: "score": "additive", "step": "300", "words.source": a vocabulary, "random.dropout": a stream.
using RunText = std::map<std::string, std::string>;

// A word a line. Throws std::invalid_argument for a word that would be two.
std::string words_to_text(std::span<const std::string> words);
std::vector<std::string> words_from_text(const std::string& text);

std::string random_to_text(const Random& stream);  // "7 1200": seed and position
Random random_from_text(const std::string& text);  // throws std::invalid_argument for anything else

// Text `name` of a file. Throws std::runtime_error: m.safetensors: it does not say what score is
const std::string& text_of(const std::string& path, const RunText& there, const std::string& name);

// Throws std::runtime_error unless the file says the same under each name that is here:
//   m.safetensors: score is "dot" there and "additive" here
//   m.safetensors: line 17 of words.source is "perro" there and "gato" here
void require_same(const std::string& path, const RunText& there, const RunText& here);

}  // namespace lookback
