// Attention's weights changed by hand, and the measures of what that does.
#include <algorithm>
#include <array>
#include <vector>

#include "attention/draw/png.hpp"
#include "examples/kit/figures/moves.hpp"
#include "examples/kit/interventions.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

const std::vector<SentencePair> corpus = {
    {{"a", "blue", "house"}, {"una", "casa", "azul"}, 1},
    {{"two", "houses"}, {"dos", "casas"}, 2},
    {{"here"}, {"aquí", "mismo", "hoy", "no"}, 3},
};

Translator translator(AttentionDecoderOptions options = {}) {
  return Translator(Params(1), Vocabulary(sources(corpus)), Vocabulary(targets(corpus)), std::move(options),
                    {8, 12, 6});
}

Batch batch_of(const Translator& model) { return make_batch(model.ids(corpus)); }

double most_moved(const Translator& model, const Visit& change) {
  const Batch batch = batch_of(model);
  const Steps steps = steps_of(model, batch);
  const Tensor moved =
      total_variation(output_with(model, steps, steps.weights), output_after(model, steps, batch, change));
  return *std::max_element(moved.values().begin(), moved.values().end());
}

const Visit reversed = [](Row row, Index, Index) { std::reverse(row.begin(), row.end()); };

}  // namespace

TEST_CASE("with the weights as they are the output is the decoder's own") {
  for (const AttentionDecoderOptions& options :
       {AttentionDecoderOptions{}, {.score = "dot"}, {.layers = 2}, {.query = Query::previous_state}}) {
    const Translator model = translator(options);
    const Batch batch = batch_of(model);
    const Forced forced = model.decoder().teach(model.read(batch), batch.inputs);
    const Steps steps = steps_of(model, batch);
    CHECK(distance(steps.weights, select(forced.weights, 1, 0)) < 1e-6);
    CHECK(distance(output_with(model, steps, steps.weights), softmax(forced.logits)) < 1e-6);
    CHECK(most_moved(model, [](Row, Index, Index) {}) == 0);
  }
}

TEST_CASE("a change moves the output, unless the output or the states do not care for it") {
  Translator model = translator();
  CHECK(most_moved(model, reversed) > 1e-4);
  const Tensor out = model.params().find("decoder.out.weight");  // [12, 24], [s; c]
  Real* row = out.write();
  for (Index i = 0; i < 12; ++i) std::fill_n(row + i * 24 + 12, 12, Real{0});
  CHECK(most_moved(model, reversed) == 0);

  model = translator();
  const Batch batch = batch_of(model);
  Steps steps = steps_of(model, batch);
  steps.h = Tensor(steps.h.shape(), Real(0.5));  // every state knows the same
  const Tensor moved =
      total_variation(output_with(model, steps, steps.weights), output_after(model, steps, batch, reversed));
  CHECK(*std::max_element(moved.values().begin(), moved.values().end()) < 1e-6);
}

TEST_CASE("every target token is visited with a number for each of its source words, PAD is not") {
  const Translator model = translator();
  const Batch batch = batch_of(model);
  const Tensor weights({3, 5, 3});
  std::vector<std::array<Index, 3>> seen;
  each_row(weights, batch, [&](Row row, Index b, Index t) {
    seen.push_back({b, t, std::ssize(row)});
    row.back() = static_cast<Real>(10 * b + t + 1);
  });
  CHECK(seen == std::vector<std::array<Index, 3>>{{0, 0, 3},
                                                  {0, 1, 3},
                                                  {0, 2, 3},
                                                  {0, 3, 3},
                                                  {1, 0, 2},
                                                  {1, 1, 2},
                                                  {1, 2, 2},
                                                  {2, 0, 1},
                                                  {2, 1, 1},
                                                  {2, 2, 1},
                                                  {2, 3, 1},
                                                  {2, 4, 1}});
  CHECK(weights.at({0, 3, 2}) == 4);
  CHECK(weights.at({1, 2, 1}) == 13);
  CHECK(weights.at({1, 3, 1}) == 0);
  CHECK(weights.at({2, 4, 0}) == 25);
}

TEST_CASE("an intervention changes a copy of the weights") {
  const Translator model = translator();
  const Batch batch = batch_of(model);
  const Steps steps = steps_of(model, batch);
  const Tensor before = steps.weights.detach();
  output_after(model, steps, batch, reversed);
  CHECK(distance(steps.weights, before) == 0);
}

TEST_CASE("weight is put somewhere, or taken away and shared out") {
  std::vector<Real> row{0.5, 0.25, 0.125, 0.125};
  CHECK(largest(row) == 0);
  drop(row, 0);
  CHECK(row == std::vector<Real>{0, 0.5, 0.25, 0.25});
  put(row, std::array<Index, 2>{1, 3});
  CHECK(row == std::vector<Real>{0, 0.5, 0, 0.5});
  put(row, {});
  CHECK(row == std::vector<Real>{0, 0.5, 0, 0.5});
  put(row, std::array<Index, 1>{2});
  CHECK(row == std::vector<Real>{0, 0, 1, 0});
  CHECK(largest(row) == 2);
  std::vector<Real> sharp{Real(1e-9), 1, Real(3e-9)};
  drop(sharp, 1);
  CHECK(sharp[0] == Approx(0.25));
  CHECK(sharp[2] == Approx(0.75));
  drop(row, 2);  // there is nothing that could grow
  CHECK(row == std::vector<Real>{0, 0, 0, 0});

  Random random(1);
  std::array<int, 4> drawn{};
  for (int k = 0; k < 100; ++k)
    ++drawn[static_cast<std::size_t>(other(row, std::array<Index, 2>{1, 3}, random))];
  CHECK((drawn[0] > 20 && drawn[2] > 20 && drawn[1] + drawn[3] == 0));
  CHECK(other(Row(row).first(1), std::array<Index, 1>{0}, random) == 0);  // there is no other
}

TEST_CASE("total variation is the probability that moved") {
  const Tensor p({3, 4}, {0.5, 0.5, 0, 0, 0.25, 0.25, 0.25, 0.25, 1, 0, 0, 0});
  const Tensor q({3, 4}, {0, 0, 0.25, 0.75, 0.25, 0.25, 0.25, 0.25, 0.5, 0.25, 0.25, 0});
  const Tensor moved = total_variation(p, q);
  CHECK(moved.shape() == Shape{3});
  CHECK(moved.at({0}) == 1);  // they share no word
  CHECK(moved.at({1}) == 0);
  CHECK(moved.at({2}) == 0.5);
}

TEST_CASE("Kendall's tau-b") {
  const auto tau = [](std::vector<Real> a, std::vector<Real> b) { return kendall_tau(a, b); };
  CHECK(tau({1, 2, 3, 4}, {10, 20, 30, 400}) == 1);
  CHECK(tau({1, 2, 3, 4}, {4, 3, 2, 1}) == -1);
  CHECK(tau({1, 2, 3, 4}, {1, 2, 4, 3}) == Approx(4 / 6.));              // five pairs agree, one does not
  CHECK(tau({1, 2, 2, 3}, {1, 2, 3, 4}) == Approx(5 / std::sqrt(30.)));  // five pairs agree, one is tied in a
  CHECK(tau({1, 1, 1}, {1, 2, 3}) == 0);
  CHECK(tau({1}, {1}) == 0);
  CHECK_THROWS_AS(tau({1, 2}, {1}), std::invalid_argument);
}

TEST_CASE("a state is made of the words up to it, and the parameters' gradients are dropped") {
  const Translator model = translator();
  const Batch batch = batch_of(model);
  const Tensor shares = word_shares(model, batch);
  CHECK(shares.shape() == Shape{3, 3, 3});
  CHECK(shares.at({0, 0, 0}) == 1);
  CHECK(shares.at({0, 0, 1}) == 0);
  for (Index i = 0; i < 3; ++i) {
    CHECK(sum(shares.select(0).select(i)).item() == Approx(1));
    for (Index j = 0; j <= i; ++j) CHECK(shares.at({0, i, j}) > 0);
  }
  const Tensor gradients = word_gradients(model, batch);
  CHECK(gradients.shape() == Shape{3, 5, 3});
  CHECK(gradients.at({1, 2, 1}) > 0);
  CHECK(gradients.at({1, 2, 2}) == 0);  // PAD of the source
  CHECK(gradients.at({1, 3, 0}) == 0);  // PAD of the target
  for (const Param& p : model.params().all()) CHECK(!p.value.has_grad());
}

TEST_CASE("moves by entropy: means over fifths, of five tokens or more") {
  Moves moves{"name"};
  for (const float how_far : {0.f, 1.f, 0.5f, 0.5f, 0.25f})
    moves.add(std::array{0.25f, 0.25f, 0.25f, 0.25f}, how_far);
  for (int k = 0; k < 4; ++k) moves.add(std::array{0.f, 1.f}, 1);
  CHECK(moves.entropy[0] == Approx(1));
  CHECK(moves.entropy[5] == 0);
  Line line = mean_moves(moves);
  CHECK(line.x == std::vector<float>{0.9f});
  CHECK(line.y == std::vector<float>{0.45f});
  moves.add(std::array{1.f}, 1);  // a sentence of one word
  line = mean_moves(moves);
  CHECK(line.x == std::vector<float>{0.1f, 0.9f});
  CHECK(line.y == std::vector<float>{1, 0.45f});
  CHECK(list_moves(moves).find("0.1 ~1.00  0.3 ~-  0.5 ~-  0.7 ~-  0.9 ~0.45") != std::string::npos);
  Moves others = moves;
  others.moved[9] = 0;
  CHECK(encode_png(draw_moves(std::array{moves})) != encode_png(draw_moves(std::array{others})));
}

TEST_CASE("what is kept stands beside the weights") {
  const Where where{{{"una"}, {"a", "house"}, {0.75f, 0.25f}, "t"}, {1, 0}};
  Where other = where;
  other.kept = {0, 1};
  const Image image = draw_where(std::array{where});
  CHECK(encode_png(image) != encode_png(draw_where(std::array{other})));
  CHECK(draw_where(std::array{where, other}).height > image.height);
}
