// Products of row-major matrices: the work of every linear layer, of attention's scores and of its contexts.
//
// A leading dimension is the distance, in values, between one row and the next. C is overwritten, or added to
// when `add`. Every element of C sums its K products in an order that depends on M, N and K alone, so results
// are equal byte for byte at any number of threads. K = 0 is an empty sum. C may overlap neither A nor B.
#pragma once

#include "core/shape.hpp"

namespace lookback {

template <class T>  // C = A B          A [M, K], B [K, N], C [M, N]
void gemm_nn(Index M, Index N, Index K, const T* A, Index lda, const T* B, Index ldb, T* C, Index ldc,
             bool add);

template <class T>  // C = A B^T        A [M, K], B [N, K]
void gemm_nt(Index M, Index N, Index K, const T* A, Index lda, const T* B, Index ldb, T* C, Index ldc,
             bool add);

template <class T>  // C = A^T B        A [K, M], B [K, N]
void gemm_tn(Index M, Index N, Index K, const T* A, Index lda, const T* B, Index ldb, T* C, Index ldc,
             bool add);

// C = A B^T + bias: a linear layer. bias [N], or nullptr
template <class T>
void gemm_linear(Index M, Index N, Index K, const T* A, Index lda, const T* B, Index ldb, const T* bias, T* C,
                 Index ldc);

// The same for a B [N, K] that many products share, copied once to the order in which they read it. In float
// alone: in double there is nothing to gain.
Index packed_size(Index N, Index K);  // values
template <class T>
void pack_weight(Index N, Index K, const T* B, Index ldb, T* packed);
template <class T>
void gemm_packed(Index M, Index N, Index K, const T* A, Index lda, const T* packed, const T* bias, T* C,
                 Index ldc);

// The definition: three loops, A and B transposed on request. The reference of the tests, and all of it in
// double.
template <class T>
void gemm_plain(bool transpose_a, bool transpose_b, Index M, Index N, Index K, const T* A, Index lda,
                const T* B, Index ldb, T* C, Index ldc, bool add);

}  // namespace lookback
