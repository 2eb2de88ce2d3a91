// Reductions of one array of n values. The order of the additions depends on n alone.
//
// Ops called `sum` or `max` live in the inline namespace and hide these there: write lookback::sum(n, x).
#pragma once

#include "core/shape.hpp"

namespace lookback {

template <class T>  // sum_i x_i
T sum(Index n, const T* x);

template <class T>  // sum_i x_i y_i
T dot(Index n, const T* x, const T* y);

template <class T>  // sum_i x_i^2
T sum_squares(Index n, const T* x);

template <class T>  // the largest x_i: -infinity when n is 0, NaN when any x_i is
T max(Index n, const T* x);

template <class T>  // y_j = sum_i x_ij, or y_j += that when `add`
void column_sums(Index rows, Index columns, const T* x, T* y, bool add);

}  // namespace lookback
