#include "attention/greedy.hpp"

#include <algorithm>

#include "nn/control_ids.hpp"

namespace lookback::inline LOOKBACK_NS {

Greedy greedy_decode(const Decoder& decoder, const Memory& memory, Index limit) {
  const Index B = memory.encoded.h.shape()[0], S = memory.encoded.h.shape()[1];
  Greedy result{std::vector<Written>(static_cast<std::size_t>(B)), {}};
  for (Index b = 0; b < B; ++b)
    result.sentences[static_cast<std::size_t>(b)].ended = !has_source(memory.encoded, b);

  State state = decoder.start(memory);
  Ids previous(Shape{B}, GO);
  std::vector<Tensor> weights;  // [B, heads, S] of each step
  const auto ended = [](const Written& w) { return w.ended; };
  for (Index t = 0; t < limit && !std::all_of(result.sentences.begin(), result.sentences.end(), ended); ++t) {
    const Step step = decoder.step(memory, previous, state);
    for (std::size_t b = 0; b < result.sentences.size(); ++b)
      if (!result.sentences[b].ended)
        require_finite("greedy_decode", t + 1, step.logits, static_cast<Index>(b));
    Tensor rows = step.weights.detach();
    const Index row = rows.shape()[1] * S;
    previous = argmax(step.logits);
    for (std::size_t b = 0; b < result.sentences.size(); ++b) {
      Written& sentence = result.sentences[b];
      if (sentence.ended)
        std::fill_n(rows.write() + static_cast<Index>(b) * row, row, Real{0});
      else if (previous.values[b] == EOS)
        sentence.ended = true;
      else
        sentence.ids.push_back(previous.values[b]);
    }
    weights.push_back(rows);
  }
  result.weights = weights.empty() ? Tensor({B, 0, 0, S}) : stack(weights, 2);
  return result;
}

}  // namespace lookback::inline LOOKBACK_NS
