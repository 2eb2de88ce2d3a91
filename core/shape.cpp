#include "core/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace lookback {
namespace {

// Refuses a negative size, and more values than an Index counts: then no stride overflows either.
Shape checked(const Shape& s) {
  Index n = 1;
  for (int i = 0; i < s.rank(); ++i) {
    if (s[i] < 0) throw std::invalid_argument(fmt::format("a shape cannot have the size {}", s[i]));
    if (__builtin_mul_overflow(n, std::max<Index>(s[i], 1), &n))
      throw std::invalid_argument(fmt::format("{} has more values than can be counted", to_string(s)));
  }
  return s;
}

}  // namespace

Shape::Shape(std::initializer_list<Index> sizes) {
  if (sizes.size() > max_rank)
    throw std::invalid_argument(fmt::format("a shape has at most {} axes, not {}", max_rank, sizes.size()));
  for (const Index n : sizes) sizes_[static_cast<std::size_t>(rank_++)] = n;
  checked(*this);
}

int Shape::axis(int axis) const {
  const int a = axis < 0 ? axis + rank_ : axis;
  if (a < 0 || a >= rank_)
    throw std::invalid_argument(fmt::format("there is no axis {} in {}", axis, to_string(*this)));
  return a;
}

Shape Shape::with(int axis, Index size) const {
  Shape s = *this;
  s.sizes_[static_cast<std::size_t>(this->axis(axis))] = size;
  return checked(s);
}

Shape Shape::without(int axis) const {
  const int removed = this->axis(axis);
  Shape s;
  for (int i = 0; i < rank_; ++i)
    if (i != removed) s.sizes_[static_cast<std::size_t>(s.rank_++)] = (*this)[i];
  return s;
}

Shape Shape::inserted(int axis, Index size) const {
  const int place = axis < 0 ? axis + rank_ + 1 : axis;
  if (place < 0 || place > rank_ || rank_ == max_rank)
    throw std::invalid_argument(fmt::format("no axis can be inserted at {} in {}", axis, to_string(*this)));
  Shape s;
  s.rank_ = rank_ + 1;
  for (int i = 0; i < s.rank_; ++i)
    s.sizes_[static_cast<std::size_t>(i)] = i < place ? (*this)[i] : i == place ? size : (*this)[i - 1];
  return checked(s);
}

Index Shape::stride(int axis) const {
  Index n = 1;
  for (int i = this->axis(axis) + 1; i < rank_; ++i) n *= (*this)[i];
  return n;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (int i = 0; i < shape.rank(); ++i) text += fmt::format("{}{}", i ? ", " : "", shape[i]);
  return text + "]";
}

}  // namespace lookback
