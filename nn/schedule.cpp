#include "nn/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace lookback {

double Schedule::at(Index step) const {
  const double t = static_cast<double>(step), w = static_cast<double>(warmup);
  if (step < warmup) return rate * t / w;
  if (decay == Decay::inverse_sqrt) return rate * std::sqrt(std::max(w, 1.0) / std::max(t, 1.0));
  if (decay == Decay::linear)
    return rate * std::max(0.0, static_cast<double>(steps) - t) /
           std::max(static_cast<double>(steps) - w, 1.0);
  return rate;
}

}  // namespace lookback
