#include "core/kernels/reduce.hpp"

#include <algorithm>
#include <limits>

#include "core/kernels/lanes.hpp"
#include "core/kernels/parallel.hpp"

namespace lookback {
namespace {

constexpr auto add = [](auto total, auto x) { return total + x; };
constexpr auto larger = [](auto top, auto x) { return ((x > top) | (x != x)) ? x : top; };  // a NaN stays

// Joins the values of n places one by one, starting from `start`. value(at) is the value of one place, or of
// a vector of places: at(p) reads array p there.
template <class T, class Value, class Join>
T fold(Index n, T start, Value value, Join join) {
  for (Index i = 0; i < n; ++i) start = join(start, value([i](const T* p) { return p[i]; }));
  return start;
}

// In float: four vectors of partial results, so that no step waits for the one before; then those four, then
// halves onto halves, last the places that filled no vector.
template <class Value, class Join>
float fold(Index n, float start, Value value, Join join) {
  const auto values = [&](Index i) { return value([i](const float* p) { return load(p + i); }); };
  Lanes part[4];
  for (Lanes& p : part) p = Lanes{} + start;
  Index i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) part[v] = join(part[v], values(i + v * lanes));
  }
  for (; i + lanes <= n; i += lanes) part[0] = join(part[0], values(i));

  float lane[lanes];
  store(lane, join(join(part[0], part[1]), join(part[2], part[3])));
#pragma GCC unroll 4
  for (int half = lanes / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (int v = 0; v < half; ++v) lane[v] = join(lane[v], lane[v + half]);
  }
  for (; i < n; ++i) lane[0] = join(lane[0], value([i](const float* p) { return p[i]; }));
  return lane[0];
}

}  // namespace

template <class T>
T sum(Index n, const T* x) {
  const auto value = [x](auto at) { return at(x); };
  return fold(n, T(0), value, add);
}

template <class T>
T dot(Index n, const T* x, const T* y) {
  const auto value = [x, y](auto at) { return at(x) * at(y); };
  return fold(n, T(0), value, add);
}

template <class T>
T sum_squares(Index n, const T* x) {
  return dot(n, x, x);
}

template <class T>
T max(Index n, const T* x) {
  const auto value = [x](auto at) { return at(x); };
  return fold(n, -std::numeric_limits<T>::infinity(), value, larger);
}

template <class T>
void column_sums(Index rows, Index columns, const T* x, T* y, bool add) {
  parallel_for(columns, grain(rows), [=](Index begin, Index end) {
    if (!add) std::fill(y + begin, y + end, T(0));
    const T* row = x;
    Index i = 0;
    for (; i + 4 <= rows; i += 4, row += 4 * columns) {  // y comes and goes once for four rows
      const T *row1 = row + columns, *row2 = row1 + columns, *row3 = row2 + columns;
#pragma omp simd
      for (Index j = begin; j < end; ++j) y[j] += (row[j] + row1[j]) + (row2[j] + row3[j]);
    }
    for (; i < rows; ++i, row += columns) {
#pragma omp simd
      for (Index j = begin; j < end; ++j) y[j] += row[j];
    }
  });
}

template float sum(Index, const float*);
template float dot(Index, const float*, const float*);
template float sum_squares(Index, const float*);
template float max(Index, const float*);
template void column_sums(Index, Index, const float*, float*, bool);
template double sum(Index, const double*);
template double dot(Index, const double*, const double*);
template double sum_squares(Index, const double*);
template double max(Index, const double*);
template void column_sums(Index, Index, const double*, double*, bool);

}  // namespace lookback
