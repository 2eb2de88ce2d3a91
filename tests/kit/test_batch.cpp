// Batches: Note II's layout.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/kit/batch.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;
using Words = std::vector<std::int32_t>;

const std::vector<IdPair> pairs = {{{4, 5, 6}, {7}}, {{8}, {9, 10, 11}}, {{5, 4}, {8, 7}}};

}  // namespace

TEST_CASE("a batch: inputs are GO + y, targets y + EOS, PAD after the end") {
  const Batch batch = make_batch(pairs);
  CHECK(batch.lengths == std::vector<Index>{3, 1, 2});
  CHECK(batch.source.shape == Shape({3, 3}));
  CHECK(batch.source.values == Words{4, 5, 6, 8, PAD, PAD, 5, 4, PAD});
  CHECK(batch.mask.shape == Shape({3, 3}));
  CHECK(batch.mask.values == std::vector<std::uint8_t>{1, 1, 1, 1, 0, 0, 1, 1, 0});
  CHECK(batch.inputs.shape == Shape({3, 4}));
  CHECK(batch.inputs.values == Words{GO, 7, PAD, PAD, GO, 9, 10, 11, GO, 8, 7, PAD});
  CHECK(batch.targets.shape == Shape({3, 4}));
  CHECK(batch.targets.values == Words{7, EOS, PAD, PAD, 9, 10, 11, EOS, 8, 7, EOS, PAD});
  CHECK(batch.tokens == 2 + 4 + 3);
}

TEST_CASE("case 11: a batch of one pair of one word") {
  const Batch batch = make_batch(std::vector<IdPair>{{{4}, {5}}});
  CHECK(batch.source.values == Words{4});
  CHECK(batch.inputs.values == Words{GO, 5});
  CHECK(batch.targets.values == Words{5, EOS});
  CHECK(batch.tokens == 2);
}

TEST_CASE("target weights: 1 for words and EOS, 0 for PAD") {
  const Tensor weights = target_weights(make_batch(pairs));
  CHECK(weights.shape() == Shape({3, 4}));
  const std::vector<Real> want{1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0};
  CHECK(std::vector<Real>(weights.values().begin(), weights.values().end()) == want);
}

TEST_CASE("batches keep the order of the pairs, the last one has what is left") {
  const std::vector<Batch> batches = make_batches(pairs, 2);
  REQUIRE(batches.size() == 2);
  CHECK(batches[0].source.values == Words{4, 5, 6, 8, PAD, PAD});
  CHECK(batches[1].source.values == Words{5, 4});  // its own longest
  CHECK(batches[1].targets.values == Words{8, 7, EOS});
  CHECK(make_batches(pairs, 1).size() == 3);
  CHECK(make_batches(pairs, 3).size() == 1);
  CHECK(make_batches(pairs, 100).size() == 1);
  CHECK(make_batches({}, 2).empty());
}

TEST_CASE("a batch can be longer than its pairs") {
  const Batch batch = make_batch(std::vector<IdPair>{{{4, 5}, {7}}}, {.S = 4, .T = 3});
  CHECK(batch.source.values == Words{4, 5, PAD, PAD});
  CHECK(batch.mask.values == std::vector<std::uint8_t>{1, 1, 0, 0});
  CHECK(batch.inputs.values == Words{GO, 7, PAD});
  CHECK(batch.targets.values == Words{7, EOS, PAD});
  CHECK(batch.lengths == std::vector<Index>{2});
  CHECK(batch.tokens == 2);
  CHECK(make_batch(pairs, {.S = 2, .T = 1}).source.shape == Shape({3, 3}));  // but never shorter
  for (const Batch& b : make_batches(pairs, 2, {.S = 5})) CHECK(b.source.shape[1] == 5);
}

TEST_CASE("buckets: the first that holds both sides, padded to its bounds, in the order of the corpus") {
  const Bounds bounds[] = {{2, 3}, {2, 4}, {9, 9}};
  const std::vector<Batch> batches = make_buckets(pairs, bounds);
  REQUIRE(batches.size() == 3);
  CHECK(batches[0].source.values == Words{5, 4});  // S = 2, and T = 3 with EOS: just held
  CHECK(batches[0].targets.values == Words{8, 7, EOS});
  CHECK(batches[1].source.values == Words{8, PAD});  // a short source whose target is too long for the first
  CHECK(batches[2].source.values == Words{4, 5, 6, PAD, PAD, PAD, PAD, PAD, PAD});
  CHECK(batches[2].targets.shape == Shape({1, 9}));

  const std::vector<Batch> wide = make_buckets(pairs, std::vector<Bounds>{{1, 1}, {3, 4}}, 2);
  REQUIRE(wide.size() == 2);  // nothing in the first; two pairs and one in the second
  CHECK(wide[0].source.values == Words{4, 5, 6, 8, PAD, PAD});
  CHECK(wide[1].source.values == Words{5, 4, PAD});
  CHECK_THROWS_WITH(make_buckets(pairs, std::vector<Bounds>{{3, 3}}),
                    "make_buckets: S = 1 and T = 4 fit into no bucket");
  CHECK_THROWS_AS(make_buckets(pairs, bounds, 0), std::invalid_argument);
}

TEST_CASE("case 10: a pair with an empty side is refused by its place") {
  using List = std::vector<IdPair>;
  CHECK_THROWS_WITH(make_batch(List{{{4}, {5}}, {{}, {5}}}), "make_batch: pair 1 has an empty source");
  CHECK_THROWS_WITH(make_batch(List{{{4}, {}}}), "make_batch: pair 0 has an empty target");
  CHECK_THROWS_WITH(make_batch({}), "make_batch: there are no pairs");
  CHECK_THROWS_AS(make_batch({}), std::invalid_argument);
  for (const Index size : {0, -1})
    CHECK_THROWS_WITH(make_batches(pairs, size),
                      "make_batches: a batch of " + std::to_string(size) + " pairs is none");
}
