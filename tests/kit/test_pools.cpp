// Batches of sentences of about one length, and training on others in every epoch.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/ops.hpp"
#include "examples/kit/pools.hpp"
#include "examples/kit/train.hpp"
#include "tests/catch.hpp"
#include "tests/stderr_text.hpp"

namespace {

using namespace lookback;

constexpr std::int32_t pairs_there_are = 230;

std::vector<IdPair> random_pairs() {  // pair k begins with 4 + k
  Random random(1);
  std::vector<IdPair> pairs;
  for (std::int32_t k = 0; k < pairs_there_are; ++k) {
    pairs.push_back({{4 + k}, {}});
    pairs.back().source.resize(static_cast<std::size_t>(1 + random.below(9)), 4);
    pairs.back().target.resize(static_cast<std::size_t>(1 + random.below(9)), 4);
  }
  return pairs;
}

std::vector<std::int32_t> firsts(const std::vector<Batch>& batches) {
  std::vector<std::int32_t> all;
  for (const Batch& batch : batches) {
    const Ids column = batch.source.column(0);
    all.insert(all.end(), column.values.begin(), column.values.end());
  }
  return all;
}

Index padding(const std::vector<Batch>& batches) {
  Index n = 0;
  for (const Batch& batch : batches) n += batch.targets.size() - batch.tokens;
  return n;
}

}  // namespace

TEST_CASE("pools hold every pair once, of about one length, in an order that the stream decides") {
  const std::vector<IdPair> pairs = random_pairs();
  Random one(1), same(1), two(2);
  const std::vector<Batch> batches = make_pools(pairs, 8, 10, one);
  CHECK(batches.size() == 29);  // pools of 80, 80 and 70 pairs: 10, 10 and 9 batches
  std::vector<std::int32_t> order = firsts(batches);
  CHECK(order == firsts(make_pools(pairs, 8, 10, same)));
  CHECK(order != firsts(make_pools(pairs, 8, 10, two)));
  CHECK(order != firsts(make_pools(pairs, 8, 10, one)));  // the stream has moved on
  std::sort(order.begin(), order.end());
  for (std::int32_t k = 0; k < pairs_there_are; ++k) CHECK(order[static_cast<std::size_t>(k)] == 4 + k);
  CHECK(padding(batches) * 4 < padding(make_batches(pairs, 8)));
  for (const Batch& batch : batches) {  // by target, then by source
    const auto length = [&](std::size_t b) {
      const auto row = batch.targets.values.begin() + static_cast<Index>(b) * batch.targets.shape[1];
      return std::pair(std::find(row, row + batch.targets.shape[1], EOS) - row, batch.lengths[b]);
    };
    for (std::size_t b = 1; b < batch.lengths.size(); ++b) CHECK(length(b - 1) <= length(b));
  }
  for (const auto& [size, pool] : {std::pair<Index, Index>{0, 1}, {1, 0}})
    CHECK_THROWS_AS(make_pools(pairs, size, pool, one), std::invalid_argument);
  CHECK(make_pools({}, 8, 10, one).empty());
}

TEST_CASE("training asks for the batches of every epoch, equally many, and warms up") {
  const std::vector<IdPair> pairs = random_pairs();
  const Params params(1);
  const Tensor w = params.add("w", {}, zeros);
  std::vector<std::int32_t> asked, order, all;
  std::vector<Real> rates;
  const auto batches_of = [&](int epoch) {
    asked.push_back(epoch);
    Random random(static_cast<std::uint64_t>(epoch));
    return make_pools(pairs, 64, 1, random);  // 4 batches
  };
  Real before = 0;
  const auto loss = [&](const Batch& batch) {
    order.push_back(batch.source.values[0]);
    rates.push_back(before - w.item());  // Adam moves by the rate while all gradients are 1
    before = w.item();
    return sum(w);
  };
  stderr_text([&] { train(params, batches_of, loss, {.epochs = 3, .rate = Real(0.1), .warmup = 4}); });
  CHECK(asked == std::vector<std::int32_t>{1, 2, 3});
  for (int epoch = 1; epoch <= 3; ++epoch)
    for (const Batch& batch : batches_of(epoch)) all.push_back(batch.source.values[0]);
  CHECK(order == all);
  for (std::size_t step = 1; step < rates.size(); ++step)
    CHECK(rates[step] == Approx(step < 4 ? 0.025 * static_cast<double>(step) : 0.1).epsilon(1e-3));
  const auto fewer = [&](int epoch) { return make_batches(pairs, 64 * epoch); };
  stderr_text([&] {
    CHECK_THROWS_WITH(train(params, fewer, loss, {.epochs = 2}), "train: epoch 2 has 2 batches, the first 4");
  });
}
