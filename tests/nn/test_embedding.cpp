// Rows of numbers for words.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/ops.hpp"
#include "nn/adam.hpp"
#include "nn/embedding.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

using namespace lookback;

TEST_CASE("an embedding gives each word its row") {
  const Params params(1);
  const Embedding embed(params, 6, 3);
  const Tensor y = embed(Ids({2, 2}, {4, PAD, 5, 4}));
  CHECK(y.shape() == Shape({2, 2, 3}));
  CHECK(distance(y.select(0).select(0), embed.weight.select(4)) == 0);
  CHECK(distance(y.select(1).select(1), embed.weight.select(4)) == 0);
  CHECK(all_zero(y.select(0).select(1)));
  CHECK(embed(Ids({}, 4)).shape() == Shape{3});
  CHECK(embed(Ids(Shape{0})).shape() == Shape({0, 3}));
  CHECK(all_zero(Embedding(params["one word"], 1, 1).weight));  // PAD is that word
  CHECK(Embedding(params["no word"], 0, 3).weight.size() == 0);
}

TEST_CASE("the row of PAD is zero and stays so in training, and words not read stay too") {
  const Params params(1);
  const Embedding embed(params, 6, 3);
  const Tensor before = embed.weight.detach();
  Adam adam({.rate = Real(0.1)});
  for (int i = 0; i < 3; ++i) {
    {
      Tape tape;
      tape.backward(sum(embed(Ids({4}, {4, PAD, 4, 5}))));
    }
    adam.step(params);
  }
  CHECK(all_zero(embed.weight.select(PAD)));
  CHECK(distance(embed.weight.select(3), before.select(3)) == 0);
  CHECK(distance(embed.weight.select(4), before.select(4)) > 0.1);
}

TEST_CASE("case 16: ids out of range are refused before memory is touched") {
  const Params params(1);
  const Embedding embed(params, 5, 2);
  Tape tape;
  for (const std::int32_t id : {-1, 5, INT32_MAX}) {
    const Ids ids({1, 2}, {4, id});
    CHECK_THROWS_WITH(embed(ids),
                      "lookup: id " + std::to_string(id) + " at place 1 of [1, 2] is not in 0 .. 4 (V = 5)");
    CHECK_THROWS_AS(embed(ids), std::out_of_range);
  }
  CHECK(tape.size() == 0);
  Ids ids(Shape{1}, 4);
  const Tensor y = sum(embed(ids));
  ids.values[0] = INT32_MAX;  // backward has its own copy
  tape.backward(y);
  CHECK(distance(embed.weight.grad_tensor().select(4), Tensor({2}, 1)) == 0);
}
