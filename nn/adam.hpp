// Adam.                                                        Kingma and Ba 2015, algorithm 1
#pragma once

#include <optional>
#include <vector>

#include "nn/optimizer.hpp"

namespace lookback::inline LOOKBACK_NS {

struct AdamOptions {
  Real rate = Real(1e-3);
  Real beta1 = Real(0.9), beta2 = Real(0.999);
  Real epsilon = Real(1e-8);  // added after the bias-corrected root, as PyTorch does
  Real weight_decay = 0;   // lambda: g += lambda p, or with `decoupled` p *= 1 - rate lambda before the step
  bool decoupled = false;  // AdamW: Loshchilov and Hutter 2019
};

class Adam : public Optimizer {
 public:
  explicit Adam(AdamOptions options = {}) : options(options) {}

  // m = beta1 m + (1 - beta1) g        v = beta2 v + (1 - beta2) g^2
  // p -= rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)      (t counts p's own gradients)
  // Reads the gradients and drops them. A parameter without one stays as it is, and is named once on stderr.
  // One optimizer serves one list of parameters: std::logic_error for another than the first step's.
  void step(const Params& params, Real factor = 1) override;
  std::vector<Param> state(const Params& params) override;  // of each parameter "m.W", "v.W", "steps.W"
  void restore(const Params& params, std::span<const Tensor> state) override;

  AdamOptions options;  // the rate may change between steps

 private:
  struct Moments {
    Tensor m, v;
    Index steps = 0;
    bool missed = false;
  };
  void serve(const Params& params);  // makes moments_ as long as the list

  std::optional<Params> serves_;
  std::vector<Moments> moments_;  // in the order of the parameters
};

}  // namespace lookback::inline LOOKBACK_NS
