#include <cmath>

#include "tests/bench/model.hpp"
#include "tests/bench/readout.hpp"

namespace lookback::inline LOOKBACK_NS {

TransformerModel::TransformerModel(const Workload& w)
    : options_{.width = w.width, .heads = 8, .feed_forward = 4 * w.width},
      source_(params["source"], w.source_words, w.width),
      target_(params["target"], w.target_words, w.width),
      encoder_(params["encoder"], options_),
      decoder_(params["decoder"], options_),
      vocab_(params["vocab"], w.width, w.target_words),
      positions_(sinusoidal_positions(w.S, w.width)) {
  std::vector<std::string> order;  // as the modules add them
  for (const Param& param : params.all()) order.push_back(param.name);
  draw_weights(params, order);
}

Tensor TransformerModel::embedded(const Embedding& embedding, const Ids& ids) const {
  return std::sqrt(static_cast<Real>(options_.width)) * embedding(ids) + positions_;
}

Tensor TransformerModel::loss(const Batch& batch, Pad pad) const {
  const Tensor h = encoder_(embedded(source_, batch.source), batch.mask);  // [B, S, E]
  const Tensor y = decoder_(embedded(target_, batch.inputs), decoder_.read(h, batch.mask)).x;
  if (pad == Pad::skip) return loss_without_pad(vocab_, y, batch.targets);
  return cross_entropy(vocab_(y), batch.targets, {.ignore = PAD});
}

}  // namespace lookback::inline LOOKBACK_NS
