#include "attention/additive_scores.hpp"

#include <vector>

#include "core/kernels/flops.hpp"
#include "core/kernels/math.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor additive_scores_composed(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Index B = q.shape()[0], T = q.shape()[1], S = k.shape()[1], A = q.cols();
  const Tensor sums = tanh(q.reshape({B, T, 1, A}) + k.reshape({B, 1, S, A}));  // [B, T, S, A]
  return linear(sums, v.reshape({1, A})).reshape({B, T, S});
}

Tensor additive_scores(const Tensor& q, const Tensor& k, const Tensor& v) {
  Op op("additive_scores", q, k, v);
  op.require(q.rank() == 3 && k.rank() == 3 && q.shape()[0] == k.shape()[0],
             "q [B, T, A] and k [B, S, A] need the same batch");
  op.require(q.cols() == k.cols() && v.shape() == Shape{q.cols()}, "q, k and v need the same alignment size");
  const Index B = q.shape()[0], T = q.shape()[1], S = k.shape()[1], A = q.cols();
  Tensor y = op.output({B, T, S});
  Real* e = y.write();
  const Real* weight = v.data();
  count_product(B * T, S, A);
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t) {
      const Real* query = q.data() + (b * T + t) * A;
      for (Index i = 0; i < S; ++i) {
        const Real* key = k.data() + (b * S + i) * A;
        Real total = 0;
#pragma omp simd reduction(+ : total)
        for (Index a = 0; a < A; ++a) total += weight[a] * fast_tanh(query[a] + key[a]);
        *e++ = total;
      }
    }
  op.reads(q, k, v);
  return op.done(y, [=] {  // with u = tanh(q + k): dv += de u, dq and dk += de v (1 - u^2)
    const Real *de = y.grad(), *weight = v.data();
    Real *dq = q.wants_grad() ? q.grad() : nullptr, *dk = k.wants_grad() ? k.grad() : nullptr,
         *dv = v.wants_grad() ? v.grad() : nullptr;
    std::vector<Real> u(static_cast<std::size_t>(A));
    count_product(2 * B * T, S, A);  // of de with u, and with v
    for (Index b = 0; b < B; ++b)
      for (Index t = 0; t < T; ++t) {
        const Real* query = q.data() + (b * T + t) * A;
        for (Index i = 0; i < S; ++i) {
          const Real d = *de++, *key = k.data() + (b * S + i) * A;
          if (d == 0) continue;  // a masked place
#pragma omp simd
          for (Index a = 0; a < A; ++a) u[static_cast<std::size_t>(a)] = fast_tanh(query[a] + key[a]);
          for (Index a = 0; a < A; ++a) {
            const Real value = u[static_cast<std::size_t>(a)], inner = d * weight[a] * (1 - value * value);
            if (dv) dv[a] += d * value;
            if (dq) dq[(b * T + t) * A + a] += inner;
            if (dk) dk[(b * S + i) * A + a] += inner;
          }
        }
      }
  });
}

}  // namespace lookback::inline LOOKBACK_NS
