#include "nn/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lookback {

double Schedule::at(Index step) const {
  if (step < 1 || warmup < 0 || (decay == Decay::linear && steps <= warmup))
    throw std::invalid_argument(
        fmt::format("Schedule: step {} of {}, warm-up {}: steps count from 1 and end after the warm-up", step,
                    steps, warmup));
  const double t = static_cast<double>(step), w = static_cast<double>(warmup);
  if (step < warmup) return rate * t / w;
  if (decay == Decay::inverse_sqrt) return rate * std::sqrt(std::max(w, 1.0) / std::max(t, 1.0));
  if (decay == Decay::linear)
    return rate * std::max(0.0, static_cast<double>(steps) - t) / (static_cast<double>(steps) - w);
  return rate;
}

}  // namespace lookback
