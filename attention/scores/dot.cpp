// Dot score: e_{t,i} = s_t^T h_i                    Luong et al. 2015, eq. (8); Note I, "Score functions"
#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Dot : Score {
  Dot(const Params&, const Sizes& n) { require_equal_sizes("dot", n); }
  Tensor scores(const Tensor& s, const Tensor& h) const override { return matmul_nt(s, h); }
};

}  // namespace
SCORE(dot, Dot)
}  // namespace lookback::inline LOOKBACK_NS
