// Dropout.                                                     Srivastava et al. 2014
#pragma once

#include "core/ops.hpp"
#include "core/random.hpp"

namespace lookback::inline LOOKBACK_NS {

// Each value is 0 with probability p, else x / (1 - p), so that the mean stays. For training only: without a
// random stream x comes back as it is. Throws std::invalid_argument unless p is in [0, 1).
Tensor dropout(const Tensor& x, Real p, Random* random);

}  // namespace lookback::inline LOOKBACK_NS
