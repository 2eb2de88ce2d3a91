#include "nn/adam.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "core/kernels/parallel.hpp"
#include "core/tell.hpp"

namespace lookback::inline LOOKBACK_NS {

void Adam::serve(const Params& params) {
  if (!serves_) serves_ = params;
  if (!serves_->same_list(params))
    throw std::logic_error(
        "adam: these are not the parameters it has stepped so far; one optimizer, one list");
  while (moments_.size() < params.all().size()) {
    const Shape& shape = params.all()[moments_.size()].value.shape();
    moments_.push_back({Tensor(shape), Tensor(shape)});
  }
}

void Adam::step(const Params& params, Real factor) {
  serve(params);
  const Real beta1 = options.beta1, beta2 = options.beta2, epsilon = options.epsilon;
  for (std::size_t k = 0; k < params.all().size(); ++k) {
    const auto& [name, p] = params.all()[k];
    Moments& moments = moments_[k];
    if (!p.has_grad()) {
      if (!moments.missed) tell("adam: {} received no gradient; it stays as it is\n", name);
      moments.missed = true;
      continue;
    }
    const auto t = static_cast<double>(++moments.steps);
    const Real rate = options.rate / static_cast<Real>(1 - std::pow(static_cast<double>(beta1), t));
    const Real correct = static_cast<Real>(1 / std::sqrt(1 - std::pow(static_cast<double>(beta2), t)));
    const Real* g = p.grad();
    Real *m = moments.m.write(), *v = moments.v.write(), *w = p.write();
    const Index n = p.size();
    const Real shrink = options.decoupled ? 1 - options.rate * options.weight_decay : Real{1};
    const Real pull = options.decoupled ? Real{0} : options.weight_decay;
    parallel_for(n, grain(1), [=](Index begin, Index end) {
#pragma omp simd
      for (Index i = begin; i < end; ++i) {
        const Real d = factor * g[i] + pull * w[i];
        w[i] *= shrink;
        m[i] = beta1 * m[i] + (1 - beta1) * d;
        v[i] = beta2 * v[i] + (1 - beta2) * d * d;
        w[i] -= rate * m[i] / (std::sqrt(v[i]) * correct + epsilon);
      }
    });
    p.drop_grad();
  }
}

std::vector<Param> Adam::state(const Params& params) {
  serve(params);
  std::vector<Param> all;
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    const auto& [m, v, steps, missed] = moments_[k];
    const std::string& name = params.all()[k].name;
    all.insert(all.end(),
               {{"m." + name, m}, {"v." + name, v}, {"steps." + name, Tensor({}, static_cast<Real>(steps))}});
  }
  return all;
}

void Adam::restore(const Params& params, std::span<const Tensor> state) {
  const std::vector<Param> mine = this->state(params);
  for (std::size_t i = 2; i < state.size(); i += 3)
    if (const Real n = state[i].item(); !(n >= 0 && n <= Real{0x1p53} && n == std::floor(n)))
      throw std::invalid_argument(fmt::format("adam: it cannot have taken {} steps", n));
  assign(mine, state);
  for (std::size_t k = 0; k < moments_.size(); ++k)
    moments_[k].steps = static_cast<Index>(state[3 * k + 2].item());
}

}  // namespace lookback::inline LOOKBACK_NS
