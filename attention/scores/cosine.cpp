// Cosine score: e_{t,i} = s_t^T h_i / (|s_t| |h_i|)  Note I, "Score functions": magnitude is thrown away
#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Cosine : Score {
  Cosine(const Params&, const Sizes& n) { require_equal_sizes("cosine", n); }
  Tensor keys(const Tensor& h) const override { return normalize(h); }
  Tensor scores(const Tensor& s, const Tensor& keys) const override { return matmul_nt(normalize(s), keys); }
};

}  // namespace
SCORE(cosine, Cosine)
}  // namespace lookback::inline LOOKBACK_NS
