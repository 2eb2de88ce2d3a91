#include "nn/sgd.hpp"

#include <stdexcept>

#include "core/tell.hpp"

namespace lookback::inline LOOKBACK_NS {

void SGD::serve(const Params& params) {
  if (!serves_) serves_ = params;
  if (!serves_->same_list(params))
    throw std::logic_error(
        "sgd: these are not the parameters it has stepped so far; one optimizer, one list");
  while (motions_.size() < params.all().size())
    motions_.push_back({Tensor(params.all()[motions_.size()].value.shape())});
}

void SGD::step(const Params& params, Real factor) {
  serve(params);
  const auto [rate, momentum, decay] = options;
  for (std::size_t k = 0; k < params.all().size(); ++k) {
    const auto& [name, p] = params.all()[k];
    Motion& motion = motions_[k];
    if (!p.has_grad()) {
      if (!motion.missed) tell("sgd: {} received no gradient; it stays as it is\n", name);
      motion.missed = true;
      continue;
    }
    const Real* g = p.grad();
    Real *v = motion.v.write(), *w = p.write();
    for (Index i = 0; i < p.size(); ++i) {
      v[i] = momentum * v[i] + factor * g[i] + decay * w[i];
      w[i] -= rate * v[i];
    }
    p.drop_grad();
  }
}

std::vector<Param> SGD::state(const Params& params) {
  serve(params);
  std::vector<Param> all;
  for (std::size_t k = 0; k < motions_.size(); ++k)
    all.push_back({"v." + params.all()[k].name, motions_[k].v});
  return all;
}

void SGD::restore(const Params& params, std::span<const Tensor> state) { assign(this->state(params), state); }

}  // namespace lookback::inline LOOKBACK_NS
