// Linear: an affine map of the last axis.
#pragma once

#include <utility>

#include "core/ops.hpp"
#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

// [linear]
struct Linear {         // y = x W^T + b         x [.., in] -> [.., out]
  Tensor weight, bias;  // [out, in], [out]; the bias empty when left out
  Linear(Params p, Index in, Index out, bool with_bias = true) : weight(p.add("weight", {out, in}, glorot)) {
    if (with_bias) bias = p.add("bias", {out}, zeros);
  }
  Linear(Tensor weight, Tensor bias) : weight(std::move(weight)), bias(std::move(bias)) {}  // shares them
  Tensor operator()(const Tensor& x) const { return linear(x, weight, bias); }
};
// [/linear]

}  // namespace lookback::inline LOOKBACK_NS
