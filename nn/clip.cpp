#include "nn/clip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/kernels/reduce.hpp"

namespace lookback::inline LOOKBACK_NS {

namespace {

double squares_of(const Param& param) {
  const auto& [name, p] = param;
  const Real quick = sum_squares(p.size(), p.grad());
  if (std::isfinite(quick)) return static_cast<double>(quick);
  double slow = 0;  // a square may be more than Real can hold
  const Real* g = p.grad();
  for (Index i = 0; i < p.size(); ++i) slow += static_cast<double>(g[i]) * static_cast<double>(g[i]);
  if (!std::isfinite(slow)) throw std::runtime_error(fmt::format("the gradient of {} is not finite", name));
  return slow;
}

}  // namespace

Clip clip_factor(const Params& params, Real max_norm) {
  if (!(max_norm > 0)) throw std::invalid_argument(fmt::format("clip: {} is no largest norm", max_norm));
  double squares = 0;
  for (const Param& param : params.all())
    if (param.value.has_grad()) squares += squares_of(param);
  const auto norm = static_cast<Real>(std::sqrt(squares));
  return {norm, std::min(Real{1}, max_norm / (norm + Real(1e-6)))};
}

Real clip_grad_norm(const Params& params, Real max_norm) {
  const auto [norm, factor] = clip_factor(params, max_norm);
  for (const auto& [name, p] : params.all()) {
    if (factor == 1 || !p.has_grad()) continue;
    Real* g = p.grad();
    for (Index i = 0; i < p.size(); ++i) g[i] *= factor;
  }
  return norm;
}

}  // namespace lookback::inline LOOKBACK_NS
