// Gradient clipping.                                           Pascanu, Mikolov and Bengio 2013
#pragma once

#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

// Scales all gradients together by min(1, max_norm / (norm + 1e-6)) and returns the norm before that, the
// root of the sum of squares over all parameters. Throws std::runtime_error naming the parameter whose
// gradient is not finite, std::invalid_argument unless max_norm > 0.
Real clip_grad_norm(const Params& params, Real max_norm);

// That factor and the norm, with the gradients left as they are: for an optimizer's step, which multiplies by it
// as it reads them and so saves writing them. Throws the same.
struct Clip {
  Real norm, factor;
};
Clip clip_factor(const Params& params, Real max_norm);

}  // namespace lookback::inline LOOKBACK_NS
