#include <algorithm>

#include "tests/bench/model.hpp"
#include "tests/bench/readout.hpp"

namespace lookback::inline LOOKBACK_NS {

GruModel::GruModel(const Workload& w)
    : embedding_(params["encoder.embedding"], w.source_words, w.width),
      encoder_(params["encoder"], w.width, w.width),
      decoder_(params["decoder"], {w.target_words, w.width, w.width, w.width, w.width},
               {.score = std::string(w.score)}) {
  // Parameter j of the workload is called:
  std::vector<std::string> order = {
      "encoder.embedding.weight", "encoder.weight_ih_l0",     "encoder.weight_hh_l0", "encoder.bias_ih_l0",
      "encoder.bias_hh_l0",       "decoder.embedding.weight", "decoder.in.weight",    "decoder.in.bias",
      "decoder.cell.weight_ih",   "decoder.cell.weight_hh",   "decoder.cell.bias_ih", "decoder.cell.bias_hh"};
  if (w.score == "additive")
    order.insert(order.end(), {"decoder.attn0.W1", "decoder.attn0.W2", "decoder.attn0.v"});
  order.insert(order.end(),
               {"decoder.out.weight", "decoder.out.bias", "decoder.vocab.weight", "decoder.vocab.bias"});
  draw_weights(params, order);
}

Memory GruModel::read(const Batch& batch, Pad pad) const {
  const Tensor x = embedding_(batch.source);  // [B, S, E]
  if (pad == Pad::skip) {
    const States states = encoder_(x, batch.lengths);
    return decoder_.read({states.h, states.last, batch.mask});
  }
  const Index B = x.shape()[0], S = x.shape()[1];
  const Tensor h = encoder_(x, std::vector<Index>(batch.lengths.size(), S)).h;  // over PAD too
  Ids ends({B});  // the last places that are not PAD, among all B S
  for (Index b = 0; b < B; ++b)
    ends.values[static_cast<std::size_t>(b)] =
        static_cast<std::int32_t>(b * S + batch.lengths[static_cast<std::size_t>(b)] - 1);
  return decoder_.read({h, index_select(h.reshape({B * S, -1}), ends, 0), batch.mask});
}

Tensor GruModel::loss(const Batch& batch, Pad pad) const {
  const Memory memory = read(batch, pad);
  if (pad == Pad::compute)
    return cross_entropy(decoder_.teach(memory, batch.inputs).logits, batch.targets, {.ignore = PAD});
  const Tensor words = permute(decoder_.embedding()(batch.inputs), {1, 0, 2});  // [T, B, E]
  State state = decoder_.start(memory);
  std::vector<Tensor> outputs;
  for (Index t = 0; t < words.shape()[0]; ++t)
    outputs.push_back(decoder_.cell(words.select(t), memory, state).output);
  const Linear vocab(params.find("decoder.vocab.weight"), params.find("decoder.vocab.bias"));
  return loss_without_pad(vocab, stack(outputs, 1), batch.targets);
}

Ids GruModel::greedy(const Batch& batch, Index steps) const {
  const Memory memory = read(batch, Pad::compute);
  State state = decoder_.start(memory);
  Ids previous(Shape{batch.source.shape[0]}, GO), written({steps, previous.size()});
  auto to = written.values.begin();
  for (Index t = 0; t < steps; ++t) {
    previous = argmax(decoder_.step(memory, previous, state).logits);
    to = std::copy(previous.values.begin(), previous.values.end(), to);
  }
  return written;
}

}  // namespace lookback::inline LOOKBACK_NS
