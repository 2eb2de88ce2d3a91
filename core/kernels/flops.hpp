// How much the products of matrices have had to do: what a time is compared with.
#pragma once

#include <cstdint>

#include "core/shape.hpp"

namespace lookback {

// Called by every kernel that multiplies matrices, fused ones too, on any thread: M N K multiply-adds.
void count_product(Index M, Index N, Index K);

// Floating-point operations of all products since the program began, on all threads: two a multiply-add.
std::int64_t product_flops();

}  // namespace lookback
