// [formula]
// Two-layer score: e_{t,i} = v^T tanh(W2 tanh(W1 [s_t; h_i]))        docs/15-your-score.md writes it step by step
#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {
// [/formula]

// [parameters]
struct Mlp : Score {
  Index query;
  Tensor W1, W2, v;  // [A, query + key], [A, A], [1, A]
  Mlp(const Params& p, const Sizes& n)
      : query(n.query),
        W1(p.add("W1", {n.hidden, n.query + n.key}, glorot)),
        W2(p.add("W2", {n.hidden, n.hidden}, glorot)),
        v(p.add("v", {1, n.hidden}, glorot)) {
    require_hidden_size("mlp", n);
  }
  // [/parameters]
  // [keys]
  // The half of W1 that meets h, once a sentence: [B, S, key] -> [B, S, A]
  Tensor keys(const Tensor& h) const override { return linear(h, slice(W1, 1, query, W1.cols())); }
  // [/keys]
  // [scores]
  Tensor scores(const Tensor& s, const Tensor& keys) const override {
    const Tensor q = linear(s, slice(W1, 1, 0, query));  // [B, T, A]
    const Index B = q.shape()[0], T = q.shape()[1], S = keys.shape()[1], A = q.cols();
    const Tensor u = tanh(q.reshape({B, T, 1, A}) + keys.reshape({B, 1, S, A}));  // [B, T, S, A]
    return linear(tanh(linear(u, W2)), v).reshape({B, T, S});
  }
};
// [/scores]

// [register]
}  // namespace
SCORE(mlp, Mlp)
}  // namespace lookback::inline LOOKBACK_NS
// [/register]
