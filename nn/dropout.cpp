#include "nn/dropout.hpp"

#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor dropout(const Tensor& x, Real p, Random* random) {
  Op("dropout", x).require(p >= 0 && p < 1, "the probability {} is not in [0, 1)", p);
  if (p == 0 || !random) return x;
  const Tensor kept = Op::workspace(x.shape());
  Real* k = kept.write();
  Random draws = *random;  // beside the loop's other values, so that many are drawn at once
  for (Index i = 0, n = x.size(); i < n; ++i)
    k[i] = draws.uniform() < static_cast<double>(p) ? Real{0} : 1 / (1 - p);
  *random = draws;
  return x * kept;
}

}  // namespace lookback::inline LOOKBACK_NS
