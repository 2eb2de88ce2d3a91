#include "core/kernels/softmax.hpp"

#include <cmath>
#include <limits>

#include "core/kernels/math.hpp"
#include "core/kernels/reduce.hpp"

namespace lookback {

namespace {

// The largest of a row, whatever is NaN: a NaN makes the sum NaN, and that is enough.
template <class T>
T top_of(Index n, const T* x) {
  T top = -std::numeric_limits<T>::infinity();
#pragma omp simd reduction(max : top)
  for (Index i = 0; i < n; ++i) top = x[i] > top ? x[i] : top;
  return top;
}

}  // namespace

template <class T>
void softmax_row(Index n, const T* x, T* y) {
  const T top = top_of(n, x);
  T total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < n; ++i) total += y[i] = fast_exp_nonpositive(x[i] - top);
  const T scale = 1 / total;
#pragma omp simd
  for (Index i = 0; i < n; ++i) y[i] *= scale;
}

template <class T>
void masked_softmax_row(Index n, const T* x, const std::uint8_t* keep, T* y) {
  constexpr T never = -std::numeric_limits<T>::infinity();
  T top = never, total = 0;
#pragma omp simd reduction(max : top)
  for (Index i = 0; i < n; ++i) {
    y[i] = keep[i] ? x[i] : never;
    top = y[i] > top ? y[i] : top;
  }
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < n; ++i) total += y[i] = fast_exp_nonpositive(y[i] - top);
  const T scale = 1 / total;
#pragma omp simd
  for (Index i = 0; i < n; ++i)
    y[i] = keep[i] ? y[i] * scale : 0;  // exactly 0, also in a row without softmax
}

template <class T>
LogSum<T> log_sum_row(Index n, const T* x) {
  const T top = top_of(n, x);
  T total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < n; ++i) total += fast_exp_nonpositive(x[i] - top);
  return {top, std::log(total)};
}

template <class T>
void log_softmax_row(Index n, const T* x, T* y) {
  const LogSum<T> sum = log_sum_row(n, x);
#pragma omp simd
  for (Index i = 0; i < n; ++i) y[i] = (x[i] - sum.top) - sum.rest;
}

template <class T>
void softmax_row_grad(Index n, const T* y, const T* dy, T* dx) {
  const T mean = dot(n, y, dy);
#pragma omp simd
  for (Index i = 0; i < n; ++i) dx[i] += y[i] * (dy[i] - mean);
}

template <class T>
void log_softmax_row_grad(Index n, const T* y, const T* dy, T* dx) {
  const T total = sum(n, dy);
#pragma omp simd
  for (Index i = 0; i < n; ++i) dx[i] += dy[i] - fast_exp_nonpositive(y[i]) * total;
}

template LogSum<float> log_sum_row(Index, const float*);
template LogSum<double> log_sum_row(Index, const double*);
template void softmax_row(Index, const float*, float*);
template void masked_softmax_row(Index, const float*, const std::uint8_t*, float*);
template void log_softmax_row(Index, const float*, float*);
template void softmax_row_grad(Index, const float*, const float*, float*);
template void log_softmax_row_grad(Index, const float*, const float*, float*);
template void softmax_row(Index, const double*, double*);
template void masked_softmax_row(Index, const double*, const std::uint8_t*, double*);
template void log_softmax_row(Index, const double*, double*);
template void softmax_row_grad(Index, const double*, const double*, double*);
template void log_softmax_row_grad(Index, const double*, const double*, double*);

}  // namespace lookback
