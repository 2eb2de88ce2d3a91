// What both models share.
#pragma once

#include "nn/linear.hpp"
#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {

// The mean cross-entropy over the targets [B, T] that are words, from logits computed where there is one.
// states [B, T, O]
Tensor loss_without_pad(const Linear& vocab, const Tensor& states, const Ids& targets);

}  // namespace lookback::inline LOOKBACK_NS
