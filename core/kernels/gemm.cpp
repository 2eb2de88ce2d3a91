// How the float product works. C = A B is M N K multiply-adds on M K + K N + M N numbers, so each number is
// wanted many times. A processor multiplies far faster than it fetches: everything here is about fetching a
// number once and using it often, at every size of memory.
//
//   registers   gemm_tile keeps tile_rows x tile_columns sums of C in registers and runs down K. One step loads two
//               vectors of B and tile_rows values of A, and makes 2 tile_rows vector multiply-adds of them. The sums
//               are independent, so no multiply-add waits for the one before.
//   L1          One panel of B, block_depth x tile_columns, meets every panel of A in turn: 32 KiB with AVX-512.
//   L2          One block of A, block_rows x block_depth, meets every panel of B: 240 KiB.
//   L3          One block of B, block_depth x block_columns, meets every block of A: 3 MiB.
//
//          K               N                    for each block of columns of C
//       +-----+         +--+--+--+                for each block of depth: pack the block of B
//     M |  A  |   x   K |  |B |  |                  for each block of rows of C: pack the block of A
//       +-----+         +--+--+--+                    for each panel of B, for each panel of A: one tile
//
// A panel is *packed*, copied to the order in which gemm_tile reads it, when it is used often enough to pay
// for the copy, or when it has to be transposed: a tile needs the columns of one step side by side. So A B, A
// B^T and A^T B differ in nothing but the steps of their operands, and are one product from there on. A weight
// that meets many batches, step after step, comes packed by pack_weight and is never copied here.
//
// Not every product is worth the scheme. One that fits a single block is a loop over its tiles. A single row of C
// is a sum of rows of B (or, against B^T, dot products), and with K = 1 each row of C is a multiple of one row:
// those read or write each number once, and nothing can be kept.
//
// K is cut at multiples of block_depth, whatever the other sizes: each element of C is the sum of its blocks,
// each block summed in order of k by one lane. Threads take ranges of whole tiles, which changes who computes
// an element but not how. The scheme is that of K. Goto and R. van de Geijn, "Anatomy of high-performance
// matrix multiplication", 2008.
#include "core/kernels/gemm.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/kernels/flops.hpp"
#include "core/kernels/gemm_pack.hpp"
#include "core/kernels/gemm_tile.hpp"
#include "core/kernels/parallel.hpp"
#include "core/kernels/reduce.hpp"

namespace lookback {
namespace {

constexpr Index block_depth = 256;
constexpr Index block_rows = 20 * tile_rows;
constexpr Index block_columns = 96 * tile_columns;
constexpr Index often = 256;  // more partners than this, and a packed panel pays for its copy

struct Product {
  Index M, N, K;
  Operand a, b;
  Output c;
  const float* packed_b = nullptr;  // all of B, block of depth after block of depth, each in panels

  bool packs_a() const { return N > often && M > block_rows; }
  bool packs_b() const { return M > often || b.item_step != 1; }
  // With few rows a panel of B is used up while it is still in the L1 cache.
  Index columns_at_once() const { return M <= block_rows ? tile_columns : block_columns; }
  Product transposed() const { return {N, M, K, b, a, c.transposed()}; }  // C^T = B^T A^T
};

struct Range {
  Index begin, end;
  Index size() const { return end - begin; }
};

// Calls body on consecutive pieces of a range, each of `step` or fewer.
template <class F>
void each(Range range, Index step, F body) {
  for (Index i = range.begin; i < range.end; i += step) body(Range{i, std::min(i + step, range.end)});
}

Index whole_tiles(Index size, Index tile) { return (size + tile - 1) / tile; }

// The items of one block in the form gemm_tile takes: the first `in_place` where they lie, the others packed.
struct Panels {
  Operand place;
  Index in_place, depth = 0, width = 0;
  const float* packed = nullptr;

  explicit Panels(Operand place) : place(place), in_place(std::numeric_limits<Index>::max()) {}
  Panels(const float* packed, Index depth, Index width)
      : place{}, in_place(0), depth(depth), width(width), packed(packed) {}
  Panels(Scratch scratch_of, Operand from, Index items, Index in_place, Index depth, Index width)
      : place(from), in_place(in_place), depth(depth), width(width) {
    const Index rest = items - in_place;
    if (rest == 0) return;
    float* to = scratch(scratch_of, (rest + width) * depth + lanes);
    pack(from.at(in_place, 0), rest, depth, width, to);
    packed = to;
  }

  Operand at(Index item) const {
    if (item < in_place) return place.at(item, 0);
    return {packed + (item - in_place) * depth, 1, width};
  }
};

// One block of C: the panels of A against those of B.
void tiles(Index M, Index N, Index K, const Panels& a, const Panels& b, Output c) {
  // Rows that are not packed are dealt out evenly: 16 rows are 8 and 8, not 12 and 4.
  const Index height = a.in_place ? whole_tiles(M, whole_tiles(M, tile_rows)) : tile_rows;
  for (Index j = 0; j < N; j += tile_columns) {
    for (Index i = 0; i < M; i += height) {
      gemm_tile(std::min(height, M - i), std::min(tile_columns, N - j), K, a.at(i), b.at(j), c.at(i, j));
    }
  }
}

// The panels of B for one block of columns and depth.
Panels panels_of_b(const Product& p, Range columns, Range depth) {
  if (p.packed_b) {
    const Index padded = whole_tiles(p.N, tile_columns) * tile_columns;
    return {p.packed_b + depth.begin * padded + columns.begin * depth.size(), depth.size(), tile_columns};
  }
  // A last, narrow panel is always packed: a tile reads whole vectors.
  const Index in_place = p.packs_b() ? 0 : columns.size() / tile_columns * tile_columns;
  return {Scratch::b,  p.b.at(columns.begin, depth.begin), columns.size(), in_place, depth.size(),
          tile_columns};
}

// A range of rows and columns of C.
void multiply(const Product& p, Range all_rows, Range all_columns) {
  each(all_columns, p.columns_at_once(), [&](Range columns) {
    each({0, p.K}, block_depth, [&](Range depth) {
      const Panels b = panels_of_b(p, columns, depth);
      each(all_rows, block_rows, [&](Range rows) {
        const Index a_in_place = p.packs_a() ? 0 : rows.size();
        const Panels a(Scratch::a, p.a.at(rows.begin, depth.begin), rows.size(), a_in_place, depth.size(),
                       tile_rows);
        const Output c = (depth.begin > 0 ? p.c.adding() : p.c).at(rows.begin, columns.begin);
        tiles(rows.size(), columns.size(), depth.size(), a, b, c);
      });
    });
  });
}

// One row of C: the rows of B, each times its value of A, four at a time, so that B is read once and in order.
void combine_rows(const Product& p, Range columns) {
  const Output c = p.c.at(0, columns.begin);
  const Index n = columns.size();
  for (Index j = 0; j < n; ++j) c.data[j] = c.plus ? c.plus[j] : 0;
  Index k = 0;
  for (; k + 4 <= p.K; k += 4) {
    const float *b = p.b.at(columns.begin, k).data, *b1 = b + p.b.depth_step, *b2 = b1 + p.b.depth_step,
                *b3 = b2 + p.b.depth_step;
    const float a = *p.a.at(0, k).data, a1 = *p.a.at(0, k + 1).data, a2 = *p.a.at(0, k + 2).data,
                a3 = *p.a.at(0, k + 3).data;
#pragma omp simd
    for (Index j = 0; j < n; ++j) c.data[j] = c.data[j] + a * b[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
  }
  for (; k < p.K; ++k) {
    const float *b = p.b.at(columns.begin, k).data, a = *p.a.at(0, k).data;
#pragma omp simd
    for (Index j = 0; j < n; ++j) c.data[j] += a * b[j];
  }
}

// K = 1: each row of C is the one row of B, times its value of A.
void outer_product(const Product& p, Range rows) {
  const float* b = p.b.data;
  for (Index i = rows.begin; i < rows.end; ++i) {
    const Output c = p.c.at(i, 0);
    const float a = *p.a.at(i, 0).data;
    if (c.plus) {
#pragma omp simd
      for (Index j = 0; j < p.N; ++j) c.data[j] = c.plus[j] + a * b[j];
    } else {
#pragma omp simd
      for (Index j = 0; j < p.N; ++j) c.data[j] = a * b[j];
    }
  }
}

constexpr Index enough = 1 << 20;  // multiply-adds that are worth waking a thread for

// Deals `size` rows or columns out to threads, in whole tiles.
template <class F>
void share(Index work, Index size, Index tile, F body) {
  if (work < 2 * enough) return body(Range{0, size});
  const Index count = whole_tiles(size, tile);
  parallel_for(count, whole_tiles(count * enough, work), [&](Index begin, Index end) {
    body(Range{begin * tile, std::min(end * tile, size)});
  });
}

void product(const Product& p) {
  const Index work = p.M * p.N * p.K;
  const bool rows_in_order =
      !p.packed_b && p.b.item_step == 1 && p.c.column_step == 1 && (!p.c.plus || p.c.plus_column_step == 1);
  if (p.M <= 0 || p.N <= 0) return;
  if (p.K <= 0) {
    for (Index i = 0; i < p.M; ++i) {
      for (Index j = 0; j < p.N; ++j) p.c.put(i, j, 0);
    }
  } else if (p.N == 1 && p.M > 1 && !p.packed_b) {
    product(p.transposed());  // one row, not one column: the lanes of a vector lie along a row
  } else if (p.M == 1 && p.a.depth_step == 1 && p.b.depth_step == 1 && !p.packed_b) {
    share(work, p.N, tile_columns, [&](Range columns) {
      for (Index j = columns.begin; j < columns.end; ++j) {
        p.c.put(0, j, dot(p.K, p.a.data, p.b.at(j, 0).data));
      }
    });
  } else if (p.M == 1 && rows_in_order) {
    share(work, p.N, tile_columns, [&](Range columns) { combine_rows(p, columns); });
  } else if (p.K == 1 && rows_in_order) {
    share(work, p.M, tile_rows, [&](Range rows) { outer_product(p, rows); });
  } else if (p.M <= block_rows && p.K <= block_depth && work < 2 * enough) {  // one block, at once
    tiles(p.M, p.N, p.K, Panels(p.a), panels_of_b(p, {0, p.N}, {0, p.K}), p.c);
  } else if (p.M > p.N) {
    share(work, p.M, tile_rows, [&](Range rows) { multiply(p, rows, {0, p.N}); });
  } else {
    share(work, p.N, tile_columns, [&](Range columns) { multiply(p, {0, p.M}, columns); });
  }
}

template <class T>
void gemm(bool transpose_a, bool transpose_b, Index M, Index N, Index K, const T* A, Index lda, const T* B,
          Index ldb, T* C, Index ldc, bool add) {
  count_product(M, N, K);
  if constexpr (std::is_same_v<T, float>) {
    const Operand a{A, transpose_a ? 1 : lda, transpose_a ? lda : 1};
    const Operand b{B, transpose_b ? ldb : 1, transpose_b ? 1 : ldb};
    const Output c{C, ldc, 1, nullptr, 0, 0};
    product({M, N, K, a, b, add ? c.adding() : c});
  } else {
    gemm_plain(transpose_a, transpose_b, M, N, K, A, lda, B, ldb, C, ldc, add);
  }
}

}  // namespace

template <class T>
void gemm_nn(Index M, Index N, Index K, const T* A, Index lda, const T* B, Index ldb, T* C, Index ldc,
             bool add) {
  gemm(false, false, M, N, K, A, lda, B, ldb, C, ldc, add);
}

template <class T>
void gemm_nt(Index M, Index N, Index K, const T* A, Index lda, const T* B, Index ldb, T* C, Index ldc,
             bool add) {
  gemm(false, true, M, N, K, A, lda, B, ldb, C, ldc, add);
}

template <class T>
void gemm_tn(Index M, Index N, Index K, const T* A, Index lda, const T* B, Index ldb, T* C, Index ldc,
             bool add) {
  gemm(true, false, M, N, K, A, lda, B, ldb, C, ldc, add);
}

template <class T>
void gemm_linear(Index M, Index N, Index K, const T* A, Index lda, const T* B, Index ldb, const T* bias, T* C,
                 Index ldc) {
  if constexpr (std::is_same_v<T, float>) {
    count_product(M, N, K);
    product({M, N, K, {A, lda, 1}, {B, ldb, 1}, {C, ldc, 1, bias, 0, 1}});
  } else {
    for (Index i = 0; i < M && bias; ++i) std::copy_n(bias, N, C + i * ldc);
    gemm_nt(M, N, K, A, lda, B, ldb, C, ldc, bias != nullptr);
  }
}

Index packed_size(Index N, Index K) { return whole_tiles(N, tile_columns) * tile_columns * K + lanes; }

template <class T>
void pack_weight(Index N, Index K, const T* B, Index ldb, T* packed) {
  const Index panels = whole_tiles(N, tile_columns);
  each({0, K}, block_depth, [&](Range depth) {
    T* block = packed + depth.begin * panels * tile_columns;
    parallel_for(panels, 16, [&](Index begin, Index end) {
      const Index first = begin * tile_columns, items = std::min(end * tile_columns, N) - first;
      pack(Operand{B, ldb, 1}.at(first, depth.begin), items, depth.size(), tile_columns,
           block + first * depth.size());
    });
  });
}

template <class T>
void gemm_packed(Index M, Index N, Index K, const T* A, Index lda, const T* packed, const T* bias, T* C,
                 Index ldc) {
  count_product(M, N, K);
  product({M, N, K, {A, lda, 1}, {}, {C, ldc, 1, bias, 0, 1}, packed});
}

template void gemm_nn(Index, Index, Index, const float*, Index, const float*, Index, float*, Index, bool);
template void gemm_nt(Index, Index, Index, const float*, Index, const float*, Index, float*, Index, bool);
template void gemm_tn(Index, Index, Index, const float*, Index, const float*, Index, float*, Index, bool);
template void gemm_nn(Index, Index, Index, const double*, Index, const double*, Index, double*, Index, bool);
template void gemm_nt(Index, Index, Index, const double*, Index, const double*, Index, double*, Index, bool);
template void gemm_tn(Index, Index, Index, const double*, Index, const double*, Index, double*, Index, bool);

template void gemm_linear(Index, Index, Index, const float*, Index, const float*, Index, const float*, float*,
                          Index);
template void gemm_linear(Index, Index, Index, const double*, Index, const double*, Index, const double*,
                          double*, Index);
template void pack_weight(Index, Index, const float*, Index, float*);
template void gemm_packed(Index, Index, Index, const float*, Index, const float*, const float*, float*,
                          Index);

}  // namespace lookback
