#include "attention/additive_scores.hpp"

#include <algorithm>

#include "core/kernels/flops.hpp"
#include "core/kernels/math.hpp"
#include "core/kernels/parallel.hpp"
#include "core/kernels/reduce.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

namespace {

Real score(Index A, const Real* v, const Real* query, const Real* key) {  // v^T tanh(q + k)
  Real total = 0;
#pragma omp simd reduction(+ : total)
  for (Index a = 0; a < A; ++a) total += v[a] * fast_tanh(query[a] + key[a]);
  return total;
}

// With u = tanh(q + k): dv += de u, dq and dk += de v (1 - u^2)
void score_grad(Index A, Real de, const Real* v, const Real* query, const Real* key, Real* dv, Real* dq,
                Real* dk) {
#pragma omp simd
  for (Index a = 0; a < A; ++a) {
    const Real u = fast_tanh(query[a] + key[a]), inner = de * v[a] * (1 - u * u);
    dv[a] += de * u;
    dq[a] += inner;
    dk[a] += inner;
  }
}

}  // namespace

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
  const Real *queries = q.data(), *keys = k.data(), *weight = v.data();
  const Index enough = grain(8 * T * S * A);
  count_product(B * T, S, A);
  parallel_for(B, enough, [=](Index begin, Index end) {
    for (Index bt = begin * T; bt < end * T; ++bt)
      for (Index i = 0; i < S; ++i)
        e[bt * S + i] = score(A, weight, queries + bt * A, keys + (bt / T * S + i) * A);
  });
  op.reads(q, k, v);
  return op.done(y, [=] {
    const auto [dq, dk, dv] = grads_into(q, k, v);
    const Tensor for_queries({B, T, A}), for_keys = Op::workspace({B, A}), for_weight({B, A});
    Real *dqueries = for_queries.write(), *dkeys = for_keys.write(), *dweights = for_weight.write();
    const Real *de = y.grad(), *queries = q.data(), *keys = k.data(), *weight = v.data();
    count_product(2 * B * T, S, A);  // of de with u, and with v
    parallel_for(B, enough, [=, dq = dq, dk = dk](Index begin, Index end) {
      for (Index b = begin; b < end; ++b) {
        Real *dkey = dkeys + b * A, *dweight = dweights + b * A;
        for (Index i = 0; i < S; ++i) {
          const Real* key = keys + (b * S + i) * A;
          std::fill_n(dkey, A, Real{0});
          for (Index bt = b * T; bt < (b + 1) * T; ++bt) {
            const Real d = de[bt * S + i];
            if (d == 0) continue;  // a masked place
            score_grad(A, d, weight, queries + bt * A, key, dweight, dqueries + bt * A, dkey);
          }
          dk.put((b * S + i) * A, A, dkey);
        }
        dq.put(b * T * A, T * A, dqueries + b * T * A);
      }
    });
    if (dv.data) column_sums(B, A, dweights, dv.data, !dv.fresh);
  });
}

}  // namespace lookback::inline LOOKBACK_NS
