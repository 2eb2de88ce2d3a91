// The worked example of Note I: three encoder states in the plane and a decoder state that asks.
#pragma once

#include "attention/attention.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor example_h();  // (1, 0), (0, 1), (1, 1)  [1, 3, 2]
Tensor example_s();  // (0.9, 0.2)              [1, 2]

// A score function for these states. The example leaves the parameters open: general gets W = (0, 1; 1, 0),
// additive W1 = W2 = I and v = (1, 1), concat W = [W1 W2] and the same v. Any other score keeps the
// parameters it starts with. Throws like Attention.
Attention example_score(const std::string& name, const Params& params);
bool has_example_parameters(const std::string& name);

}  // namespace lookback::inline LOOKBACK_NS
