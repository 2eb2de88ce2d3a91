// The softmax family, along the last axis; another axis is moved there and back.
#include <vector>

#include "core/kernels/softmax.hpp"
#include "core/op.hpp"
#include "core/ops.hpp"
#include "core/ops/broadcast.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

using Row = void (*)(Index n, const Real* x, Real* y);
using RowGrad = void (*)(Index n, const Real* y, const Real* dy, Real* dx);

void add_row_grads(const Tensor& x, const Tensor& y, RowGrad gradient) {
  const Index n = x.cols(), rows = x.rows();
  const Real *out = y.data(), *dy = y.grad();
  Real* dx = x.grad();
  for (Index r = 0; r < rows; ++r) gradient(n, out + r * n, dy + r * n, dx + r * n);
}

Tensor by_rows(const char* name, const Tensor& x, int axis, Row value, RowGrad gradient) {
  Op op(name, x);
  if (op.axis(x, axis) != x.rank() - 1)
    return transpose(by_rows(name, transpose(x, axis, -1), -1, value, gradient), axis, -1);
  Tensor y = op.output(x.shape());
  const Index n = x.cols(), rows = x.rows();
  Real* out = y.write();
  for (Index r = 0; r < rows; ++r) value(n, x.data() + r * n, out + r * n);
  op.reads(y);
  return op.done(y, [=] { add_row_grads(x, y, gradient); });
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {  // dx_i += y_i (dy_i - sum_j dy_j y_j)
  return by_rows("softmax", x, axis, softmax_row<Real>, softmax_row_grad<Real>);
}

Tensor log_softmax(const Tensor& x, int axis) {  // dx_i += dy_i - e^y_i sum_j dy_j
  return by_rows("log_softmax", x, axis, log_softmax_row<Real>, log_softmax_row_grad<Real>);
}

Tensor masked_softmax(const Tensor& x, const Mask& keep) {
  Op op("masked_softmax", x);
  require_mask_fits(op, keep, x.shape());
  op.require(x.rank() > 0, "x needs an axis");
  Tensor y = op.output(x.shape());
  const Index n = x.cols();
  Real* out = y.write();
  const Broadcast walk(x.shape().with(-1, 1), keep.shape.with(-1, 1), x.shape().with(-1, 1));
  const Index step = walk.a_step(), width = keep.shape[-1];
  std::vector<std::uint8_t> repeated;  // a mask of one column is written out along the row
  walk.for_each_row([&](Index at, Index m, Index, Index count) {
    for (Index r = at; r < at + count; ++r, m += step) {
      const std::uint8_t* row = keep.values.data() + m * width;
      if (width != n) repeated.assign(static_cast<std::size_t>(n), *row), row = repeated.data();
      masked_softmax_row(n, x.data() + r * n, row, out + r * n);
    }
  });
  op.reads(y);
  // As softmax: where y is 0, so is the gradient.
  return op.done(y, [=] { add_row_grads(x, y, softmax_row_grad<Real>); });
}

}  // namespace lookback::inline LOOKBACK_NS
