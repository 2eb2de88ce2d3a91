#include "core/kernels/gemm_pack.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace lookback {
namespace {

// Two vectors shuffled like cards, x0 y0 x1 y1 ..: the first half of the deck (0) or the second (1).
template <int half, int... i>
Lanes riffle(Lanes x, Lanes y, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(x, y, (half * lanes + i) / 2 + i % 2 * lanes...);
}

// Transposes lanes x lanes values: row i takes its turn with row i + lanes/2, and after log2(lanes) rounds
// every value has arrived.
void transpose(Lanes (&x)[lanes]) {
  constexpr std::make_integer_sequence<int, lanes> all;
#pragma GCC unroll 4
  for (int round = 1; round < lanes; round *= 2) {
    Lanes y[lanes];
#pragma GCC unroll 8
    for (int i = 0; i < lanes / 2; ++i) {
      y[2 * i] = riffle<0>(x[i], x[i + lanes / 2], all);
      y[2 * i + 1] = riffle<1>(x[i], x[i + lanes / 2], all);
    }
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) x[i] = y[i];
  }
}

// Items that lie side by side in memory too: rows of a panel are copied as they are. A few steps of depth
// across all panels, then the next few, so that memory is read along its rows; the width is fixed when
// compiled, so that a copy is a few moves.
template <Index width>
void copy_panels(Operand from, Index items, Index depth, float* out) {
  constexpr Index few = 16;
  for (Index top = 0; top < depth; top += few) {
    for (Index i = 0; i < items; i += width) {
      for (Index k = top; k < std::min(top + few, depth); ++k) {
        const float* row = from.at(i, k).data;
        float* panel_row = out + i * depth + k * width;
        if (i + width <= items) {
          std::memcpy(panel_row, row, width * sizeof(float));
        } else {
          for (Index j = 0; j < width; ++j) panel_row[j] = i + j < items ? row[j] : 0;
        }
      }
    }
  }
}

// Items whose depth lies side by side: blocks of lanes x lanes, transposed. A panel narrower than a vector is
// written past its width, and the next step of depth puts that right.
void transpose_panel(Operand from, Index items, Index depth, Index width, float* out) {
  for (Index first = 0; first < items; first += lanes) {
    const float* rows[lanes];
    for (Index i = 0; i < lanes; ++i) rows[i] = from.at(std::min(first + i, items - 1), 0).data;
    Index k = 0;
    for (; k + lanes <= depth; k += lanes) {
      Lanes block[lanes];
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) block[i] = load(rows[i] + k);
      transpose(block);
#pragma GCC unroll 16
      for (int i = 0; i < lanes; ++i) store(out + (k + i) * width + first, block[i]);
    }
    for (; k < depth; ++k) {
      for (Index i = first; i < std::min(first + lanes, width); ++i) out[k * width + i] = rows[i - first][k];
    }
  }
}

constexpr std::align_val_t cache_line{64};

struct Free {
  void operator()(float* p) const { ::operator delete(p, cache_line); }
};

}  // namespace

void pack(Operand from, Index items, Index depth, Index width, float* out) {
  if (from.item_step == 1) {
    return width == tile_rows ? copy_panels<tile_rows>(from, items, depth, out)
                              : copy_panels<tile_columns>(from, items, depth, out);
  }
  for (Index i = 0; i < items; i += width) {
    transpose_panel(from.at(i, 0), std::min(width, items - i), depth, width, out + i * depth);
  }
}

float* scratch(Scratch which, Index n) {
  struct Buffer {
    std::unique_ptr<float, Free> data;
    Index size = 0;
  };
  thread_local Buffer buffers[2];
  Buffer& buffer = buffers[static_cast<int>(which)];
  if (n > buffer.size) {
    buffer = {};  // freed before the larger one is made
    const auto bytes = static_cast<std::size_t>(n) * sizeof(float);
    buffer.data.reset(static_cast<float*>(::operator new(bytes, cache_line)));
    buffer.size = n;
  }
  return buffer.data.get();
}

}  // namespace lookback
