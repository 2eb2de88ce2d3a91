#include "nn/clip.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "core/kernels/reduce.hpp"

namespace lookback::inline LOOKBACK_NS {

Real clip_grad_norm(const Params& params, Real max_norm) {
  double squares = 0;
  for (const auto& [name, p] : params.all()) {
    if (!p.has_grad()) continue;
    const Real own = sum_squares(p.size(), p.grad());
    if (!std::isfinite(own)) throw std::runtime_error(fmt::format("the gradient of {} is not finite", name));
    squares += static_cast<double>(own);
  }
  const auto norm = static_cast<Real>(std::sqrt(squares));
  const Real factor = max_norm / (norm + Real(1e-6));
  if (factor < 1)
    for (const auto& [name, p] : params.all()) {
      if (!p.has_grad()) continue;
      Real* g = p.grad();
      for (Index i = 0; i < p.size(); ++i) g[i] *= factor;
    }
  return norm;
}

}  // namespace lookback::inline LOOKBACK_NS
