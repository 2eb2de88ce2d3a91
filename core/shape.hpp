// The number type, the index type and the shape of a tensor.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>

// Every library file opens `namespace lookback::inline LOOKBACK_NS`: the same sources are built twice, with
// float for training and with double for gradient checks, and no program can mix the two by accident.
#ifdef LOOKBACK_DOUBLE
#define LOOKBACK_NS f64
#else
#define LOOKBACK_NS f32
#endif

namespace lookback {

using Index = std::ptrdiff_t;  // sizes and positions: T * S * H of a long document does not fit 32 bits

// Sizes of up to four axes, row-major, the last axis contiguous. Shape{} is a scalar: no axes, one value.
struct Shape {
  static constexpr int max_rank = 4;

  Shape() = default;
  Shape(std::initializer_list<Index> sizes);  // throws on a negative size or a fifth axis

  int rank() const { return rank_; }
  Index size() const {  // how many values
    Index n = 1;
    for (int i = 0; i < rank_; ++i) n *= sizes_[static_cast<std::size_t>(i)];
    return n;
  }
  // The size of one axis, counted from the front, or from the back when negative: shape[-1] is the last.
  Index operator[](int axis) const {
    return sizes_[static_cast<std::size_t>(axis < 0 ? axis + rank_ : axis)];
  }
  int axis(int axis) const;                    // the same axis from the front; throws when there is none
  Index stride(int axis) const;                // values between neighbours along the axis
  Shape with(int axis, Index size) const;      // a copy with one size changed
  Shape without(int axis) const;               // a copy with one axis removed
  Shape inserted(int axis, Index size) const;  // a copy with a new axis before `axis`
  bool operator==(const Shape&) const = default;

 private:
  int rank_ = 0;
  std::array<Index, max_rank> sizes_{};  // unused axes stay 0, so that == compares whole arrays
};

std::string to_string(const Shape& shape);  // "[32, 128]", "[]" for a scalar

}  // namespace lookback

namespace lookback::inline LOOKBACK_NS {

#ifdef LOOKBACK_DOUBLE
using Real = double;
#else
using Real = float;
#endif

}  // namespace lookback::inline LOOKBACK_NS
