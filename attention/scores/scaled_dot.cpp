// Scaled dot score: e_{t,i} = s_t^T h_i / sqrt(H)   Vaswani et al. 2017, eq. (1); Note I, "Score functions"
#include <cmath>

#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct ScaledDot : Score {
  Real factor;
  ScaledDot(const Params&, const Sizes& n) : factor(1 / std::sqrt(static_cast<Real>(n.key))) {
    require_equal_sizes("scaled_dot", n);
  }
  Tensor scores(const Tensor& s, const Tensor& h) const override { return factor * matmul_nt(s, h); }
};

}  // namespace
SCORE(scaled_dot, ScaledDot)
}  // namespace lookback::inline LOOKBACK_NS
