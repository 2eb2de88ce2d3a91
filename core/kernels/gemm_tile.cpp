#include "core/kernels/gemm_tile.hpp"

#include <array>
#include <utility>

namespace lookback {
namespace {

// `rows` x `vectors` sums: fixed when compiled, so that each lives in a register. `packed`: A's items are
// contiguous.
template <int rows, int vectors, bool packed>
void tile(Index K, Operand a, Operand b, Output c) {
  const Index item_step = packed ? 1 : a.item_step;
#pragma GCC unroll 12
  for (int i = 0; i < rows; ++i) {  // C is wanted in the end: let it come while we multiply
    __builtin_prefetch(c.data + i * c.row_step, 1);
    if (vectors > 1) __builtin_prefetch(c.data + i * c.row_step + lanes, 1);
  }
  Lanes sum[rows][vectors] = {};
#pragma GCC unroll 4
  for (Index k = 0; k < K; ++k) {
    Lanes row[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) row[v] = load(b.data + v * lanes);
#pragma GCC unroll 12
    for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) sum[i][v] += a.data[i * item_step] * row[v];
    }
    a.data += a.depth_step;
    b.data += b.depth_step;
  }
#pragma GCC unroll 12
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) {
      if (c.plus) sum[i][v] = load(c.plus + i * c.plus_row_step + v * lanes) + sum[i][v];
      store(c.data + i * c.row_step + v * lanes, sum[i][v]);
    }
  }
}

using Tile = void (*)(Index K, Operand a, Operand b, Output c);

// The tiles of 1 row, 2 rows ..
template <int vectors, bool packed, int... i>
constexpr std::array<Tile, tile_rows> by_rows(std::integer_sequence<int, i...>) {
  return {tile<i + 1, vectors, packed>...};
}
template <int vectors, bool packed>
constexpr auto tiles = by_rows<vectors, packed>(std::make_integer_sequence<int, tile_rows>());

}  // namespace

void gemm_tile(Index rows, Index columns, Index K, Operand a, Operand b, Output c) {
  const bool packed = a.item_step == 1;
  const auto& choice = columns > lanes ? (packed ? tiles<2, true> : tiles<2, false>)
                                       : (packed ? tiles<1, true> : tiles<1, false>);
  const Tile run = choice[static_cast<std::size_t>(rows) - 1];
  const bool plain = c.column_step == 1 && (!c.plus || c.plus_column_step == 1);
  if (plain && columns % lanes == 0) return run(K, a, b, c);
  // The right edge of C does not fill a vector, or C is transposed: sum beside it and copy what is C's.
  float beside[tile_rows * tile_columns] = {};
  run(K, a, b, {beside, tile_columns, 1, nullptr, 0, 0});
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) c.put(i, j, beside[i * tile_columns + j]);
  }
}

}  // namespace lookback
