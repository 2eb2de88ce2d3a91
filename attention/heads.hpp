// The two halves of multi-head attention, computed where the heads lie: head i of x [B, T, E] is its columns
// i E / heads .. (i + 1) E / heads - 1, and nothing is copied to set it apart.        Vaswani et al. 2017, eq. (1)
#pragma once

#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {

// alpha = softmax(q k^T / sqrt(E / heads)) of each head    q [B, T, E], k [B, S, E] -> [B, heads, T, S]
// keep [1 or B, 1, 1 or T, S], true = keep, or empty. Throws std::invalid_argument naming shapes that do not
// fit and a number of heads that does not divide E.
Tensor head_weights(const Tensor& q, const Tensor& k, Index heads, const Mask& keep = {});
// c = alpha v of each head, side by side       alpha [B, heads, T, S], v [B, S, E] -> [B, T, E]
Tensor head_contexts(const Tensor& alpha, const Tensor& v);

// Their slow twins.
Tensor head_weights_composed(const Tensor& q, const Tensor& k, Index heads, const Mask& keep = {});
Tensor head_contexts_composed(const Tensor& alpha, const Tensor& v);

}  // namespace lookback::inline LOOKBACK_NS
