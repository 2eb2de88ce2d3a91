// Matrix products. One product of a whole batch where the layout allows it, else one a batch entry.
#include <algorithm>
#include <array>
#include <type_traits>

#include "core/kernels/gemm.hpp"
#include "core/kernels/reduce.hpp"
#include "core/op.hpp"
#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

enum class Form { nn, nt, tn };

// C = op(A) op(B) (+ C): C [n, m], k summed over; every matrix dense.
void product(Form form, Index n, Index m, Index k, const Real* A, const Real* B, Real* C, bool add) {
  if (form == Form::nn) gemm_nn(n, m, k, A, k, B, m, C, m, add);
  if (form == Form::nt) gemm_nt(n, m, k, A, k, B, k, C, m, add);
  if (form == Form::tn) gemm_tn(n, m, k, A, n, B, m, C, m, add);
}

// Leading axes of a and b side by side, padded to two.
struct Batch {
  std::array<Index, 2> size{1, 1}, a{0, 0}, b{0, 0};  // entries, and matrices to step over in a and b

  Batch(const Op& op, const Shape& sa, const Shape& sb) {
    Index step_a = 1, step_b = 1;
    for (int i = 3; i <= std::max(sa.rank(), sb.rank()); ++i) {
      const Index na = i <= sa.rank() ? sa[-i] : 1, nb = i <= sb.rank() ? sb[-i] : 1;
      op.require(na == nb || na == 1 || nb == 1, "batch axes do not broadcast: {} meets {}", na, nb);
      const auto p = static_cast<std::size_t>(4 - i);
      size[p] = na == 1 ? nb : na;
      a[p] = na == 1 ? 0 : step_a;
      b[p] = nb == 1 ? 0 : step_b;
      step_a *= na;
      step_b *= nb;
    }
  }
  template <class F>
  void for_each(F f) const {  // f(entry of y, of a, of b)
    for (Index i = 0, y = 0; i < size[0]; ++i)
      for (Index j = 0; j < size[1]; ++j) f(y++, i * a[0] + j * a[1], i * b[0] + j * b[1]);
  }
};

Tensor product_op(const char* name, Form form, const Tensor& a, const Tensor& b) {
  Op op(name, a, b);
  op.require(a.rank() >= 2 && b.rank() >= 2, "both need two axes or more");
  const bool ta = form == Form::tn, tb = form == Form::nt;
  const Index n = ta ? a.shape()[-1] : a.shape()[-2], k = ta ? a.shape()[-2] : a.shape()[-1];
  const Index kb = tb ? b.shape()[-1] : b.shape()[-2], m = tb ? b.shape()[-2] : b.shape()[-1];
  op.require(k == kb, "a has {} {} but b has {} {}", k, ta ? "rows" : "columns", kb, tb ? "columns" : "rows");

  Batch batch(op, a.shape(), b.shape());
  Shape shape{n, m};
  const int rank = std::max(a.rank(), b.rank());
  if (rank > 2) shape = shape.inserted(0, batch.size[1]);
  if (rank > 3) shape = shape.inserted(0, batch.size[0]);
  Tensor y = op.output(shape);
  Index rows = n;
  if (b.rank() == 2 && !ta) {  // all of a as one tall matrix
    rows = a.rows();
    batch = Batch(op, b.shape(), b.shape());
  }

  Real* out = y.write();
  batch.for_each([&](Index iy, Index ia, Index ib) {
    product(form, rows, m, k, a.data() + ia * n * k, b.data() + ib * k * m, out + iy * n * m, false);
  });
  op.reads(a, b);
  return op.done(y, [=] {
    const Real* dy = y.grad();
    // A fresh gradient is assigned when each part of it gets one product: no axis repeats, no other argument adds.
    const Index entries = batch.size[0] * batch.size[1];
    const auto into = [&](const Tensor& t, Index matrix) {
      if (!t.wants_grad()) return GradInto{nullptr, false};
      const bool once = entries * matrix == t.size() && a.storage() != b.storage();
      return once ? t.grad_into() : GradInto{t.grad(), false};
    };
    const GradInto da = into(a, rows * k), db = into(b, k * m);
    batch.for_each([=](Index iy, Index ia, Index ib) {
      const Real *A = a.data() + ia * n * k, *B = b.data() + ib * k * m, *dY = dy + iy * n * m;
      if (Real* dA = da.data ? da.data + ia * n * k : nullptr) {
        if (form == Form::nn) product(Form::nt, rows, k, m, dY, B, dA, !da.fresh);  // dA += dY B^T
        if (form == Form::nt) product(Form::nn, rows, k, m, dY, B, dA, !da.fresh);  // dA += dY B
        if (form == Form::tn) product(Form::nt, k, n, m, B, dY, dA, !da.fresh);     // dA += B dY^T
      }
      if (Real* dB = db.data ? db.data + ib * k * m : nullptr) {
        if (form == Form::nn) product(Form::tn, k, m, rows, A, dY, dB, !db.fresh);  // dB += A^T dY
        if (form == Form::nt) product(Form::tn, m, k, rows, dY, A, dB, !db.fresh);  // dB += dY^T A
        if (form == Form::tn) product(Form::nn, k, m, n, A, dY, dB, !db.fresh);     // dB += A dY
      }
    });
  });
}

void affine(Index n, Index out, Index in, const Tensor& x, const Tensor& weight, const Tensor& bias,
            Real* y) {
  const Real* b = bias.defined() ? bias.data() : nullptr;
  if constexpr (std::is_same_v<Real, float>)
    if (const Real* packed = n > 1 ? weight.packed() : nullptr)
      return gemm_packed(n, out, in, x.data(), in, packed, b, y, out);
  gemm_linear(n, out, in, x.data(), in, weight.data(), in, b, y, out);
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) { return product_op("matmul", Form::nn, a, b); }
Tensor matmul_nt(const Tensor& a, const Tensor& b) { return product_op("matmul_nt", Form::nt, a, b); }
Tensor matmul_tn(const Tensor& a, const Tensor& b) { return product_op("matmul_tn", Form::tn, a, b); }

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {  // y = x W^T + b
  Op op("linear", x, weight);
  op.optional(bias);
  op.require(x.rank() >= 1 && weight.rank() == 2, "x needs an axis and the weight two, [out, in]");
  const Index n = x.rows(), in = x.cols(), out = weight.shape()[0];
  op.require(weight.cols() == in, "x has {} features but the weight takes {}", in, weight.cols());
  op.require(!bias.defined() || bias.shape() == Shape{out}, "the bias needs the shape [{}]", out);
  Tensor y = op.output(x.shape().with(-1, out));
  affine(n, out, in, x, weight, bias, y.write());
  op.reads(x, weight);
  return op.done(y, [=] {
    const Real* dy = y.grad();
    if (x.wants_grad()) {
      const auto [dx, fresh] = x.grad_into();
      product(Form::nn, n, in, out, dy, weight.data(), dx, !fresh);  // dx += dy W
    }
    if (weight.wants_grad()) {
      const auto [dW, fresh] = weight.grad_into();
      product(Form::tn, out, in, n, dy, x.data(), dW, !fresh);  // dW += dy^T x
    }
    if (bias.wants_grad()) {
      const auto [db, fresh] = bias.grad_into();
      column_sums(n, out, dy, db, !fresh);  // db += sum of the rows of dy
    }
  });
}

}  // namespace lookback::inline LOOKBACK_NS
