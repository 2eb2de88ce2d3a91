// Layer normalisation.                                         Ba, Kiros and Hinton 2016
#pragma once

#include "core/ops.hpp"
#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

struct LayerNorm {      // y = weight (x - mean) / sqrt(variance + 1e-5) + bias, over the last axis
  Tensor weight, bias;  // [E], [E]
  LayerNorm(const Params& p, Index E) : weight(p.add("weight", {E}, ones)), bias(p.add("bias", {E}, zeros)) {}
  Tensor operator()(const Tensor& x) const { return layer_norm(x, weight, bias); }
};

}  // namespace lookback::inline LOOKBACK_NS
