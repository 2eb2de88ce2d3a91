// Learning rates that change with the step.
#pragma once

#include "core/shape.hpp"

namespace lookback {

// What follows the warm-up. inverse_sqrt: Vaswani et al. 2017, section 5.3.
enum class Decay { none, inverse_sqrt, linear };

struct Schedule {
  double rate = 1e-3;  // the largest
  Index warmup = 0;    // steps in which the rate rises from rate / warmup to rate
  Decay decay = Decay::none;
  Index steps = 0;  // linear: the rate is 0 after so many

  // The rate of a step; the first is 1. Throws std::invalid_argument for a step below 1, a warm-up below 0, or a
  // linear decay that ends before the warm-up does.
  double at(Index step) const;
};

}  // namespace lookback
