// The innermost piece of a float product: one small tile of C, held in registers while it runs down the depth
// K.
#pragma once

#include "core/kernels/lanes.hpp"

namespace lookback {

// One side of a product. Item i (a row of A, a column of B) at depth k is data[i * item_step + k *
// depth_step], so a transposed matrix is the same memory with its steps exchanged, and a packed panel has
// item_step 1.
struct Operand {
  const float* data;
  Index item_step, depth_step;

  Operand at(Index item, Index depth) const {
    return {data + item * item_step + depth * depth_step, item_step, depth_step};
  }
};

// The product: element (i, j) is data[i * row_step + j * column_step], assigned or added to.
struct Output {
  float* data;
  Index row_step, column_step;
  bool add;

  float& operator()(Index i, Index j) const { return data[i * row_step + j * column_step]; }
  void put(Index i, Index j, float sum) const { (*this)(i, j) = add ? (*this)(i, j) + sum : sum; }
  Output at(Index i, Index j) const { return {&(*this)(i, j), row_step, column_step, add}; }
};

// As many sums as registers hold, leaving room for one row of B and one value of A: 24 of 32 registers with
// AVX-512, 12 of 16 with AVX, 8 of 16 else. Each step down K loads 2 vectors of B and uses them tile_rows
// times.
inline constexpr Index tile_rows = lanes == 16 ? 12 : lanes == 8 ? 6 : 4;
inline constexpr Index tile_columns = 2 * lanes;

// C = A B for at most tile_rows rows of A and tile_columns columns of B. B's columns are contiguous, and may
// be read (not used) up to a whole number of vectors.
void gemm_tile(Index rows, Index columns, Index K, Operand a, Operand b, Output c);

}  // namespace lookback
