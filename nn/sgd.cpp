#include "nn/sgd.hpp"

namespace lookback::inline LOOKBACK_NS {

void SGD::step(const Params& params) {
  const auto [rate, momentum, decay] = options;
  while (velocity_.size() < params.all().size())
    velocity_.emplace_back(params.all()[velocity_.size()].value.shape());
  for (std::size_t k = 0; k < params.all().size(); ++k) {
    const Tensor& p = params.all()[k].value;
    if (!p.has_grad()) continue;
    const Real* g = p.grad();
    Real *v = velocity_[k].write(), *w = p.write();
    for (Index i = 0; i < p.size(); ++i) {
      v[i] = momentum * v[i] + g[i] + decay * w[i];
      w[i] -= rate * v[i];
    }
    p.drop_grad();
  }
}

}  // namespace lookback::inline LOOKBACK_NS
