#include "examples/kit/recipe.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/nearest_name.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// [recipes]
std::vector<Recipe> make_recipes() {
  std::vector<Recipe> all{{.name = "note", .adds = "Note I's experiment", .models = model_names()}};
  const auto next = [&](const char* name, const char* adds) -> Recipe& {
    all.push_back(all.back());
    all.back().name = name, all.back().adds = adds, all.back().models = {"all"};
    return all.back();
  };
  Recipe& schedule = next("schedule", "warm-up in 800 steps to 0.002, then linear to 0");
  schedule.rate = Real(2e-3), schedule.warmup = 800, schedule.decay = Decay::linear;
  Recipe& subwords = next("subwords", "6000 joint sub-words; one matrix for source, target and output");
  subwords.merges = 6000, subwords.model.tied = Tied::all;
  next("smoothing", "label smoothing 0.1").label_smoothing = Real(0.1);
  next("pre-norm", "layer norm before each sublayer").model.sizes.norm = Norm::pre;
  Recipe& better = next("better", "a rate of 0.004, a feed-forward layer of 1024");
  better.rate = Real(4e-3), better.model.sizes.feed_forward = 1024;

  Recipe& grammar = all.emplace_back(all.front());
  grammar.name = "grammar", grammar.models = {"gru-additive", "gru-dot", "gru-none"}, grammar.epochs = 14;
  grammar.adds = "all words, Note II's maps, linear from 0.004 to 0, label smoothing 0.1";
  grammar.min_count = 1, grammar.label_smoothing = Real(0.1);
  grammar.model.ends = false;
  grammar.model.input = Input::projected, grammar.model.readout = Readout::projected;
  grammar.rate = Real(4e-3), grammar.decay = Decay::linear;
  return all;
}
// [/recipes]

std::vector<Tokens> joined(std::vector<Tokens> a, const std::vector<Tokens>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = make_recipes();
  return all;
}

const Recipe& find_recipe(const std::string& name) {
  const auto found = std::ranges::find(recipes(), name, &Recipe::name);
  if (found != recipes().end()) return *found;
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) names.push_back(recipe.name);
  throw std::invalid_argument(unknown_name("recipe", name, names));
}

ModelMaker::ModelMaker(const Recipe& recipe, std::span<const SentencePair> pairs) : options_(recipe.model) {
  const std::vector<Tokens> source = sources(pairs), target = targets(pairs);
  if (recipe.merges > 0) {
    options_.pieces = Bpe(recipe.merges, {source, target});
    words_.assign(2, Vocabulary(joined(options_.pieces->apply(source), options_.pieces->apply(target))));
  } else {
    words_ = {Vocabulary(source, {.min_count = recipe.min_count}),
              Vocabulary(target, {.min_count = recipe.min_count})};
  }
}

std::unique_ptr<TranslationModel> ModelMaker::operator()(const std::string& name, std::uint64_t seed) const {
  return make_model(name, Params(seed), words_[0], words_[1], options_);
}

}  // namespace lookback::inline LOOKBACK_NS
