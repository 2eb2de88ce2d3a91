// Multi-head attention and the Transformer against finite differences; the cache against all steps at once.
#include <vector>

#include "attention/transformer.hpp"
#include "core/gradcheck.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

void check(const char* name, std::vector<Tensor> inputs, const Params& params,
           const std::function<Tensor()>& f) {
  for (const Tensor& p : tensors_of(params)) inputs.push_back(p);
  const Gradcheck result = gradcheck(name, inputs, f);
  INFO(result.failure);
  CHECK(result);
}

constexpr TransformerOptions small(Norm norm, Index layers = 1) {
  return {.width = 4, .heads = 2, .feed_forward = 3, .layers = layers, .norm = norm};
}

}  // namespace

TEST_CASE("case 6: multi-head attention, over a memory and itself, masked and causal") {
  const Params params(1);
  const MultiHead attend(params, 4, 2);
  const Tensor x = random_leaf({2, 3, 4}, 1), memory = random_leaf({2, 5, 4}, 2);
  const Mask mask = Mask::lengths(std::vector<Index>{5, 2}, 5);
  check("cross", {x, memory}, params, [&] { return attend(x, attend.read(memory, mask)).output; });
  check("cross weights", {x, memory}, params, [&] { return attend(x, attend.read(memory, mask)).weights; });
  check("self", {x}, params, [&] { return attend.self(x, {}, true).output; });
}

TEST_CASE("case 6: Transformer layers, post- and pre-norm") {
  for (const Norm norm : {Norm::post, Norm::pre}) {
    const Params params(1);
    const EncoderLayer encode(params["encoder"], small(norm));
    const DecoderLayer decode(params["decoder"], small(norm));
    const Tensor x = random_leaf({2, 3, 4}, 1), y = random_leaf({2, 2, 4}, 2);
    const Mask mask = Mask::lengths(std::vector<Index>{3, 2}, 3);
    check("layers", {x, y}, params, [&] { return decode(y, decode.read(encode(x, mask), mask)).x; });
  }
}

TEST_CASE("the Transformer's teacher-forced logits equal its step-by-step logits, for every memory") {
  for (const Norm norm : {Norm::post, Norm::pre})
    for (const Index layers : {1, 2})
      for (const MemoryLimit limit : {MemoryLimit::all, MemoryLimit::first, MemoryLimit::last}) {
        const Params params(1);
        const TransformerEncoder encode(params["encoder"], 9, small(norm, layers));
        const TransformerDecoder decode(params["decoder"], 8, small(norm, layers));
        const std::vector<Index> lengths = {4, 2};
        const Ids source({2, 4}, {4, 5, 6, 7, 8, 4, 0, 0}), inputs({2, 3}, {1, 4, 5, 1, 6, 7});
        const Memory memory = decode.read(limit_memory(encode(source, lengths), limit));
        const Forced forced = decode.teach(memory, inputs);
        State state = decode.start(memory);
        for (Index t = 0; t < 3; ++t) {
          const Step step = decode.step(memory, inputs.column(t), state);
          CHECK(distance(step.logits, select(forced.logits, 1, t)) <= 1e-9);
          CHECK(distance(step.weights, select(forced.weights, 2, t)) <= 1e-9);
        }
        // Sentence 1 alone, without its padding.
        const Memory alone =
            decode.read(limit_memory(encode(Ids({1, 2}, {8, 4}), std::vector<Index>{2}), limit));
        const Tensor logits = decode.teach(alone, Ids({1, 3}, {1, 6, 7})).logits;
        CHECK(distance(logits.select(0), forced.logits.select(1)) <= 1e-9);
      }
}
