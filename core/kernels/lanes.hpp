// One vector register of floats, in the vector extension that GCC and Clang share: + - * and comparisons work
// on all lanes at once, and a float beside Lanes stands in every lane. One source for SSE, AVX, AVX-512, NEON
// and WebAssembly; what the compiler may assume of the machine (-march) decides the width.
#pragma once

#include "core/shape.hpp"

namespace lookback {

#if defined(__AVX512F__)
inline constexpr int lanes = 16;
#elif defined(__AVX__)
inline constexpr int lanes = 8;
#else
inline constexpr int lanes = 4;
#endif

using Lanes [[gnu::vector_size(lanes * sizeof(float))]] = float;

// To and from any address of floats.
using LanesAnywhere [[gnu::aligned(alignof(float)), gnu::may_alias]] = Lanes;
inline Lanes load(const float* p) { return *reinterpret_cast<const LanesAnywhere*>(p); }
inline void store(float* p, Lanes x) { *reinterpret_cast<LanesAnywhere*>(p) = x; }

}  // namespace lookback
