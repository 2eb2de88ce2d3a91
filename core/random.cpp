#include "core/random.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace lookback {

Random Random::named(std::uint64_t seed, std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return Random(random_bits(hash, seed));
}

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(6.283185307179586 * uniform());
}

Index Random::below(Index n) {
  if (n < 1) throw std::invalid_argument(fmt::format("Random::below({}): there is no such number", n));
  const auto m = static_cast<std::uint64_t>(n);
  const std::uint64_t usable = UINT64_MAX - UINT64_MAX % m;  // draws past it would favour small numbers
  std::uint64_t z = bits();
  while (z >= usable) z = bits();
  return static_cast<Index>(z % m);
}

}  // namespace lookback
