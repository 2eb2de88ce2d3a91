// The part that additive and concat scores share.
#pragma once

#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {

// e_{t,i} = v^T tanh(q_t + k_i)                     q [B, T, A], k [B, S, A], v [A] -> [B, T, S]
// Fused: the [B, T, S, A] sums are never kept.
Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v);
Tensor additive_scores_composed(const Tensor& q, const Tensor& k, const Tensor& v);  // its slow twin

}  // namespace lookback::inline LOOKBACK_NS
