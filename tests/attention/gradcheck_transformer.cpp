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
  check("dropped", {x, memory}, params, [&] {
    Random stream(3);  // the same draws every time
    return attend(x, attend.read(memory, mask), false, Real(0.4), &stream).output;
  });
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
