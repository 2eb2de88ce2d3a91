// One step of a GRU written out, every number in its place: for a reader with a pocket calculator.
#pragma once

#include <string>
#include <vector>

#include "nn/gru.hpp"

namespace lookback::inline LOOKBACK_NS {

struct ByHand {
  std::vector<std::string> lines;  // r, z, n, h' of component 1, then of component 2, ..
  std::vector<double> h;           // h'
};

// x [1, in] and h [1, H]. Weights, x and h are shown with one digit after the point and taken as they are, so
// that what is shown is right when they have no more.
ByHand gru_by_hand(const GRUCell& cell, const Tensor& x, const Tensor& h);

}  // namespace lookback::inline LOOKBACK_NS
