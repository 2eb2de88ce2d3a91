// Gradients against two-sided finite differences.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/tensor.hpp"

namespace lookback::inline LOOKBACK_NS {

struct GradcheckOptions {
  Real step = 1e-5;        // of the difference; in double the error is then about 1e-10
  Real tolerance = 1e-7;   // |analytic - numeric| <= tolerance max(1, |analytic|, |numeric|)
  std::uint64_t seed = 1;  // of the projection and of what the gradients are prefilled with
};

struct Gradcheck {
  Index checked = 0;    // numbers compared
  std::string failure;  // empty, or the name, argument, place and both numbers
  explicit operator bool() const { return failure.empty() && checked > 0; }
};

// Checks d(sum of w f(inputs)) / d(input) for every value of every input, where w are random weights, so that
// symmetric mistakes cannot cancel. `f` reads the inputs through the handles it is called with and must be
// smooth there. It is run twice: on fresh gradients, and on prefilled ones, which catches an op that assigns
// instead of adding.
Gradcheck gradcheck(const std::string& name, std::span<const Tensor> inputs, const std::function<Tensor()>& f,
                    GradcheckOptions options = {});

// A tensor of random values in [low, high) that wants a gradient.
Tensor random_leaf(Shape shape, std::uint64_t seed, Real low = -1, Real high = 1);

}  // namespace lookback::inline LOOKBACK_NS
