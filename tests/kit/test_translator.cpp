// The whole model: it learns, pads without harm, and does the same at any number of threads.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/kernels/parallel.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator.hpp"
#include "tests/catch.hpp"
#include "tests/stderr_text.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

const std::vector<SentencePair> pairs = {
    {{"a", "blue", "house"}, {"una", "casa", "azul"}, 1},
    {{"two", "houses"}, {"dos", "casas"}, 2},
    {{"a", "blue", "and", "a", "red", "one"}, {"una", "azul", "y", "una", "roja"}, 3},
};

Translator translator(std::uint64_t seed, TranslatorSizes sizes = {8, 12, 6}) {
  return Translator(Params(seed), Vocabulary(sources(pairs)), Vocabulary(targets(pairs)), {}, sizes);
}

std::vector<IdPair> ids(const Translator& model) {
  std::vector<IdPair> all;
  for (const SentencePair& pair : pairs) all.push_back(model.ids(pair));
  return all;
}

std::vector<double> learn(const Translator& model, std::span<const Batch> batches, int epochs) {
  std::vector<double> losses;
  stderr_text([&] {
    losses = train(model.params(), batches, [&](const Batch& batch) { return model.loss(batch); },
                   {.epochs = epochs, .rate = Real(0.02)})
                 .loss;
  });
  return losses;
}

Ids widened(const Ids& ids, Index more) {
  Ids wide({ids.shape[0], ids.shape[1] + more}, PAD);
  for (Index b = 0; b < ids.shape[0]; ++b)
    std::copy_n(ids.values.begin() + b * ids.shape[1], ids.shape[1], wide.values.begin() + b * wide.shape[1]);
  return wide;
}

}  // namespace

TEST_CASE("three pairs are learned by heart, alone and together, and aligned") {
  const Translator model = translator(1);
  const auto losses = learn(model, make_batches(ids(model), 2), 150);
  CHECK(losses.back() < losses.front() / 10);
  const Translations all = model.translate(sources(pairs));
  CHECK(all.alignment.source == sources(pairs));
  for (std::size_t b = 0; b < pairs.size(); ++b) {
    CHECK(all.sentences[b].words == pairs[b].target);
    CHECK(all.sentences[b].ended);
    CHECK(all.alignment.target[b] == pairs[b].target);
    const Translations alone = model.translate(std::vector<Tokens>{pairs[b].source});
    CHECK(alone.sentences[0].words == pairs[b].target);
    const Heatmap map = heatmap(all.alignment, static_cast<Index>(b)), same = heatmap(alone.alignment, 0);
    REQUIRE(map.weights.size() == pairs[b].source.size() * pairs[b].target.size());
    CHECK(std::accumulate(map.weights.begin(), map.weights.end(), 0.f) ==
          Approx(pairs[b].target.size()).epsilon(1e-4));
    for (std::size_t i = 0; i < map.weights.size(); ++i)
      CHECK(map.weights[i] == Approx(same.weights[i]).margin(1e-4));
  }
}

TEST_CASE("case 12: 100 more PAD columns change neither loss nor any gradient") {
  const Translator model = translator(1);
  const Batch batch = make_batch(ids(model));
  Batch wide = batch;
  for (Ids* side : {&wide.source, &wide.inputs, &wide.targets}) *side = widened(*side, 100);
  CHECK(model.loss(wide).item() == Approx(model.loss(batch).item()).epsilon(1e-6));
  const auto all = tensors_of(model.params());
  CHECK(distance(gradients(all, [&] { return model.loss(wide); }),
                 gradients(all, [&] { return model.loss(batch); })) <= 1e-5);
}

TEST_CASE("case 12: micro-batches weighted by their tokens give the joined gradient") {
  const Translator model = translator(1);
  const auto all = tensors_of(model.params());
  const Batch joined = make_batch(ids(model));
  auto want = gradients(all, [&] { return model.loss(joined); });
  for (const Batch& part : make_batches(ids(model), 1)) {
    const Real share = static_cast<Real>(part.tokens) / static_cast<Real>(joined.tokens);
    const auto got = gradients(all, [&] { return scale(model.loss(part), share); });
    for (std::size_t k = 0; k < all.size(); ++k) want[k] = want[k] - got[k];
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    INFO(model.params().all()[k].name);
    CHECK(distance(want[k], Tensor(want[k].shape())) <= 1e-5);
  }
}

TEST_CASE("every parameter of the translator is trained") {
  const Translator model = translator(1);
  const auto all = gradients(tensors_of(model.params()), [&] { return model.loss(make_batch(ids(model))); });
  for (std::size_t k = 0; k < all.size(); ++k) {
    INFO(model.params().all()[k].name);
    CHECK(!all_zero(all[k]));
  }
}

TEST_CASE("one seed, one run: losses are the same at 1 and 2 threads, whatever ran before") {
  const int before = threads();
  std::vector<std::vector<double>> runs;
  for (const int n : {1, 2, 1}) {
    set_threads(n);
    const Translator model = translator(7, {64, 96, 64});
    std::vector<IdPair> many;
    for (int i = 0; i < 16; ++i)
      for (const IdPair& pair : ids(model)) many.push_back(pair);
    runs.push_back(learn(model, make_batches(many, 48), 3));
  }
  set_threads(before);
  CHECK(runs[0] == runs[1]);
  CHECK(runs[0] == runs[2]);
  CHECK(runs[0][2] < runs[0][0]);
}

TEST_CASE("case 16: unseen words become UNK, and nothing is translated from nothing") {
  const Translator model = translator(1);
  CHECK(model.ids({{"a", "green", "house"}, {"una"}, 1}).source[1] == UNK);
  CHECK(model.ids({{"_EOS"}, {"_GO"}, 1}).source[0] == UNK);
  CHECK(model.translate(std::vector<Tokens>{{"green", "_PAD"}}).sentences.size() == 1);
  CHECK_THROWS_WITH(model.translate(std::vector<Tokens>{{"a"}, {}}),
                    "there is nothing to translate: the sentence has no words");
}

TEST_CASE("an unknown word is copied from where the decoder looks most, if asked for") {
  const Translator model = translator(1);
  model.params().find("decoder.vocab.bias").write()[UNK] = 1000;
  const std::vector<Tokens> texts{{"a"}, {"a", "_UNK", "green"}};  // its mate's padding is not copied
  const Translations plain = model.translate(texts), copied = model.translate(texts, Unknown::copied);
  const Tensor weights = plain.alignment.mean();  // [B, T, S]
  for (std::size_t b = 0; b < texts.size(); ++b) {
    CHECK(plain.sentences[b].copied.empty());
    const Tokens& words = copied.sentences[b].words;
    REQUIRE(words.size() == plain.sentences[b].words.size());
    CHECK(copied.sentences[b].copied == words);
    CHECK(copied.alignment.target[b] == words);
    for (std::size_t t = 0; t < words.size(); ++t) {
      CHECK(plain.sentences[b].words[t] == "_UNK");
      const Real* row =
          weights.data() + (static_cast<Index>(b) * weights.shape()[1] + static_cast<Index>(t)) * 3;
      CHECK(words[t] == texts[b][static_cast<std::size_t>(std::max_element(row, row + 3) - row)]);
    }
  }
}

TEST_CASE("a word that is known is not copied, and GO and PAD take no place among the words") {
  const Translator model = translator(1);
  const Tensor bias = model.params().find("decoder.vocab.bias");
  bias.write()[PAD] = 1000;
  CHECK(model.translate(std::vector<Tokens>{{"a"}}, Unknown::copied).sentences[0].words.empty());
  bias.write()[4] = 2000;
  CHECK(model.translate(std::vector<Tokens>{{"a"}}, Unknown::copied).sentences[0].copied.empty());
}

TEST_CASE("a translation is at most 2 S + 10 words") {
  const Translator model = translator(1);
  const Tensor bias = model.params().find("decoder.vocab.bias");
  bias.write()[4] = 1000;  // one word for ever
  const Translations endless = model.translate(std::vector<Tokens>{{"a"}, {"a", "red", "house"}});
  for (const Translation& translation : endless.sentences) {
    CHECK(translation.words.size() == 2 * 3 + 10);
    CHECK(!translation.ended);
  }
}
