// Counting what a translator writes, and holding pairs out.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/kit/evaluate.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator.hpp"
#include "tests/catch.hpp"
#include "tests/stderr_text.hpp"

namespace {

using namespace lookback;

const std::vector<SentencePair> pairs = {
    {{"a", "blue", "house"}, {"una", "casa", "azul"}, 1},
    {{"two", "houses"}, {"dos", "casas"}, 2},
    {{"a", "red", "one"}, {"una", "roja"}, 3},
};

Translator translator() {
  return Translator(Params(1), Vocabulary(sources(pairs)), Vocabulary(targets(pairs)), {}, {8, 12, 6});
}

// One word of the target language is always the likeliest, by far.
void insist(const Translator& model, std::int32_t id) {
  model.params().find("decoder.vocab.bias").write()[id] = 1000;
}

}  // namespace

TEST_CASE("evaluate: loss is the training loss, accuracy and exact follow from what is written") {
  const Translator model = translator();
  const Evaluation before = evaluate(model, pairs);
  CHECK(before.loss == Approx(model.loss(make_batch(model.ids(pairs))).item()).epsilon(1e-6));
  CHECK(before.written.size() == 3);

  stderr_text([&] {
    train(model.params(), make_batches(model.ids(pairs)), [&](const Batch& b) { return model.loss(b); },
          {.epochs = 150, .rate = Real(0.02)});
  });
  const Evaluation after = evaluate(model, pairs);
  CHECK(after.loss < before.loss / 10);
  CHECK(after.accuracy == 1);
  CHECK(after.bleu.totals == std::array<std::ptrdiff_t, 4>{7, 4, 1, 0});
  CHECK(after.bleu.matches == after.bleu.totals);
  CHECK((after.exact == 3 && after.ended == 3));
  for (std::size_t i = 0; i < pairs.size(); ++i) CHECK(after.written[i].words == pairs[i].target);
}

TEST_CASE("the share of words that a model has UNK for, on either side") {
  const Translator model = translator();
  CHECK(unknown_words(model, pairs) == std::array<double, 2>{0, 0});
  const std::vector<SentencePair> others = {{{"a", "green", "house", "."}, {"una", "casa"}, 1},
                                            {{"two", "cats"}, {"dos", "gatos"}, 2}};
  CHECK(unknown_words(model, others) == std::array<double, 2>{0.5, 0.25});

  // A word that is known in pieces only is none of the model's.
  const std::vector<Tokens> learned = {{"ab", "ab"}};
  const Vocabulary pieces(std::vector<Tokens>{{"ab", "b@@", "a"}});
  const Translator cutting(Params(1), pieces, pieces, {}, {8, 12, 6}, {.pieces = Bpe(1, {learned})});
  CHECK(unknown_words(cutting, std::vector<SentencePair>{{{"ab", "ba"}, {"c"}, 1}}) ==
        std::array<double, 2>{0.5, 1});
}

TEST_CASE("evaluate: counts against what is known to be written") {
  const Translator silent = translator();
  insist(silent, EOS);  // "" three times: of 4 + 3 + 3 target tokens the three EOS are right
  const Evaluation none = evaluate(silent, pairs);
  CHECK(none.accuracy == Approx(0.3));
  CHECK((none.exact == 0 && none.ended == 3));
  const Translator endless = translator();
  insist(endless, endless.target().id("una"));
  const Evaluation one_word = evaluate(endless, pairs);
  CHECK(one_word.accuracy == Approx(0.2));
  CHECK((one_word.exact == 0 && one_word.ended == 0));
}

TEST_CASE("evaluate: target words the model does not have are left out of loss and accuracy, not of exact") {
  const Translator model = translator();
  const std::vector<SentencePair> unseen = {{{"a", "house"}, {"verde"}, 1}};
  insist(model, EOS);  // the tokens are UNK and EOS, and EOS is certain
  const Evaluation sure = evaluate(model, unseen);
  CHECK(sure.loss == Approx(0).margin(1e-6));
  CHECK(sure.accuracy == 1);
  CHECK(sure.exact == 0);
}

TEST_CASE("evaluate: many pairs are asked in parts, in their order") {
  std::vector<SentencePair> many;
  for (int i = 0; i < 70; ++i) many.push_back(pairs[static_cast<std::size_t>(i % 3)]);
  const Translator model = translator();
  const Evaluation all = evaluate(model, many), three = evaluate(model, pairs);
  REQUIRE(all.written.size() == 70);
  for (std::size_t i = 0; i < 3; ++i) CHECK(all.written[66 + i].words == three.written[i].words);
  std::vector<SentencePair> rest(many.begin() + 69, many.end());
  const double tokens = 23 * 10 + 4;  // 23 times all three, and the first once more
  CHECK(all.loss == Approx((23 * 10 * three.loss + 4 * evaluate(model, rest).loss) / tokens).epsilon(1e-5));
  CHECK_THROWS_WITH(evaluate(model, std::vector<SentencePair>{}), "evaluate: there are no pairs");
}

TEST_CASE("hold_out: the seed says which, both parts keep the order of the corpus") {
  std::vector<SentencePair> corpus;
  for (int line = 1; line <= 20; ++line) corpus.push_back({{"x"}, {"y"}, line});
  const auto lines = [](const std::vector<SentencePair>& list) {
    std::vector<int> numbers;
    for (const SentencePair& pair : list) numbers.push_back(pair.line);
    return numbers;
  };
  std::set<std::vector<int>> choices;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Split split = hold_out(corpus, 4, seed);
    const std::vector<int> held = lines(split.held_out), trained = lines(split.trained);
    CHECK(held.size() == 4);
    CHECK(std::is_sorted(held.begin(), held.end()));
    CHECK(std::is_sorted(trained.begin(), trained.end()));
    std::set<int> both(held.begin(), held.end());
    both.insert(trained.begin(), trained.end());
    CHECK(both.size() == 20);
    CHECK(lines(hold_out(corpus, 4, seed).held_out) == held);
    choices.insert(held);
  }
  CHECK(choices.size() > 5);
  CHECK(hold_out(corpus, 0, 1).held_out.empty());
  CHECK(hold_out(corpus, 20, 1).trained.empty());
  for (const Index count : {-1, 21}) CHECK_THROWS_AS(hold_out(corpus, count, 1), std::invalid_argument);
}
