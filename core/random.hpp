// Random numbers whose n-th draw is a function of (seed, n): the same on every machine and at any thread
// count.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/shape.hpp"

namespace lookback {

// Value i of the stream `seed`: SplitMix64 (Steele, Lea and Flood 2014) started at a place the seed decides.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed * 0x632BE59BD9B4E019 + (i + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

// A stream is a value: copy it to draw the same numbers again, store (seed, position) to go on later.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t position = 0) : seed_(seed), position_(position) {}
  // An independent stream for one purpose, e.g. Random::named(seed, "encoder.weight_ih_l0").
  static Random named(std::uint64_t seed, std::string_view name);

  std::uint64_t bits() { return random_bits(seed_, position_++); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();       // mean 0, variance 1 (Box and Muller)
  Index below(Index n);  // 0 .. n-1, each as likely; throws std::invalid_argument for n < 1

  // Puts a range in random order (Fisher and Yates).
  template <class Range>
  void shuffle(Range& range) {
    for (Index i = static_cast<Index>(range.size()) - 1; i > 0; --i)
      std::swap(range[static_cast<std::size_t>(i)], range[static_cast<std::size_t>(below(i + 1))]);
  }

  std::uint64_t seed() const { return seed_; }
  std::uint64_t position() const { return position_; }

 private:
  std::uint64_t seed_, position_;
};

}  // namespace lookback
