// How chapter 11 makes a model and trains it: as the note does, and a part at a time better.
#pragma once

#include <memory>

#include "examples/kit/models.hpp"
#include "nn/schedule.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Recipe {
  std::string name, adds;                     // what it adds to the one before
  std::vector<std::string> models = {"all"};  // unless others are asked for
  int epochs = 10;
  int min_count = 2;       // words seen less often are UNK
  std::size_t merges = 0;  // of joint sub-words, with one vocabulary for both languages; 0: words
  ModelOptions model = {};
  Real rate = Real(1e-3), label_smoothing = 0;
  Index warmup = 0;  // steps; a tenth of all if that is less
  Decay decay = Decay::none;
};

// note: Note I's experiment; each that follows adds a part to the one before, up to better. Beside them grammar, for the
// generated corpus.
const std::vector<Recipe>& recipes();
// Throws std::invalid_argument for another name, listing those above and the nearest.
const Recipe& find_recipe(const std::string& name);

// Untrained models of one recipe, with the words of one corpus.
class ModelMaker {
 public:
  ModelMaker(const Recipe& recipe, std::span<const SentencePair> pairs);
  // Throws as make_model.
  std::unique_ptr<TranslationModel> operator()(const std::string& name, std::uint64_t seed) const;

 private:
  ModelOptions options_;
  std::vector<Vocabulary> words_;  // source and target
};

}  // namespace lookback::inline LOOKBACK_NS
