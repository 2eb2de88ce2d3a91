// exp, tanh and sigmoid without a branch, so that a plain loop over them runs in vector registers.
//
// All three rest on x = k ln 2 + r with k whole and |r| <= ln 2 / 2, so that exp(x) = 2^k exp(r): 2^k is
// written straight into the exponent bits, exp(r) is a short polynomial. In float, exp is within 2e-7 of the
// exact value, sigmoid within 3e-7 and tanh within 4e-7, relatively, exp and tanh in subnormals too up to
// their own grain; sigmoid is 0 below -87. Infinities, NaN and signed zeros come out as from <cmath>. In
// double they are the standard library's. A ternary below is a select, not a branch, and where the comparison
// is false for NaN it lets NaN through.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/shape.hpp"

namespace lookback {

namespace math_detail {

struct Split {
  float r;
  std::int32_t k;
};

// Adding `magic` leaves no room for a fraction: x / ln 2 is rounded to a whole number, found in the last
// bits.
inline Split split(float x) {
  constexpr float magic = 0x1.8p23f;
  constexpr std::uint32_t magic_bits = 0x4b400000;
  constexpr float ln2_high = 0x1.63p-1f;  // so few bits that k ln2_high is exact
  constexpr float ln2_low = -0x1.bd0106p-13f;
  const float sum = x * 0x1.715476p0f + magic;
  const float k = sum - magic;
  const float r = (x - k * ln2_high) - k * ln2_low;
  return {r, static_cast<std::int32_t>(__builtin_bit_cast(std::uint32_t, sum) - magic_bits)};
}

inline float power_of_two(std::int32_t k) {  // -127 < k < 128
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(k + 127) << 23);
}

// exp(r) - 1 for |r| <= ln 2 / 2. The coefficients make the largest relative error of exp(r) smallest:
// 3.2e-9.
inline float small_expm1(float r) {
  float p = 0x1.6ac738p-10f;
  p = p * r + 0x1.123de0p-7f;
  p = p * r + 0x1.555858p-5f;
  p = p * r + 0x1.55548cp-3f;
  p = p * r + 0x1.fffffcp-2f;
  return p * (r * r) + r;
}

}  // namespace math_detail

// 2^k may lie outside the normal floats: multiplied in two halves it over- and underflows as it should.
inline float fast_exp(float x) {
  x = x > 89 ? 89 : x;      // infinity from here
  x = x < -104 ? -104 : x;  // zero from here
  const auto [r, k] = math_detail::split(x);
  const std::int32_t half = k >> 1;
  const float exp_r = math_detail::small_expm1(r) + 1;
  return exp_r * math_detail::power_of_two(half) * math_detail::power_of_two(k - half);
}

// e^x for x <= 0 (up to 1, so that a rounded difference may pass 0), and 0 where e^x would be no normal float,
// below -87: one power of two is enough.
inline float fast_exp_nonpositive(float x) {
  const auto [r, k] = math_detail::split(x < -87 ? -87 : x);
  const float y = (math_detail::small_expm1(r) + 1) * math_detail::power_of_two(k);
  return x < -87 ? 0 : y;
}

// tanh |x| = (e^2|x| - 1) / (e^2|x| + 1). With e^2|x| - 1 in one piece nothing cancels, however small x is.
inline float fast_tanh(float x) {
  float a = std::abs(x);
  a = a > 10 ? 10 : a;  // 1 from here
  const auto [r, k] = math_detail::split(2 * a);
  const float power = math_detail::power_of_two(k);
  const float expm1 = power * math_detail::small_expm1(r) + (power - 1);
  return std::copysign(expm1 / (expm1 + 2), x);
}

// 1 / (1 + e^-x), written with e^-|x| so that both tails keep their digits.
inline float fast_sigmoid(float x) {
  const float e = fast_exp_nonpositive(-std::abs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

inline double fast_exp(double x) { return std::exp(x); }
inline double fast_exp_nonpositive(double x) { return std::exp(x); }
inline double fast_tanh(double x) { return std::tanh(x); }
inline double fast_sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

// The same over n values; y may be x. y[i] depends on x[i] alone, never on its place in the array.
template <class T>
void vexp(Index n, const T* x, T* y);
template <class T>
void vtanh(Index n, const T* x, T* y);
template <class T>
void vsigmoid(Index n, const T* x, T* y);

}  // namespace lookback
