#include "examples/kit/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lookback::inline LOOKBACK_NS {

Shape Shapes::operator()(std::string_view stated) const {
  const auto wrong = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("the shape {}: {}", stated, why));
  };
  if (!stated.starts_with('[') || !stated.ends_with(']')) wrong("it does not stand in [ ]");
  Shape shape;
  Index axis = 0, product = 1, number = 0;
  for (const char c : stated.substr(1)) {
    if ('0' <= c && c <= '9') {
      number = 10 * number + (c - '0');
      continue;
    }
    if (number > 0) product *= std::exchange(number, 0);
    if (const auto letter = sizes_.find(c); letter != sizes_.end()) {
      product *= letter->second;
    } else if (c == '+' || c == ',' || c == ']') {
      axis += std::exchange(product, 1);
      if (c != '+' && stated != "[]") shape = shape.inserted(shape.rank(), std::exchange(axis, 0));
    } else if (c != ' ') {
      wrong(fmt::format("{} stands for nothing", c));
    }
  }
  return shape;
}

void Shapes::check(std::string_view what, std::string_view stated, const Shape& shape) const {
  if (shape != (*this)(stated))
    throw std::logic_error(
        fmt::format("{}: {} is not {} = {}", what, to_string(shape), stated, to_string((*this)(stated))));
  if (print_) fmt::print("  {:44} {:14} {}\n", what, stated, to_string(shape));
}

Tensor Shapes::operator()(std::string_view what, std::string_view stated, const Tensor& x) const {
  check(what, stated, x.shape());
  return x;
}

void Shapes::operator()(std::string_view what, std::string_view stated, const Ids& ids) const {
  check(what, stated, ids.shape);
}

Shapes Shapes::quiet() const {
  Shapes silent = *this;
  silent.print_ = false;
  return silent;
}

Real difference(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape())
    throw std::invalid_argument(
        fmt::format("difference: {} and {}", to_string(a.shape()), to_string(b.shape())));
  Real largest = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const Real apart = std::abs(a.data()[i] - b.data()[i]);
    largest = std::isnan(apart) ? std::numeric_limits<Real>::infinity() : std::max(largest, apart);
    if (std::isinf(largest)) break;
  }
  return largest;
}

void print_equal(std::string_view what, const Tensor& a, const Tensor& b) {
  const Real apart = difference(a, b), size = std::max(Real(1), difference(b, Tensor(b.shape())));
  if (!(apart <= Real(1e-6) * size))
    throw std::logic_error(fmt::format("{}: they differ by {}", what, apart));
  fmt::print("  {}: equal to 1e-6\n", what);
}

}  // namespace lookback::inline LOOKBACK_NS
