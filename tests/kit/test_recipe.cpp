#include "examples/kit/recipe.hpp"

#include "examples/kit/alignments.hpp"
#include "examples/kit/evaluate.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator_file.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/stderr_text.hpp"

using namespace lookback;

namespace {

const std::vector<SentencePair>& toy() {
  static const Corpus corpus = read_corpus(find_corpus("toy"));
  return corpus.pairs;
}

Recipe small(const std::string& name) {
  Recipe recipe = find_recipe(name);
  recipe.model.sizes.width = 32, recipe.model.sizes.heads = 4, recipe.model.sizes.feed_forward = 64;
  recipe.min_count = 1;
  if (recipe.merges > 0) recipe.merges = 60;
  return recipe;
}

}  // namespace

TEST_CASE("A recipe is found by its name, another name is refused with those there are") {
  CHECK(find_recipe("better").model.tied == Tied::all);
  CHECK_THROWS_WITH(
      find_recipe("beter"),
      "no recipe \"beter\"; known: note, schedule, subwords, smoothing, pre-norm, better, grammar; did "
      "you mean \"better\"?");
}

TEST_CASE("Words seen less often than a recipe asks are UNK") {
  Recipe recipe = small("note");
  const auto all = ModelMaker(recipe, toy())("gru-none", 1);
  recipe.min_count = 2;
  const auto frequent = ModelMaker(recipe, toy())("gru-none", 1);
  CHECK(all->source().unseen(toy()[0].source).empty());
  CHECK(frequent->source().size() < all->source().size());
  CHECK(frequent->target().size() < all->target().size());
}

TEST_CASE("Every model of sub-words learns, writes words, looks at pieces, and comes back from its file") {
  const ModelMaker make(small("better"), toy());
  for (const char* name : {"all", "first", "gru-additive"}) {
    INFO(name);
    const auto model = make(name, 1);
    CHECK(model->source().words() == model->target().words());
    for (const IdPair& pair : model->ids(toy()))
      CHECK(std::ranges::count(pair.source, UNK) + std::ranges::count(pair.target, UNK) == 0);
    stderr_text([&] {
      train(model->params(), make_batches(model->ids(toy())), [&](const Batch& b) { return model->loss(b); },
            {.epochs = 120, .rate = Real(5e-3)});
    });
    const Evaluation e = evaluate(*model, toy());
    CHECK(e.exact >= 19);
    const Translations t = model->translate(sources(toy()));
    Index longer = 0;
    for (std::size_t b = 0; b < toy().size(); ++b) {
      CHECK(t.sentences[b].words == Bpe::join(t.alignment.target[b]));
      CHECK(t.alignment.source[b] == model->places(toy()[b].source));
      longer += t.alignment.target[b].size() > t.sentences[b].words.size();
    }
    CHECK(longer > 10);  // or nothing was cut
    const Alignment forced = forced_alignment(*model, toy());
    CHECK(forced.target[0].size() == model->pieces(toy()[0].target).size() + 1);

    const TemporaryFolder folder;
    const std::string path = folder / "m";
    save_checkpoint(path, {.weights = model->params().all(), .text = describe(*model)});
    const auto back = load_model(path);
    CHECK(describe(*back) == describe(*model));
    CHECK(evaluate(*back, toy()).loss == e.loss);
    Checkpoint c = load_checkpoint(path);
    c.text["merges"] = "no merge\n";
    save_checkpoint(path, c);
    CHECK_THROWS_WITH(load_model(path), path + ": merge 1: \"no merge\" is not one, or not new");
  }
}
