// Vectors brought to length 1.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/kernels/reduce.hpp"
#include "core/op.hpp"
#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor normalize(const Tensor& x, Real epsilon) {  // y = x / max(|x|, epsilon)
  Op op("normalize", x);
  op.require(x.rank() > 0, "x needs an axis");
  Tensor y = op.output(x.shape());
  const Index n = x.cols(), rows = x.rows();
  std::vector<Real> norms(static_cast<std::size_t>(rows));
  Real* out = y.write();
  for (Index r = 0; r < rows; ++r) {
    const Real* row = x.data() + r * n;
    const Real norm = norms[static_cast<std::size_t>(r)] = std::sqrt(sum_squares(n, row));
    for (Index i = 0; i < n; ++i) out[r * n + i] = row[i] / std::max(norm, epsilon);
  }
  op.reads(y);
  return op.done(y, [=, norms = std::move(norms)] {
    // dx += (dy - y (y . dy)) / |x|, or dy / epsilon where |x| is smaller
    const Real *out = y.data(), *dy = y.grad();
    Real* dx = x.grad();
    for (const Real norm : norms) {
      const Real along = norm > epsilon ? dot(n, out, dy) : Real{0};
      for (Index i = 0; i < n; ++i) dx[i] += (dy[i] - out[i] * along) / std::max(norm, epsilon);
      out += n, dy += n, dx += n;
    }
  });
}

}  // namespace lookback::inline LOOKBACK_NS
