#include "core/kernels/softmax.hpp"

#include <cmath>
#include <limits>

#include "core/kernels/math.hpp"
#include "core/kernels/reduce.hpp"

namespace lookback {

template <class T>
void softmax_row(Index n, const T* x, T* y) {
  const T top = max(n, x);
  T total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < n; ++i) total += y[i] = fast_exp(x[i] - top);
  const T scale = 1 / total;
#pragma omp simd
  for (Index i = 0; i < n; ++i) y[i] *= scale;
}

template <class T>
void masked_softmax_row(Index n, const T* x, const std::uint8_t* keep, T* y) {
  constexpr T never = -std::numeric_limits<T>::infinity();
  for (Index i = 0; i < n; ++i) y[i] = keep[i] ? x[i] : never;
  softmax_row(n, y, y);
  for (Index i = 0; i < n; ++i) y[i] = keep[i] ? y[i] : 0;  // exactly, also where the row has no softmax
}

template <class T>
void log_softmax_row(Index n, const T* x, T* y) {
  const T top = max(n, x);
  T total = 0;
#pragma omp simd reduction(+ : total)
  for (Index i = 0; i < n; ++i) total += fast_exp(x[i] - top);
  const T log_total = std::log(total);
#pragma omp simd
  for (Index i = 0; i < n; ++i)
    y[i] = (x[i] - top) - log_total;  // in this order a large `top` costs no digits
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
  for (Index i = 0; i < n; ++i) dx[i] += dy[i] - fast_exp(y[i]) * total;
}

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
