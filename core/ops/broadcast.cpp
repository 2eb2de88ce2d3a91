#include "core/ops/broadcast.hpp"

#include <algorithm>

namespace lookback::inline LOOKBACK_NS {
namespace {

Index size_from_back(const Shape& s, int i) { return i < s.rank() ? s[s.rank() - 1 - i] : 1; }

}  // namespace

Shape broadcast_shape(const Op& op, const Shape& a, const Shape& b) {
  if (a == b) return a;
  Shape shape;
  for (int i = 0; i < std::max(a.rank(), b.rank()); ++i) {
    const Index n = size_from_back(a, i), m = size_from_back(b, i);
    op.require(n == m || n == 1 || m == 1, "shapes do not broadcast: {} meets {} on axis {} from the back", n,
               m, i + 1);
    shape = shape.inserted(0, n == 1 ? m : n);
  }
  return shape;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  bool fits = from.rank() <= to.rank();
  for (int i = 1; fits && i <= from.rank(); ++i) fits = from[-i] == to[-i] || from[-i] == 1;
  return fits;
}

void require_mask_fits(const Op& op, const Mask& mask, const Shape& shape) {
  op.require(mask.shape.size() == static_cast<Index>(mask.values.size()), "the mask {} holds {} values",
             mask.shape, mask.values.size());
  const bool fits = mask.shape.rank() == shape.rank() && broadcasts_to(mask.shape, shape);
  op.require(fits, "the mask {} does not fit {}: it needs the same rank, each axis equal or 1", mask.shape,
             shape);
}

Broadcast::Broadcast(const Shape& shape, const Shape& a, const Shape& b) {
  if (shape == a && a == b) {  // one row
    size_[3] = shape.size(), a_[3] = b_[3] = 1;
    return;
  }
  int at = 3;  // axes are filled from the back
  Index a_stride = 1, b_stride = 1;
  for (int i = 0; i < shape.rank(); ++i) {
    const Index n = shape[shape.rank() - 1 - i], na = size_from_back(a, i), nb = size_from_back(b, i);
    if (n != 1) {
      const Index step_a = na == 1 ? 0 : a_stride, step_b = nb == 1 ? 0 : b_stride;
      const auto p = static_cast<std::size_t>(at);
      const bool first = i == 0 || size_[p] == 1;
      if (first) {
        size_[p] = n, a_[p] = step_a, b_[p] = step_b;
      } else if (step_a == a_[p] * size_[p] && step_b == b_[p] * size_[p]) {
        size_[p] *= n;  // goes on where the axis behind it ends
      } else {
        --at;
        size_[p - 1] = n, a_[p - 1] = step_a, b_[p - 1] = step_b;
      }
    }
    a_stride *= na;
    b_stride *= nb;
  }
}

}  // namespace lookback::inline LOOKBACK_NS
