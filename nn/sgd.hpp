// Stochastic gradient descent with momentum.                  Sutskever et al. 2013, as PyTorch has it
#pragma once

#include <optional>
#include <vector>

#include "nn/optimizer.hpp"

namespace lookback::inline LOOKBACK_NS {

struct SGDOptions {
  Real rate = Real(0.1), momentum = 0, weight_decay = 0;
};

class SGD : public Optimizer {
 public:
  explicit SGD(SGDOptions options = {}) : options(options) {}

  // g += weight_decay p        v = momentum v + g        p -= rate v
  // Reads the gradients and drops them. A parameter without one stays as it is, and is named once on stderr.
  // One optimizer serves one list of parameters: std::logic_error for another than the first step's.
  void step(const Params& params, Real factor = 1) override;
  std::vector<Param> state(const Params& params) override;  // of each parameter "v.W"
  void restore(const Params& params, std::span<const Tensor> state) override;

  SGDOptions options;  // the rate may change between steps

 private:
  struct Motion {
    Tensor v;
    bool missed = false;
  };
  void serve(const Params& params);  // makes motions_ as long as the list

  std::optional<Params> serves_;
  std::vector<Motion> motions_;  // in the order of the parameters
};

}  // namespace lookback::inline LOOKBACK_NS
