// Sums, means and largest values. A tensor is seen as [outer, n, inner], the reduced axis in the middle.
#include <cmath>
#include <utility>
#include <vector>

#include "core/kernels/reduce.hpp"
#include "core/op.hpp"
#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Around {  // the axes before, of and behind one axis
  Index outer, n, inner;
  Around(const Shape& s, int axis) : n(s[axis]), inner(s.stride(axis)) {
    outer = 1;
    for (int i = 0; i < s.axis(axis); ++i) outer *= s[i];
  }
};

Shape reduced(const Shape& s, int axis, bool keepdim) { return keepdim ? s.with(axis, 1) : s.without(axis); }

Tensor scaled_sum(const char* name, const Tensor& x, int named, bool keepdim, Real factor) {
  Op op(name, x);
  const int axis = op.axis(x, named);
  Tensor y = op.output(reduced(x.shape(), axis, keepdim));
  const Around a(x.shape(), axis);
  Real* out = y.write();
  const Real* in = x.data();
  for (Index o = 0; o < a.outer; ++o) {
    Real* to = out + o * a.inner;
    const Real* from = in + o * a.n * a.inner;
    if (a.inner == 1) {
      *to = factor * lookback::sum(a.n, from);
      continue;
    }
    for (Index j = 0; j < a.inner; ++j) to[j] = 0;
    for (Index i = 0; i < a.n; ++i)
      for (Index j = 0; j < a.inner; ++j) to[j] += factor * from[i * a.inner + j];
  }
  op.reads();
  return op.done(y, [=] {  // dx_i += factor dy
    const Real* dy = y.grad();
    Real* dx = x.grad();
    for (Index o = 0; o < a.outer; ++o)
      for (Index i = 0; i < a.n; ++i)
        for (Index j = 0; j < a.inner; ++j) dx[(o * a.n + i) * a.inner + j] += factor * dy[o * a.inner + j];
  });
}

}  // namespace

Tensor sum(const Tensor& x) {
  const Op op("sum", x);
  return sum(x.reshape({x.size()}), 0);
}
Tensor sum(const Tensor& x, int axis, bool keepdim) { return scaled_sum("sum", x, axis, keepdim, 1); }

Tensor mean(const Tensor& x) {
  Op("mean", x).require(x.size() > 0, "there is nothing to take the mean of");
  return mean(x.reshape({x.size()}), 0);
}

Tensor mean(const Tensor& x, int axis, bool keepdim) {
  const Op op("mean", x);
  const Index n = x.shape()[op.axis(x, axis)];
  op.require(n > 0, "there is nothing to take the mean of along axis {}", axis);
  return scaled_sum("mean", x, axis, keepdim, Real{1} / static_cast<Real>(n));
}

Tensor max(const Tensor& x, int axis, bool keepdim) {  // y = max_i x_i
  Op op("max", x);
  const int where = op.axis(x, axis);
  const Around a(x.shape(), where);
  op.require(a.n > 0, "there is nothing to take the largest of along axis {}", axis);
  Tensor y = op.output(reduced(x.shape(), where, keepdim));
  std::vector<Index> best(static_cast<std::size_t>(y.size()));
  Real* out = y.write();
  const Real* in = x.data();
  for (Index o = 0; o < a.outer; ++o)
    for (Index j = 0; j < a.inner; ++j) {
      const Real* column = in + o * a.n * a.inner + j;
      Index at = 0;
      for (Index i = 1; i < a.n; ++i)
        if (!(column[i * a.inner] <= column[at * a.inner]) && !std::isnan(column[at * a.inner])) at = i;
      out[o * a.inner + j] = column[at * a.inner];
      best[static_cast<std::size_t>(o * a.inner + j)] = (o * a.n + at) * a.inner + j;
    }
  op.reads();
  return op.done(y, [x, y, best = std::move(best)] {  // dx at the largest += dy
    const Real* dy = y.grad();
    Real* dx = x.grad();
    for (std::size_t i = 0; i < best.size(); ++i) dx[best[i]] += dy[i];
  });
}

Ids argmax(const Tensor& x) {
  const Index n = x.cols(), rows = x.rows();
  Op("argmax", x).require(x.rank() > 0 && n > 0, "there is nothing to take the largest of");
  Ids ids(x.shape().without(-1));
  for (Index r = 0; r < rows; ++r) {
    const Real* row = x.data() + r * n;
    const Real top = lookback::max(n, row);
    Index at = 0;
    while (std::isnan(top) ? !std::isnan(row[at]) : row[at] != top) ++at;
    ids.values[static_cast<std::size_t>(r)] = static_cast<std::int32_t>(at);
  }
  return ids;
}

}  // namespace lookback::inline LOOKBACK_NS
