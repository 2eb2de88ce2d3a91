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

// The product: element (i, j) is data[i * row_step + j * column_step]. It is assigned the sum, plus element
// (i, j) of `plus` when there is one: C itself, to add to it, or a bias, one of whose steps is 0.
struct Output {
  float* data;
  Index row_step, column_step;
  const float* plus;
  Index plus_row_step, plus_column_step;

  void put(Index i, Index j, float sum) const {
    const float more = plus ? plus[i * plus_row_step + j * plus_column_step] : 0;
    data[i * row_step + j * column_step] = more + sum;
  }
  Output at(Index i, Index j) const {
    Output c = *this;
    c.data += i * row_step + j * column_step;
    if (plus) c.plus += i * plus_row_step + j * plus_column_step;
    return c;
  }
  Output transposed() const { return {data, column_step, row_step, plus, plus_column_step, plus_row_step}; }
  Output adding() const { return {data, row_step, column_step, data, row_step, column_step}; }  // C += A B
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
