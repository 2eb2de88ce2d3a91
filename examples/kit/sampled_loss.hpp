// Note II's sampled_loss: a translator's loss over a few words of its vocabulary.
#pragma once

#include "examples/kit/translator.hpp"
#include "nn/sampled_softmax.hpp"

namespace lookback::inline LOOKBACK_NS {

// The mean sampled softmax over the batch's real target tokens, each step given the right previous word. `sampled`
// was drawn for batch.targets. Weight and bias are the readout's: those that prediction takes, over all words.
Tensor sampled_loss(const Translator& model, const Batch& batch, const Sampled& sampled);

}  // namespace lookback::inline LOOKBACK_NS
