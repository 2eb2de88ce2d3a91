#include "core/tape.hpp"
#include "nn/clip.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/model.hpp"
#include "tests/bench/readout.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor loss_without_pad(const Linear& vocab, const Tensor& states, const Ids& targets) {
  std::vector<std::int32_t> places, words;
  for (std::size_t i = 0; i < targets.values.size(); ++i) {
    if (targets.values[i] == PAD) continue;
    places.push_back(static_cast<std::int32_t>(i));
    words.push_back(targets.values[i]);
  }
  const Shape shape{std::ssize(words)};
  const Tensor rows = index_select(states.reshape({-1, states.cols()}), Ids(shape, std::move(places)), 0);
  return cross_entropy(vocab(rows), Ids(shape, std::move(words)));
}

std::unique_ptr<Model> make_model(const Workload& w) {
  if (w.score.empty()) return std::make_unique<TransformerModel>(w);
  return std::make_unique<GruModel>(w);
}

Training::Training(const Workload& w, Pad pad) : model_(make_model(w)), pad_(pad) {
  for (int k = 0; k < 4; ++k) batches_.push_back(draw_batch(w, k));
}

double Training::tokens() const {
  double sum = 0;
  for (const Batch& batch : batches_) sum += static_cast<double>(batch.tokens);
  return sum / static_cast<double>(batches_.size());
}

Real Training::step(int i) {
  Tape tape;
  moments.start = wall_ms();
  const Tensor loss = model_->loss(batches_[static_cast<std::size_t>(i) % batches_.size()], pad_);
  moments.forward = wall_ms();
  tape.backward(loss);
  moments.backward = wall_ms();
  const Real factor = clip_factor(model_->params, 1).factor;
  moments.clip = wall_ms();
  adam_.step(model_->params, factor);
  moments.adam = wall_ms();
  return loss.item();
}

}  // namespace lookback::inline LOOKBACK_NS
