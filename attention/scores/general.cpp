// General (bilinear) score: e_{t,i} = s_t^T W h_i   Luong et al. 2015, eq. (8); Note I, "Score functions"
#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct General : Score {
  Tensor W;  // [query, key]
  General(const Params& p, const Sizes& n) : W(p.add("W", {n.query, n.key}, glorot)) {}
  // W h_i, once a sentence: [B, S, query]
  Tensor keys(const Tensor& h) const override { return linear(h, W); }
  Tensor scores(const Tensor& s, const Tensor& keys) const override { return matmul_nt(s, keys); }
};

}  // namespace
SCORE(general, General)
}  // namespace lookback::inline LOOKBACK_NS
