// How work grows with a size: multiply-adds counted, time measured, and the slope of both.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/kernels/flops.hpp"
#include "examples/kit/stopwatch.hpp"

namespace lookback {

// Of all products of matrices in one call.
std::int64_t multiply_adds(const auto& call) {
  const std::int64_t before = product_flops();
  call();
  return (product_flops() - before) / 2;
}

// The power of n with which y grows between the last two sizes n.
inline double slope(std::span<const Index> n, std::span<const double> y) {
  const auto last = [](const auto& x) { return std::log(double(x.back()) / double(x[x.size() - 2])); };
  return last(y) / last(n);
}

// Of prepare(n)() for each of two or more sizes n: prints a row of multiply-adds and one of microseconds, after ~, and
// behind each its slope.
void print_growth(const std::string& what, std::span<const Index> sizes, const auto& prepare) {
  std::vector<double> counted, us;
  for (const Index n : sizes) {
    const auto call = prepare(n);
    counted.push_back(static_cast<double>(multiply_adds(call)));
    us.push_back(nanoseconds(call, 20) / 1000);
  }
  fmt::print("  {:26} {:10.0f}  {:6.2f}\n", what, fmt::join(counted, "  "), slope(sizes, counted));
  fmt::print("  {:26} ~{:9.1f}  ~{:5.2f}\n", "", fmt::join(us, "  ~"), slope(sizes, us));
}

}  // namespace lookback
