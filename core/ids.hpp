// Whole-number and yes-or-no arrays that accompany tensors: word ids and masks. They carry no gradient.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/shape.hpp"

namespace lookback {

// Word ids or class numbers of any shape, row-major. Range-checked once, where an op takes them.
struct Ids {
  Shape shape;
  std::vector<std::int32_t> values;

  Ids() = default;
  Ids(Shape shape, std::vector<std::int32_t> values);  // throws std::invalid_argument when the counts differ
  explicit Ids(Shape shape, std::int32_t value = 0);
  Index size() const { return static_cast<Index>(values.size()); }
  Ids column(Index t) const;  // [B, T] -> [B]: one time step of the whole batch
  // Throws std::out_of_range naming op, id, place and V unless every id is in 0 .. V-1.
  void check_range(std::string_view op, Index V) const;
};

// true = keep. Of the rank of what it masks; an axis of size 1 stands for all places along it: [B, 1, S].
struct Mask {
  Shape shape;
  std::vector<std::uint8_t> values;  // 0 or 1

  Mask() = default;
  Mask(Shape shape, std::vector<std::uint8_t> values);  // throws std::invalid_argument when the counts differ
  // Row b keeps its first lengths[b] positions: [B, S]. Throws when a length is negative or over S.
  static Mask lengths(std::span<const Index> lengths, Index S);
  // Position t keeps positions 0 .. t: [T, T].
  static Mask causal(Index T);
  bool empty() const { return shape.rank() == 0; }  // no mask at all: everything is kept
  Mask reshape(Shape shape) const;
};

}  // namespace lookback
