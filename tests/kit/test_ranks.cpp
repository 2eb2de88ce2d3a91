// What several processes share: the batch, by pairs; and what one process alone makes of the rest.
#include <algorithm>
#include <vector>

#include "examples/kit/models.hpp"
#include "nn/adam.hpp"
#include "nn/ranks.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

const std::vector<IdPair> pairs{
    {{4, 5}, {5, 6, 7}}, {{6}, {4}}, {{5, 6, 7, 4}, {4, 4}}, {{7, 7}, {6, 5, 4, 5}}};

std::unique_ptr<TranslationModel> model(const std::string& name) {
  const Vocabulary words(std::vector<Tokens>{{"a", "b", "c", "d"}});  // 4 to 7
  ModelOptions options{.ends = false};
  options.sizes = {.width = 8, .heads = 2, .feed_forward = 8, .dropout = 0};
  return make_model(name, Params(1), words, words, options);
}

}  // namespace

TEST_CASE("the shares of a batch hold each of its pairs once, padded no further than their own longest") {
  const Batch batch = make_batch(pairs);
  for (Index parts = 1; parts <= 6; ++parts) {
    std::vector<Index> lengths(pairs.size());
    Index tokens = 0;
    for (Index part = 0; part < parts; ++part) {
      const Batch mine = share(batch, part, parts);
      CHECK(std::ssize(mine.lengths) == std::max(Index{0}, (std::ssize(pairs) - part + parts - 1) / parts));
      tokens += mine.tokens;
      for (std::size_t i = 0; i < mine.lengths.size(); ++i)
        lengths[static_cast<std::size_t>(part) + i * static_cast<std::size_t>(parts)] += mine.lengths[i];
    }
    CHECK(tokens == batch.tokens);
    CHECK(lengths == batch.lengths);
  }
  const Batch mine = share(batch, 1, 3), alone = make_batch(std::span(pairs).subspan(1, 1));
  CHECK(mine.source.values == alone.source.values);
  CHECK(mine.inputs.values == alone.inputs.values);
  CHECK(mine.targets.values == alone.targets.values);
  CHECK(mine.mask.values == alone.mask.values);
}

TEST_CASE(
    "losses and gradients of the shares, each by its part of the tokens, add up to those of the batch") {
  const Batch batch = make_batch(pairs);
  for (const char* name : {"all", "gru-additive", "lstm-none"}) {
    const auto m = model(name);
    const std::vector<Tensor> all = tensors_of(m->params());
    const std::vector<Tensor> whole = gradients(all, [&] { return m->loss(batch); });
    for (const Index parts : {2, 3, 6}) {
      const auto summed = [&] {
        Tensor sum({}, 0);
        for (Index part = 0; part < parts; ++part) {
          const Batch mine = share(batch, part, parts);
          if (mine.lengths.empty()) continue;
          sum = sum + scale(m->loss(mine), static_cast<Real>(mine.tokens) / static_cast<Real>(batch.tokens));
        }
        return sum;
      };
      CHECK(summed().item() == Approx(m->loss(batch).item()).epsilon(1e-6));
      CHECK(distance(gradients(all, summed), whole) < 1e-6);
    }
  }
}

TEST_CASE("without a job there is one rank, and what ranks have to agree on is what it has") {
  Params params(1);
  const Tensor w = params.add("w", {3}, normal(1)), u = params.add("u", {2}, ones);
  Adam adam;
  w.grad()[1] = Real(0.1);
  const Tensor before = w.detach();
  Index step = 7;
  start_as_first(params, adam, step);
  CHECK((rank() == 0 && ranks() == 1 && step == 7));
  CHECK(from_first("text") == "text");
  CHECK(sum_over_ranks(params, 0.1) == 0.1);
  CHECK((w.grad()[0] == 0 && w.grad()[1] == Real(0.1)));
  CHECK_FALSE(u.has_grad());
  CHECK(distance(w, before) == 0);
}
