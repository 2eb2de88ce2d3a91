// What an encoder hands over: the bottleneck, last states, rows of a batch.
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "attention/greedy.hpp"
#include "attention/multi_head.hpp"
#include "core/gradcheck.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;
using Lengths = std::vector<Index>;
using Kept = std::vector<std::uint8_t>;

const Tensor h({2, 3, 1}, {1, 2, 3, 4, 5, 6}), last({2, 1}, {7, 8}), last_c({2, 1}, {9, 10});

}  // namespace

TEST_CASE("limit_memory: the first or the last state, a blank sentence masked") {
  for (const Mask& mask : {Mask::lengths(Lengths{2, 0}, 3), Mask()}) {
    const Encoded whole_source{h, last, mask, last_c}, first = limit_memory(whole_source, MemoryLimit::first),
                                                       final = limit_memory(whole_source, MemoryLimit::last),
                                                       all = limit_memory(whole_source, MemoryLimit::all);
    const bool whole = mask.empty();
    CHECK(distance(first.h, Tensor({2, 1, 1}, {1, 4})) == 0);
    CHECK(distance(final.h, whole ? Tensor({2, 1, 1}, {3, 6}) : Tensor({2, 1, 1}, {2, 0})) == 0);
    CHECK(distance(all.h, h) == 0);
    for (const Encoded& one : {first, final}) {
      CHECK(one.mask.shape == Shape({2, 1}));
      CHECK(one.mask.values == Kept{1, whole});
      CHECK(distance(one.last, last) == 0);
      CHECK(distance(one.last_c, last_c) == 0);
    }
  }
}

TEST_CASE("limit_memory of sources without places: state 0, masked") {
  for (const MemoryLimit limit : {MemoryLimit::first, MemoryLimit::last})
    for (const Mask& mask : {Mask(Shape{2, 0}, {}), Mask()}) {
      const Encoded one = limit_memory({Tensor({2, 0, 3}), Tensor({2, 3}), mask}, limit);
      CHECK(distance(one.h, Tensor({2, 1, 3})) == 0);
      CHECK(one.mask.values == Kept{0, 0});
    }
}

TEST_CASE("last_states and has_source refuse a mask of another shape, and a sentence that is not there") {
  for (const Mask& mask : {Mask({1, 3}, {1, 1, 0}), Mask({2, 2}, Kept(4, 1)), Mask({2, 1, 3}, Kept(6, 1))}) {
    const std::string needs = "([2, 3, 1]): the mask " + to_string(mask.shape) + " needs the shape [2, 3]";
    CHECK_THROWS_WITH(last_states(h, mask), "last_states" + needs);
    CHECK_THROWS_WITH(has_source({h, last, mask}, 0), "has_source" + needs);
  }
  CHECK_THROWS_WITH(last_states(last, {}), "last_states([2, 1]): the states need the shape [B, S, H]");
  for (const Mask& mask : {Mask(), Mask({2, 3}, Kept(6, 1))})
    for (const Index b : {-1, 2})
      CHECK_THROWS_WITH(has_source({h, last, mask}, b),
                        "has_source([2, 3, 1]): there is no sentence " + std::to_string(b));
}

TEST_CASE("select_rows: one sentence three times is three sentences, masks too") {
  const AttentionDecoder decoder(Params(2), {6, 4, 4, 4, 3});
  const Memory one =
      decoder.read({random_leaf({1, 40, 4}, 1), random_leaf({1, 4}, 2), Mask::lengths(Lengths{2}, 40)});
  const Memory three = select_rows(one, Ids({3}, 0));
  CHECK(three.encoded.h.shape() == Shape({3, 40, 4}));
  CHECK(three.encoded.mask.shape == Shape({3, 40}));
  CHECK(three.keys[0].mask.shape == Shape({3, 1, 40}));
  const Greedy alone = greedy_decode(decoder, one, 4), together = greedy_decode(decoder, three, 4);
  for (std::size_t b = 0; b < 3; ++b) CHECK(together.sentences[b].ids == alone.sentences[0].ids);
  CHECK(distance(last_states(three.encoded.h, three.encoded.mask).select(2),
                 last_states(one.encoded.h, one.encoded.mask).select(0)) == 0);
}

TEST_CASE("select_rows: rows in the order named, and none that is not there") {
  const Memory memory{{h, last, Mask({2, 3}, {1, 0, 0, 1, 1, 1}), last_c}, {}};
  const Encoded picked = select_rows(memory, Ids({3}, {1, 0, 1})).encoded;
  CHECK(distance(picked.h, Tensor({3, 3, 1}, {4, 5, 6, 1, 2, 3, 4, 5, 6})) == 0);
  CHECK(distance(picked.last_c, Tensor({3, 1}, {10, 9, 10})) == 0);
  CHECK(picked.mask.values == Kept{1, 1, 1, 1, 0, 0, 1, 1, 1});
  CHECK_THROWS_AS(select_rows(memory, Ids({1}, 2)), std::out_of_range);
  const Memory narrow{{h, last, Mask({1, 3}, Kept(3, 1))}, {}};
  CHECK_THROWS_WITH(select_rows(narrow, Ids({2}, {0, 1})), ContainsSubstring("select_rows: id 1 at place 1"));
}

TEST_CASE("one memory slot: the softmax is 1 and query and key maps get exactly no gradient") {
  const Params params(1);
  const MultiHead attend(params, 4, 2);
  const Tensor x = random_leaf({2, 3, 4}, 1), h = random_leaf({2, 5, 4}, 2);
  const Encoded one = limit_memory({h, {}, Mask::lengths(std::vector<Index>{5, 2}, 5)}, MemoryLimit::last);
  CHECK(distance(one.h.select(1).select(0), h.select(1).select(1)) == 0);
  Tape tape;
  const MultiHeaded a = attend(x, attend.read(one.h, one.mask));
  CHECK(distance(a.weights, Tensor(a.weights.shape(), 1)) == 0);
  tape.backward(sum(a.output));
  const Tensor d = params.find("in_proj_weight").grad_tensor();  // [3E, E]
  CHECK(all_zero(slice(d, 0, 0, 8)));
  CHECK_FALSE(all_zero(slice(d, 0, 8, 12)));
}
