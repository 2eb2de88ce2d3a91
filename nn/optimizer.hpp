// What Adam and SGD share: a step, and a memory that a checkpoint can keep.
#pragma once

#include <span>
#include <vector>

#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // Reads the gradients, each times `factor` (clip_factor's), and drops them. One optimizer serves one list of
  // parameters: std::logic_error for another.
  virtual void step(const Params& params, Real factor = 1) = 0;
  // What it remembers between steps, by name: handles on the tensors themselves, counts as scalars (a float
  // counts to 2^24).
  virtual std::vector<Param> state(const Params& params) = 0;
  // Takes what another's state() listed, in that order. Throws std::invalid_argument, and changes nothing,
  // when it is not such a list.
  virtual void restore(const Params& params, std::span<const Tensor> state) = 0;
};

}  // namespace lookback::inline LOOKBACK_NS
