// Measured times. They differ from run to run: print them after ~ or to stderr.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace lookback {

// Of one call: the shortest of several, the one that was least disturbed.
template <class F>
double nanoseconds(F call, int times = 200) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < times; ++k) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    shortest = std::min(shortest, taken.count());
  }
  return shortest;
}

}  // namespace lookback
