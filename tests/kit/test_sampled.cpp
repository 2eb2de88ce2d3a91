// Sampled softmax in a translator and in a readout by itself, and the picture of its sum.
#include <cmath>
#include <numeric>
#include <vector>

#include "attention/draw/png.hpp"
#include "core/kernels/parallel.hpp"
#include "examples/kit/figures/sampled_words.hpp"
#include "examples/kit/sampled_loss.hpp"
#include "examples/kit/sampled_readout.hpp"
#include "nn/loss.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

// All V words, each certain to be drawn: ln Q = 0.
Sampled every_word(Index V, Index labels) {
  Sampled s{Ids(Shape{V}, 0), std::vector<Real>(static_cast<std::size_t>(V)),
            std::vector<Real>(static_cast<std::size_t>(labels))};
  std::iota(s.words.values.begin(), s.words.values.end(), 0);
  return s;
}

const std::vector<SampledWord> words = {{"de", 0.5, 0.75, 0, false, true},
                                        {"la", 0.3, 0.5, std::log(2.0), true, true},
                                        {"el", 0.2, 0.25, std::log(3.0), false, false}};

int blue_pixels(const Image& image) {
  int n = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) n += image.at(x, y) == Colour{38, 98, 168};
  return n;
}

}  // namespace

TEST_CASE("a translator's sampled loss over all words is its loss, gradients and padding included") {
  const std::vector<SentencePair> pairs = {{{"a", "blue", "house"}, {"una", "casa", "azul"}, 1},
                                           {{"two"}, {"dos"}, 2}};
  const Translator model(Params(1), Vocabulary(sources(pairs)), Vocabulary(targets(pairs)), {}, {6, 8, 5});
  const Batch batch = make_batch(model.ids(pairs));
  REQUIRE(batch.tokens < batch.targets.size());  // there is a PAD
  const Sampled all = every_word(model.target().size(), batch.targets.size());
  CHECK(sampled_loss(model, batch, all).item() == Approx(model.loss(batch).item()).epsilon(1e-5));
  const auto weights = tensors_of(model.params());
  CHECK(distance(gradients(weights, [&] { return sampled_loss(model, batch, all); }),
                 gradients(weights, [&] { return model.loss(batch); })) <= 1e-5);
}

TEST_CASE("each rule of a sampled readout takes off what it says") {
  const ReadoutTask task = readout_task(5, 4, 12, Params(1));
  const Tensor full = cross_entropy(task.readout(task.x), task.labels);
  const auto& [both, others, neither, hits] = sampled_rules;
  Random random(1);
  CHECK(sampled(neither, task, 12, random).item() == Approx(full.item()).epsilon(1e-5));
  for (const SampledRule* rule : {&both, &others, &neither, &hits}) {
    Random first(2), again(2);
    Sampled s = sample_log_uniform(task.labels, 9, 12, first);
    if (rule == &others || rule == &neither) s.log_q_true = {0, 0, 0, 0, 0};
    if (rule == &neither) s.log_q = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    const Tensor want =
        sampled_softmax(task.x, task.readout.weight, task.readout.bias, task.labels, s, rule == &hits);
    CHECK(sampled(*rule, task, 9, again).item() == Approx(mean(want).item()));
  }
}

TEST_CASE("a text has its words as often as P says, and P sums to 1") {
  constexpr Index V = 6, N = 20'000;
  Random random(3);
  std::vector<double> count(V);
  for (const std::int32_t id : log_uniform_words(N, V, random).values)
    count[static_cast<std::size_t>(id)] += 1;
  double total = 0;
  for (Index k = 0; k < V; ++k) {
    const double p = log_uniform(k, V);
    CHECK(count[static_cast<std::size_t>(k)] / N == Approx(p).margin(5 * std::sqrt(p * (1 - p) / N)));
    total += p;
  }
  CHECK(total == Approx(1));
}

TEST_CASE("with ln Q off both logits a readout learns the frequencies, without it a flatter law") {
  constexpr Index V = 20;
  const Tensor right = learn_frequencies(sampled_rules[0], 8, V, 300, 1),
               wrong = learn_frequencies(sampled_rules[2], 8, V, 300, 1);
  for (const Index k : {0, 1, 5}) CHECK(std::exp(right.at({k})) == Approx(log_uniform(k, V)).epsilon(0.15));
  CHECK(std::exp(wrong.at({0})) < log_uniform(0, V) / 2);
  CHECK(sum(exp(right)).item() == Approx(1).epsilon(1e-4));
}

TEST_CASE("a step's products: three for the full softmax, three with the samples alone for the sampled one") {
  const StepCost full = step_cost(6, 4, 50, 0, 1), few = step_cost(6, 4, 50, 10, 1);
  CHECK(full.multiply_adds == 3 * 6 * 4 * 50);
  CHECK(few.multiply_adds == 3 * 6 * 4 * 10);
  for (const StepCost* cost : {&full, &few}) {
    CHECK((cost->loss_ms > 0 && cost->loss_ms < 1e9));
    CHECK((cost->adam_ms > 0 && cost->adam_ms < 1e9));
  }
}

TEST_CASE("sampled words as a table: o - ln Q, the sum of those that count, the loss") {
  const std::string table = list_sampled(words);
  // exp(o - ln Q): 1 / 0.75 and 2 / 0.5; the loss is ln((4 + 4/3) / 4).
  CHECK(table.find("loss = -1.386 + ln 5.333 = 0.2877") != std::string::npos);
  CHECK(
      table.find("  la     1  0.300  0.500  -0.693    0.693     1.386          4.000  the right word; drawn "
                 "too, counted once\n") != std::string::npos);
  CHECK(table.find("el") == std::string::npos);  // not drawn
}

TEST_CASE("sampled words as a picture: a bar in full colour for the right word in both columns") {
  const Image image = draw_sampled(words);
  CHECK(encode_png(draw_sampled(words)) == encode_png(image));
  std::vector<SampledWord> other = words;
  other[1].Q = 0.25;  // its own two bars stay as they are: 2 of at most 3
  CHECK(blue_pixels(draw_sampled(other)) == blue_pixels(image));
  CHECK(blue_pixels(image) > 2 * 22 * 100);
  other[1].o = 0;  // 1 of at most 3: half as long
  CHECK(blue_pixels(draw_sampled(other)) == Approx(blue_pixels(image) / 2).epsilon(0.02));
  other.push_back(other[0]);
  CHECK(draw_sampled(other).height == image.height + 34);
}

TEST_CASE("sampled words of which not one alone is right are refused") {
  std::vector<SampledWord> wrong = words;
  wrong[0].right = true;
  for (const bool none : {false, true}) {
    if (none) wrong[0].right = wrong[1].right = false;
    CHECK_THROWS_WITH(list_sampled(wrong), "sampled words: one of them is the right one");
    CHECK_THROWS_WITH(draw_sampled(wrong), "sampled words: one of them is the right one");
  }
}
