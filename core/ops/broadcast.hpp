// How two tensors of different shapes are walked together.
#pragma once

#include <array>

#include "core/ids.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

// The common shape of a and b: aligned at the last axis, sizes equal or 1; a size 0 meets 0 or 1 and stays 0.
Shape broadcast_shape(const Op& op, const Shape& a, const Shape& b);

bool broadcasts_to(const Shape& from, const Shape& to);

// A mask fits a shape when it has the same rank and each of its axes is equal or 1: no mask [B, S] is ever
// read as [T, S] because B happens to equal T.
void require_mask_fits(const Op& op, const Mask& mask, const Shape& shape);

// A walk over `shape` in rows along the last axis. Neighbouring axes that can be walked as one are merged, so
// that two equal shapes are a single row. A step is 0 along an axis that an argument repeats.
class Broadcast {
 public:
  Broadcast(const Shape& shape, const Shape& a, const Shape& b);

  // f(y, a, b, n): offsets of a row's first values and its length; inside it a and b advance by a_step(),
  // b_step().
  template <class F>
  void for_each_row(F f) const {
    const Index n = size_[3];
    if (n == 0) return;
    Index y = 0;
    for (Index i = 0; i < size_[0]; ++i)
      for (Index j = 0; j < size_[1]; ++j)
        for (Index k = 0; k < size_[2]; ++k, y += n)
          f(y, i * a_[0] + j * a_[1] + k * a_[2], i * b_[0] + j * b_[1] + k * b_[2], n);
  }
  Index a_step() const { return a_[3]; }
  Index b_step() const { return b_[3]; }

 private:
  std::array<Index, 4> size_{1, 1, 1, 1}, a_{}, b_{};
};

}  // namespace lookback::inline LOOKBACK_NS
