#include "core/kernels/math.hpp"

namespace lookback {

namespace {

template <class F>
void map(Index n, const float* x, float* y, F f) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) y[i] = f(x[i]);
}

template <class F>
void map(Index n, const double* x, double* y, F f) {
  for (Index i = 0; i < n; ++i) y[i] = f(x[i]);
}

}  // namespace

template <class T>
void vexp(Index n, const T* x, T* y) {
  map(n, x, y, [](T v) { return fast_exp(v); });
}

template <class T>
void vtanh(Index n, const T* x, T* y) {
  map(n, x, y, [](T v) { return fast_tanh(v); });
}

template <class T>
void vsigmoid(Index n, const T* x, T* y) {
  map(n, x, y, [](T v) { return fast_sigmoid(v); });
}

template void vexp(Index, const float*, float*);
template void vtanh(Index, const float*, float*);
template void vsigmoid(Index, const float*, float*);
template void vexp(Index, const double*, double*);
template void vtanh(Index, const double*, double*);
template void vsigmoid(Index, const double*, double*);

}  // namespace lookback
