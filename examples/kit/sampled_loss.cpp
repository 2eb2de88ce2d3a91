#include "examples/kit/sampled_loss.hpp"

#include <vector>

namespace lookback::inline LOOKBACK_NS {

// [sampled_loss]
Tensor sampled_loss(const Translator& model, const Batch& batch, const Sampled& sampled) {
  const AttentionDecoder& decoder = model.decoder();
  const Memory memory = model.read(batch);
  const Tensor words = decoder.embedding()(batch.inputs);  // [B, T, E]
  State state = decoder.start(memory);
  std::vector<Tensor> outputs;
  for (Index t = 0; t < batch.inputs.shape[1]; ++t)  // out([s_t; c_t]) [B, H]: no vocabulary yet
    outputs.push_back(decoder.cell(select(words, 1, t), memory, state).output);
  const Tensor x = stack(outputs, 1).reshape({-1, outputs[0].cols()});  // [BT, H]
  const Ids labels({batch.targets.size()}, batch.targets.values);       // [BT]
  const Tensor weight = model.params().find("decoder.vocab.weight"),    // [V, H]
      bias = model.params().find("decoder.vocab.bias"),                 // [V]
      each = sampled_softmax(x, weight, bias, labels, sampled);         // [BT]
  const Tensor counts = target_weights(batch).reshape({-1});            // 0 for PAD
  return sum(each * counts) / static_cast<Real>(batch.tokens);
}
// [/sampled_loss]

}  // namespace lookback::inline LOOKBACK_NS
