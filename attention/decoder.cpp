#include "attention/decoder.hpp"

#include "nn/control_ids.hpp"

namespace lookback::inline LOOKBACK_NS {

// [feed_previous]
Forced feed_previous(const Decoder& decoder, const Memory& memory, Index T) {
  State state = decoder.start(memory);
  Ids previous(Shape{memory.encoded.h.shape()[0]}, GO);
  std::vector<Tensor> logits, weights;
  for (Index t = 0; t < T; ++t) {
    const Step step = decoder.step(memory, previous, state);
    previous = argmax(step.logits);
    logits.push_back(step.logits);
    weights.push_back(step.weights);
  }
  return {stack(logits, 1), stack(weights, 2)};
}
// [/feed_previous]

}  // namespace lookback::inline LOOKBACK_NS
