// Additive score: e_{t,i} = v^T tanh(W1 s_t + W2 h_i)      Bahdanau et al. 2015, A.1.2; Note I, "Score functions"
#include "attention/additive_scores.hpp"
#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Additive : Score {
  Tensor W1, W2, v, b;  // [A, query], [A, key], [A], [A] or empty
  Additive(const Params& p, const Sizes& n)
      : W1(p.add("W1", {n.hidden, n.query}, glorot)),
        W2(p.add("W2", {n.hidden, n.key}, glorot)),
        v(p.add("v", {n.hidden}, glorot)) {
    require_hidden_size("additive", n);
    if (n.bias) b = p.add("b", {n.hidden}, zeros);
  }
  Tensor keys(const Tensor& h) const override { return linear(h, W2); }  // W2 h_i, once a sentence: [B, S, A]
  Tensor scores(const Tensor& s, const Tensor& keys) const override {
    return additive_scores(linear(s, W1, b), keys, v);
  }
};

}  // namespace
SCORE(additive, Additive)
}  // namespace lookback::inline LOOKBACK_NS
