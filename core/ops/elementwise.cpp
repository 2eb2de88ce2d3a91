// Element-wise operations: the loops are written once, an op is its function and its derivatives.
#include <array>
#include <cmath>
#include <type_traits>

#include "core/kernels/math.hpp"
#include "core/kernels/parallel.hpp"
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
  parallel_for(n, grain(1), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) out[i] = f(in[i]);
  });
  if (needs == Needs::inputs) op.reads(x);
  if (needs == Needs::output) op.reads(y);
  if (needs == Needs::nothing) op.reads();
  return op.done(y, [=] {
    const Real* dy = y.grad();  // stands in for values that the op does not read: they may be gone
    const Real *in = needs == Needs::inputs ? x.data() : dy, *out = needs == Needs::output ? y.data() : dy;
    parallel_for(n, grain(1), [=, into = x.grad_into()](Index begin, Index end) {
      Real* dx = into.data;
      if (into.fresh) {
#pragma omp simd
        for (Index i = begin; i < end; ++i) dx[i] = df(dy[i], in[i], out[i]);
      } else {
#pragma omp simd
        for (Index i = begin; i < end; ++i) dx[i] += df(dy[i], in[i], out[i]);
      }
    });
  });
}

// Adds d(i) for i = 0 .. n-1 to row[i], or their sum to row[0] when the argument is repeated (step 0).
template <class D>
void add_row(GradInto to, Index at, Index step, Index n, D d) {
  if (!to.data) return;
  Real* row = to.data + at;
  if (step == 0) {
    Real total = 0;
    for (Index i = 0; i < n; ++i) total += d(i);
    row[0] = to.fresh ? total : row[0] + total;
  } else if (to.fresh) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) row[i] = d(i);
  } else {
#pragma omp simd
    for (Index i = 0; i < n; ++i) row[i] += d(i);
  }
}

// f(step of a, step of b), known when compiled where both are 1: only then does a loop run in vector registers.
template <class F>
void with_steps(const Broadcast& walk, F f) {
  constexpr std::integral_constant<Index, 1> one;
  walk.a_step() == 1 && walk.b_step() == 1 ? f(one, one) : f(walk.a_step(), walk.b_step());
}

GradInto adding(const Tensor& x) { return {x.wants_grad() ? x.grad() : nullptr, false}; }

// y = f(a, b), da += dfa(dy, a, b), db += dfb(dy, a, b)
template <class F, class DA, class DB>
Tensor binary(const char* name, const Tensor& a, const Tensor& b, Needs needs, F f, DA dfa, DB dfb) {
  Op op(name, a, b);
  Tensor y = op.output(broadcast_shape(op, a.shape(), b.shape()));
  const Broadcast walk(y.shape(), a.shape(), b.shape());
  Real* out = y.write();
  const Real *x = a.data(), *z = b.data();
  with_steps(walk, [=](auto p, auto q) {
    walk.for_each_row([=](Index at, Index ia, Index ib, Index n) {
#pragma omp simd
      for (Index i = 0; i < n; ++i) out[at + i] = f(x[ia + i * p], z[ib + i * q]);
    });
  });
  if (needs == Needs::nothing) op.reads();
  if (needs == Needs::inputs) op.reads(a, b);
  return op.done(y, [=] {
    const Real *dy = y.grad(), *x = a.data(), *z = b.data();
    const bool repeats = a.size() != y.size() || b.size() != y.size();
    const auto [da, db] = repeats ? std::array{adding(a), adding(b)} : grads_into(a, b);
    with_steps(walk, [=, da = da, db = db](auto p, auto q) {
      walk.for_each_row([=](Index at, Index ia, Index ib, Index n) {
        add_row(da, ia, p, n, [=](Index i) { return dfa(dy[at + i], x[ia + i * p], z[ib + i * q]); });
        add_row(db, ib, q, n, [=](Index i) { return dfb(dy[at + i], x[ia + i * p], z[ib + i * q]); });
      });
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
