// Packing: copying part of an operand into panels, in exactly the order in which gemm_tile reads them.
#pragma once

#include "core/kernels/gemm_tile.hpp"

namespace lookback {

// Copies `items` items of `depth` values to ceil(items / width) panels of `width` items each. Within a panel
// depth is the slow axis: panel p starts at out + p * width * depth, its item i at depth k is [k * width +
// i]. The last panel's spare items hold values of no meaning. `out` has room for all panels and one vector
// more.
void pack(Operand from, Index items, Index depth, Index width, float* out);

// At least n floats on a cache line boundary, the thread's own. Grown when too small, freed when the thread
// ends; what they held is lost at the next call with the same `which`.
enum class Scratch { a, b };
float* scratch(Scratch which, Index n);

}  // namespace lookback
