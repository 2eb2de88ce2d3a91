// What a chapter says of tensors, checked as it is printed: their shapes in letters, and that two are equal.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/ids.hpp"
#include "core/tensor.hpp"

namespace lookback::inline LOOKBACK_NS {

// What each letter stands for, and shapes written in them: with B = 3, H = 8 and K = 2 "[B, 1, H+KH]" is
// [3, 1, 24]. Letters and numbers side by side are multiplied.
class Shapes {
 public:
  explicit Shapes(std::map<char, Index> sizes) : sizes_(std::move(sizes)) {}

  // Throws std::invalid_argument for a letter that stands for nothing, and for what is not a shape.
  Shape operator()(std::string_view stated) const;

  // Prints what it is, the stated shape and its numbers, and returns x. Throws std::logic_error naming both
  // unless x has that shape.
  Tensor operator()(std::string_view what, std::string_view stated, const Tensor& x) const;
  void operator()(std::string_view what, std::string_view stated, const Ids& ids) const;

  Shapes quiet() const;  // checks as this one, and prints nothing

 private:
  void check(std::string_view what, std::string_view stated, const Shape& shape) const;

  std::map<char, Index> sizes_;
  bool print_ = true;
};

// The largest |a - b|; infinity when one of them is NaN. Throws std::invalid_argument unless shapes are equal.
Real difference(const Tensor& a, const Tensor& b);

// Prints "  the twins: equal to 1e-6" when no |a - b| is larger than 1e-6 of the largest |b|, or of 1 when all are
// smaller. Throws std::logic_error with the difference when one is.
void print_equal(std::string_view what, const Tensor& a, const Tensor& b);

}  // namespace lookback::inline LOOKBACK_NS
