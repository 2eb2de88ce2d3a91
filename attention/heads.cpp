#include "attention/heads.hpp"

#include <cmath>

#include "core/kernels/gemm.hpp"
#include "core/kernels/parallel.hpp"
#include "core/kernels/softmax.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

Tensor cut(const Tensor& x, Index heads) {  // [B, T, E] -> [B, heads, T, E / heads]
  const Index E = x.cols();
  return permute(x.reshape({x.shape()[0], x.shape()[1], heads, E / heads}), {0, 2, 1, 3});
}

Real factor_of(Index E, Index heads) {
  const Index d = E / heads;
  return 1 / std::sqrt(static_cast<Real>(d));
}

// Sizes of a batch of heads, and where each begins.
struct Heads {
  Index B, heads, T, S, E;
  Index D() const { return E / heads; }

  Index query(Index b, Index head) const { return b * T * E + head * D(); }  // rows E apart
  Index key(Index b, Index head) const { return b * S * E + head * D(); }
  Index weights(Index b, Index head) const { return (b * heads + head) * T * S; }

  template <class F>
  void for_each(F f) const {  // f(b, head), heads dealt out to threads
    const Index work = T * S * D(), enough = 1 << 18;
    parallel_for(B * heads, work ? (enough + work - 1) / work : B * heads,
                 [f, heads = heads](Index begin, Index end) {
                   for (Index i = begin; i < end; ++i) f(i / heads, i % heads);
                 });
  }
};

}  // namespace

Tensor head_weights_composed(const Tensor& q, const Tensor& k, Index heads, const Mask& keep) {
  const Tensor e = factor_of(q.cols(), heads) * matmul_nt(cut(q, heads), cut(k, heads));
  return keep.empty() ? softmax(e) : masked_softmax(e, keep);
}

Tensor head_contexts_composed(const Tensor& alpha, const Tensor& v) {
  const Index B = v.shape()[0], T = alpha.shape()[2];
  return permute(matmul(alpha, cut(v, alpha.shape()[1])), {0, 2, 1, 3}).reshape({B, T, v.cols()});
}

Tensor head_weights(const Tensor& q, const Tensor& k, Index heads, const Mask& keep) {
  Op op("head_weights", q, k);
  op.require(q.rank() == 3 && k.rank() == 3 && q.shape()[0] == k.shape()[0] && q.cols() == k.cols(),
             "q [B, T, E] and k [B, S, E] need the same B and E");
  op.require(heads > 0 && q.cols() % heads == 0, "{} features cannot be cut into {} heads", q.cols(), heads);
  const Heads n{q.shape()[0], heads, q.shape()[1], k.shape()[1], q.cols()};
  const Shape mask = keep.shape;
  op.require(keep.empty() || (mask.rank() == 4 && (mask[0] == n.B || mask[0] == 1) && mask[1] == 1 &&
                              (mask[2] == n.T || mask[2] == 1) && mask[3] == n.S),
             "the mask {} needs the shape [1 or {}, 1, 1 or {}, {}]", mask, n.B, n.T, n.S);
  const Tensor y = op.output({n.B, heads, n.T, n.S});
  const Index step_b = keep.empty() || mask[0] == 1 ? 0 : mask[2] * n.S,
              step_t = keep.empty() || mask[2] == 1 ? 0 : n.S;
  const Real factor = factor_of(n.E, heads), *Q = q.data(), *K = k.data();
  Real* alpha = y.write();
  n.for_each([=, &keep](Index b, Index head) {
    Real* rows = alpha + n.weights(b, head);
    gemm_nt(n.T, n.S, n.D(), Q + n.query(b, head), n.E, K + n.key(b, head), n.E, rows, n.S, false);
    for (Index i = 0; i < n.T * n.S; ++i) rows[i] *= factor;
    for (Index t = 0; t < n.T; ++t) {
      Real* row = rows + t * n.S;
      keep.empty() ? softmax_row(n.S, row, row)
                   : masked_softmax_row(n.S, row, keep.values.data() + b * step_b + t * step_t, row);
    }
  });
  return op.done(y, [=] {  // through the softmax to e, then dq += de k / sqrt(D), dk += de^T q / sqrt(D)
    const auto [dq, dk] = grads_into(q, k);
    const Tensor through = Op::workspace(y.shape());
    const Real *dalpha = y.grad(), *alpha = y.data(), *Q = q.data(), *K = k.data();
    Real* de_all = through.write();
    n.for_each([=, dq = dq, dk = dk](Index b, Index head) {
      const Index at = n.weights(b, head);
      Real* de = de_all + at;
      for (Index i = 0; i < n.T * n.S; ++i) de[i] = 0;
      for (Index t = 0; t < n.T * n.S; t += n.S)
        softmax_row_grad(n.S, alpha + at + t, dalpha + at + t, de + t);
      for (Index i = 0; i < n.T * n.S; ++i) de[i] *= factor;
      const Index from_q = n.query(b, head), from_k = n.key(b, head);
      if (dq.data) gemm_nn(n.T, n.D(), n.S, de, n.S, K + from_k, n.E, dq.data + from_q, n.E, !dq.fresh);
      if (dk.data) gemm_tn(n.S, n.D(), n.T, de, n.S, Q + from_q, n.E, dk.data + from_k, n.E, !dk.fresh);
    });
  });
}

Tensor head_contexts(const Tensor& alpha, const Tensor& v) {
  Op op("head_contexts", alpha, v);
  op.require(
      alpha.rank() == 4 && v.rank() == 3 && alpha.shape()[0] == v.shape()[0] && alpha.cols() == v.shape()[1],
      "alpha [B, heads, T, S] and v [B, S, E] need the same B and S");
  const Heads n{v.shape()[0], alpha.shape()[1], alpha.shape()[2], v.shape()[1], v.cols()};
  op.require(n.heads > 0 && n.E % n.heads == 0, "{} features cannot be cut into {} heads", n.E, n.heads);
  const Tensor y = op.output({n.B, n.T, n.E});
  const Real *A = alpha.data(), *V = v.data();
  Real* c = y.write();
  n.for_each([=](Index b, Index head) {
    gemm_nn(n.T, n.D(), n.S, A + n.weights(b, head), n.S, V + n.key(b, head), n.E, c + n.query(b, head), n.E,
            false);
  });
  op.reads(alpha, v);
  return op.done(y, [=] {  // dalpha += dc v^T, dv += alpha^T dc
    const auto [da, dv] = grads_into(alpha, v);
    const Real *dc = y.grad(), *A = alpha.data(), *V = v.data();
    n.for_each([=, da = da, dv = dv](Index b, Index head) {
      const Index at = n.weights(b, head), from_v = n.key(b, head);
      const Real* d = dc + n.query(b, head);
      if (da.data) gemm_nt(n.T, n.S, n.D(), d, n.E, V + from_v, n.E, da.data + at, n.S, !da.fresh);
      if (dv.data) gemm_tn(n.S, n.D(), n.T, A + at, n.S, d, n.E, dv.data + from_v, n.E, !dv.fresh);
    });
  });
}

}  // namespace lookback::inline LOOKBACK_NS
