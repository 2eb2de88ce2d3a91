// Concat score: e_{t,i} = v^T tanh(W [s_t; h_i])    Luong et al. 2015, eq. (8)
// With W = [W1 W2] it is the additive score: W [s; h] = W1 s + W2 h, and W2 h is computed once a sentence.
#include "attention/additive_scores.hpp"
#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Concat : Score {
  Index query;
  Tensor W, v;  // [A, query + key], [A]
  Concat(const Params& p, const Sizes& n)
      : query(n.query),
        W(p.add("W", {n.hidden, n.query + n.key}, glorot)),
        v(p.add("v", {n.hidden}, glorot)) {
    require_hidden_size("concat", n);
  }
  Tensor keys(const Tensor& h) const override { return linear(h, slice(W, 1, query, W.cols())); }
  Tensor scores(const Tensor& s, const Tensor& keys) const override {
    return additive_scores(linear(s, slice(W, 1, 0, query)), keys, v);
  }
};

}  // namespace
SCORE(concat, Concat)
}  // namespace lookback::inline LOOKBACK_NS
