#include "core/ids.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace lookback {
namespace {

void require_count(const char* what, const Shape& shape, std::size_t count) {
  if (shape.size() != static_cast<Index>(count))
    throw std::invalid_argument(fmt::format("{}{}: {} values were given", what, to_string(shape), count));
}

}  // namespace

Ids::Ids(Shape s, std::vector<std::int32_t> v) : shape(s), values(std::move(v)) {
  require_count("Ids", shape, values.size());
}

Ids::Ids(Shape s, std::int32_t value) : shape(s), values(static_cast<std::size_t>(s.size()), value) {}

Ids Ids::column(Index t) const {
  if (shape.rank() != 2 || t < 0 || t >= shape[1])
    throw std::invalid_argument(fmt::format("Ids{} has no column {}", to_string(shape), t));
  Ids out(Shape{shape[0]});
  for (Index b = 0; b < shape[0]; ++b)
    out.values[static_cast<std::size_t>(b)] = values[static_cast<std::size_t>(b * shape[1] + t)];
  return out;
}

void Ids::check_range(std::string_view op, Index V) const {
  if (shape.size() != size())
    throw std::invalid_argument(fmt::format("{}: the ids {} hold {} values", op, to_string(shape), size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] >= V)
      throw std::out_of_range(fmt::format("{}: id {} at place {} of {} is not in 0 .. {} (V = {})", op,
                                          values[i], i, to_string(shape), V - 1, V));
}

Mask::Mask(Shape s, std::vector<std::uint8_t> v) : shape(s), values(std::move(v)) {
  require_count("Mask", shape, values.size());
}

Mask Mask::lengths(std::span<const Index> lengths, Index S) {
  const auto B = static_cast<Index>(lengths.size());
  Mask mask(Shape{B, S}, std::vector<std::uint8_t>(static_cast<std::size_t>(B * S)));
  for (Index b = 0; b < B; ++b) {
    const Index n = lengths[static_cast<std::size_t>(b)];
    if (n < 0 || n > S)
      throw std::invalid_argument(
          fmt::format("Mask::lengths: length {} of row {} is not in 0 .. {}", n, b, S));
    for (Index i = 0; i < n; ++i) mask.values[static_cast<std::size_t>(b * S + i)] = 1;
  }
  return mask;
}

Mask Mask::causal(Index T) {
  Mask mask(Shape{T, T}, std::vector<std::uint8_t>(static_cast<std::size_t>(T * T)));
  for (Index t = 0; t < T; ++t)
    for (Index i = 0; i <= t; ++i) mask.values[static_cast<std::size_t>(t * T + i)] = 1;
  return mask;
}

Mask Mask::reshape(Shape to) const { return Mask(to, values); }

}  // namespace lookback
