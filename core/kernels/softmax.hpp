// One row of the softmax family and its gradient: y may be x.
//
// The largest score is subtracted first, so scores of any finite size are safe. A row with a NaN, with
// +infinity or with -infinity everywhere has no softmax: it comes out NaN throughout, but for masked
// positions.
#pragma once

#include <cstdint>

#include "core/shape.hpp"

namespace lookback {

template <class T>  // y_i = exp(x_i) / sum_j exp(x_j)
void softmax_row(Index n, const T* x, T* y);

// The same over the positions kept alone: the others get exactly 0 whatever their scores, NaN included.
// Nothing kept: all zeros.
template <class T>
void masked_softmax_row(Index n, const T* x, const std::uint8_t* keep, T* y);

// log sum_i exp(x_i) = top + rest. In two parts: the digits of a huge top would swallow the rest.
template <class T>
struct LogSum {
  T top = 0, rest = 0;
};
template <class T>
LogSum<T> log_sum_row(Index n, const T* x);

template <class T>  // y_i = x_i - log sum_j exp(x_j)
void log_softmax_row(Index n, const T* x, T* y);

template <class T>  // dx_i += y_i (dy_i - sum_j dy_j y_j), masked or not
void softmax_row_grad(Index n, const T* y, const T* dy, T* dx);

template <class T>  // dx_i += dy_i - exp(y_i) sum_j dy_j
void log_softmax_row_grad(Index n, const T* y, const T* dy, T* dx);

}  // namespace lookback
