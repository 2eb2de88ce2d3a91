// What tests of modules share: how far tensors are apart, and the gradients of one pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/tape.hpp"
#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

// The largest |a - b| / max(1, |a|, |b|) of two equal shapes; infinity when shapes differ or one of two is
// NaN.
inline double distance(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i], y = b.data()[i];
    const double apart = x == y ? 0 : std::abs(x - y) / std::max({1., std::abs(x), std::abs(y)});
    if (!(apart <= largest)) largest = std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
  }
  return largest;
}

inline double distance(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, distance(a[k], b[k]));
  return largest;
}

inline bool all_zero(const Tensor& x) {
  return std::all_of(x.data(), x.data() + x.size(), [](Real v) { return v == 0; });
}

inline std::vector<Tensor> tensors_of(const Params& params) {
  std::vector<Tensor> all;
  for (const Param& p : params.all()) all.push_back(p.value);
  return all;
}

// dL/dx of each tensor for L = loss(), a scalar; none is kept.
template <class Loss>
std::vector<Tensor> gradients(std::span<const Tensor> of, Loss loss) {
  for (const Tensor& x : of) x.want_grad().drop_grad();
  {
    Tape tape;
    tape.backward(loss());
  }
  std::vector<Tensor> all;
  for (const Tensor& x : of) {
    all.push_back(x.grad_tensor());
    x.drop_grad();
  }
  return all;
}

}  // namespace lookback::inline LOOKBACK_NS
