// Element-wise operations: the loops are written once, an op is its function and its derivatives.
#include <cmath>

#include "core/kernels/math.hpp"
#include "core/op.hpp"
#include "core/ops.hpp"
#include "core/ops/broadcast.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

enum class Needs { nothing, inputs, output };  // the values that the derivative reads

// y = f(x), dx += df(dy, x, y)
template <class F, class D>
Tensor unary(const char* name, const Tensor& x, Needs needs, F f, D df) {
  Op op(name, x);
  Tensor y = op.output(x.shape());
  const Index n = x.size();
  const Real* in = x.data();
  Real* out = y.write();
#pragma omp simd
  for (Index i = 0; i < n; ++i) out[i] = f(in[i]);
  if (needs == Needs::inputs) op.reads(x);
  if (needs == Needs::output) op.reads(y);
  if (needs == Needs::nothing) op.reads();
  return op.done(y, [=] {
    const Real *in = x.data(), *out = y.data(), *dy = y.grad();
    const auto [dx, fresh] = x.grad_into();
    if (fresh) {
#pragma omp simd
      for (Index i = 0; i < n; ++i) dx[i] = df(dy[i], in[i], out[i]);
    } else {
#pragma omp simd
      for (Index i = 0; i < n; ++i) dx[i] += df(dy[i], in[i], out[i]);
    }
  });
}

// Adds d(i) for i = 0 .. n-1 to row[i * step], or their sum to row[0] when the argument is repeated (step 0).
template <class D>
void add_row(Real* row, Index step, Index n, D d) {
  if (step == 0) {
    Real total = 0;
    for (Index i = 0; i < n; ++i) total += d(i);
    row[0] += total;
  } else {
#pragma omp simd
    for (Index i = 0; i < n; ++i) row[i] += d(i);
  }
}

// y = f(a, b), da += dfa(dy, a, b), db += dfb(dy, a, b)
template <class F, class DA, class DB>
Tensor binary(const char* name, const Tensor& a, const Tensor& b, Needs needs, F f, DA dfa, DB dfb) {
  Op op(name, a, b);
  Tensor y = op.output(broadcast_shape(op, a.shape(), b.shape()));
  const Broadcast walk(y.shape(), a.shape(), b.shape());
  const Index p = walk.a_step(), q = walk.b_step();
  Real* out = y.write();
  const Real *x = a.data(), *z = b.data();
  walk.for_each_row([=](Index at, Index ia, Index ib, Index n) {
    if (p == 1 && q == 1) {
#pragma omp simd
      for (Index i = 0; i < n; ++i) out[at + i] = f(x[ia + i], z[ib + i]);
    } else {
      for (Index i = 0; i < n; ++i) out[at + i] = f(x[ia + i * p], z[ib + i * q]);
    }
  });
  if (needs == Needs::nothing) op.reads();
  if (needs == Needs::inputs) op.reads(a, b);
  return op.done(y, [=] {
    const Real *dy = y.grad(), *x = a.data(), *z = b.data();
    Real *da = a.wants_grad() ? a.grad() : nullptr, *db = b.wants_grad() ? b.grad() : nullptr;
    walk.for_each_row([=](Index at, Index ia, Index ib, Index n) {
      if (da) add_row(da + ia, p, n, [=](Index i) { return dfa(dy[at + i], x[ia + i * p], z[ib + i * q]); });
      if (db) add_row(db + ib, q, n, [=](Index i) { return dfb(dy[at + i], x[ia + i * p], z[ib + i * q]); });
    });
  });
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  return binary(
      "add", a, b, Needs::nothing, [](Real x, Real z) { return x + z; },
      [](Real dy, Real, Real) { return dy; }, [](Real dy, Real, Real) { return dy; });
}

Tensor sub(const Tensor& a, const Tensor& b) {
  return binary(
      "sub", a, b, Needs::nothing, [](Real x, Real z) { return x - z; },
      [](Real dy, Real, Real) { return dy; }, [](Real dy, Real, Real) { return -dy; });
}

Tensor mul(const Tensor& a, const Tensor& b) {
  return binary(
      "mul", a, b, Needs::inputs, [](Real x, Real z) { return x * z; },
      [](Real dy, Real, Real z) { return dy * z; }, [](Real dy, Real x, Real) { return dy * x; });
}

Tensor div(const Tensor& a, const Tensor& b) {
  return binary(
      "div", a, b, Needs::inputs, [](Real x, Real z) { return x / z; },
      [](Real dy, Real, Real z) { return dy / z; },
      [](Real dy, Real x, Real z) { return -dy * x / (z * z); });
}

Tensor scale(const Tensor& x, Real factor) {
  return unary(
      "scale", x, Needs::nothing, [=](Real v) { return factor * v; },
      [=](Real dy, Real, Real) { return factor * dy; });
}

Tensor neg(const Tensor& x) {
  return unary(
      "neg", x, Needs::nothing, [](Real v) { return -v; }, [](Real dy, Real, Real) { return -dy; });
}

Tensor exp(const Tensor& x) {
  return unary(
      "exp", x, Needs::output, [](Real v) { return fast_exp(v); },
      [](Real dy, Real, Real y) { return dy * y; });
}

Tensor log(const Tensor& x) {
  return unary(
      "log", x, Needs::inputs, [](Real v) { return std::log(v); },
      [](Real dy, Real v, Real) { return dy / v; });
}

Tensor sqrt(const Tensor& x) {
  return unary(
      "sqrt", x, Needs::output, [](Real v) { return std::sqrt(v); },
      [](Real dy, Real, Real y) { return dy / (2 * y); });
}

Tensor pow(const Tensor& x, Real exponent) {
  return unary(
      "pow", x, Needs::inputs, [=](Real v) { return std::pow(v, exponent); },
      [=](Real dy, Real v, Real) {
        return exponent == 0 ? Real{0} : dy * exponent * std::pow(v, exponent - 1);
      });
}

Tensor tanh(const Tensor& x) {
  return unary(
      "tanh", x, Needs::output, [](Real v) { return fast_tanh(v); },
      [](Real dy, Real, Real y) { return dy * (1 - y * y); });
}

Tensor sigmoid(const Tensor& x) {
  return unary(
      "sigmoid", x, Needs::output, [](Real v) { return fast_sigmoid(v); },
      [](Real dy, Real, Real y) { return dy * y * (1 - y); });
}

Tensor relu(const Tensor& x) {
  return unary(
      "relu", x, Needs::inputs, [](Real v) { return v < 0 ? Real{0} : v; },  // keeps a NaN
      [](Real dy, Real v, Real) { return v > 0 ? dy : Real{0}; });
}

Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
Tensor operator-(const Tensor& a, const Tensor& b) { return sub(a, b); }
Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
Tensor operator-(const Tensor& x) { return neg(x); }
Tensor operator*(Real factor, const Tensor& x) { return scale(x, factor); }
Tensor operator/(const Tensor& x, Real divisor) { return scale(x, 1 / divisor); }

}  // namespace lookback::inline LOOKBACK_NS
