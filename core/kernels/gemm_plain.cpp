#include "core/kernels/gemm.hpp"

namespace lookback {

template <class T>
void gemm_plain(bool transpose_a, bool transpose_b, Index M, Index N, Index K, const T* A, Index lda,
                const T* B, Index ldb, T* C, Index ldc, bool add) {
  for (Index i = 0; i < M; ++i) {
    for (Index j = 0; j < N; ++j) {
      T sum = 0;
      for (Index k = 0; k < K; ++k) {
        const T a = transpose_a ? A[k * lda + i] : A[i * lda + k];
        const T b = transpose_b ? B[j * ldb + k] : B[k * ldb + j];
        sum += a * b;
      }
      C[i * ldc + j] = add ? C[i * ldc + j] + sum : sum;
    }
  }
}

template void gemm_plain(bool, bool, Index, Index, Index, const float*, Index, const float*, Index, float*,
                         Index, bool);
template void gemm_plain(bool, bool, Index, Index, Index, const double*, Index, const double*, Index, double*,
                         Index, bool);

}  // namespace lookback
