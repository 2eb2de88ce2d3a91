// exp, tanh and sigmoid over the whole range of float, against the standard library in double.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "core/kernels/math.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr double smallest_normal = std::numeric_limits<float>::min();
constexpr double smallest = std::numeric_limits<float>::denorm_min();

std::uint32_t bits(float x) {
  std::uint32_t u;
  std::memcpy(&u, &x, sizeof u);
  return u;
}

// Every 4097th bit pattern of float: both signs, all exponents, NaNs too.
std::vector<float> sweep() {
  std::vector<float> xs;
  for (std::uint64_t u = 0; u < (1ull << 32); u += 4097) {
    const auto pattern = static_cast<std::uint32_t>(u);
    float x;
    std::memcpy(&x, &pattern, sizeof x);
    xs.push_back(x);
  }
  return xs;
}

struct Errors {
  double relative = 0;   // where the exact value is a normal float
  double subnormal = 0;  // below, in units of the smallest float
  int wrong = 0;  // NaN for a number or the reverse, or not infinite where the exact value is past all floats
};

template <class F>
Errors compare(void (*array)(Index, const float*, float*), F exact) {
  static const std::vector<float> xs = sweep();
  std::vector<float> ys(xs.size());
  array(static_cast<Index>(xs.size()), xs.data(), ys.data());
  Errors errors;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double y = ys[i], wanted = exact(static_cast<double>(xs[i]));
    if (std::isnan(y) || std::isnan(wanted)) {
      errors.wrong += std::isnan(y) != std::isnan(xs[i]);
    } else if (std::abs(wanted) > std::numeric_limits<float>::max()) {
      errors.wrong += y < std::numeric_limits<float>::max();
    } else if (std::abs(wanted) >= smallest_normal) {
      errors.relative = std::max(errors.relative, std::abs(y / wanted - 1));
    } else {
      errors.subnormal = std::max(errors.subnormal, std::abs(y - wanted) / smallest);
    }
  }
  return errors;
}

}  // namespace

TEST_CASE("exp over the whole range") {
  const Errors errors = compare(vexp<float>, [](double x) { return std::exp(x); });
  CHECK(errors.relative < 2e-7);
  CHECK(errors.subnormal <= 1);
  CHECK(errors.wrong == 0);
  CHECK(fast_exp(0.0f) == 1);
  CHECK(fast_exp(-0.0f) == 1);
  CHECK(fast_exp(infinity) == infinity);
  CHECK(fast_exp(-infinity) == 0);
  CHECK(fast_exp(88.72f) < infinity);
  CHECK(fast_exp(88.73f) == infinity);
  CHECK(fast_exp(3e38f) == infinity);
  CHECK(fast_exp(-100.0f) == Approx(std::exp(-100.0)).margin(2 * smallest));
  CHECK(fast_exp(-104.0f) == 0);
  CHECK(fast_exp(-3e38f) == 0);
  CHECK(std::isnan(fast_exp(not_a_number)));
  CHECK(std::isnan(fast_exp(-not_a_number)));
}

TEST_CASE("exp of what is not above 0") {
  double worst = 0;
  for (float x = -87; x <= 1; x += 1e-3f)
    worst = std::max(
        worst, std::abs(static_cast<double>(fast_exp_nonpositive(x)) / std::exp(static_cast<double>(x)) - 1));
  CHECK(worst < 2e-7);
  CHECK(fast_exp_nonpositive(0.0f) == 1);
  for (const float low : {-87.01f, -104.0f, -3e38f, -infinity}) CHECK(fast_exp_nonpositive(low) == 0);
  std::uint32_t payload = 0x7fc001ff;  // a NaN whose low bits would be an exponent
  float odd;
  std::memcpy(&odd, &payload, sizeof odd);
  CHECK(std::isnan(fast_exp_nonpositive(odd)));
  CHECK(std::isnan(fast_exp_nonpositive(-not_a_number)));
  CHECK(fast_exp_nonpositive(-700.0) == std::exp(-700.0));
}

TEST_CASE("tanh over the whole range") {
  const Errors errors = compare(vtanh<float>, [](double x) { return std::tanh(x); });
  CHECK(errors.relative < 4e-7);
  CHECK(errors.subnormal == 0);  // tanh(x) = x down there
  CHECK(errors.wrong == 0);
  for (float one : {10.0f, 1e10f, 3e38f, infinity}) {
    CHECK(fast_tanh(one) == 1);
    CHECK(fast_tanh(-one) == -1);
  }
  CHECK(std::signbit(fast_tanh(-0.0f)));
  CHECK(!std::signbit(fast_tanh(0.0f)));
  CHECK(std::isnan(fast_tanh(not_a_number)));
  float last = 0;
  bool rises = true, odd = true;
  for (float x = 0; x < 12; x += 1e-3f) {
    const float y = fast_tanh(x);
    rises = rises && y > last - 2e-7f && y <= 1;  // up to rounding
    odd = odd && fast_tanh(-x) == -y;
    last = y;
  }
  CHECK(rises);
  CHECK(odd);
}

TEST_CASE("sigmoid over the whole range") {
  const Errors errors =
      compare(vsigmoid<float>, [](double x) { return x < -87 ? 0 : 1 / (1 + std::exp(-x)); });
  CHECK(errors.relative < 3e-7);
  CHECK(errors.subnormal == 0);  // below -87 it is 0
  CHECK(errors.wrong == 0);
  CHECK(fast_sigmoid(0.0f) == 0.5f);
  CHECK(fast_sigmoid(infinity) == 1);
  CHECK(fast_sigmoid(-infinity) == 0);
  CHECK(fast_sigmoid(3e38f) == 1);
  CHECK(fast_sigmoid(-3e38f) == 0);
  CHECK(std::isnan(fast_sigmoid(not_a_number)));
}

TEST_CASE("in double they are the standard library's, and sigmoid keeps its left tail") {
  CHECK(fast_exp(-3.7) == std::exp(-3.7));
  CHECK(fast_tanh(0.3) == std::tanh(0.3));
  CHECK(fast_sigmoid(-700.0) == Approx(std::exp(-700.0)));
  CHECK(fast_sigmoid(-1e4) == 0);
  CHECK(fast_sigmoid(1e4) == 1);
  const double x[] = {-1, 0, 2};
  double y[3];
  vexp(3, x, y);
  CHECK(y[2] == std::exp(2.0));
  vtanh(3, x, y);
  CHECK(y[0] == std::tanh(-1.0));
  vsigmoid(3, x, y);
  CHECK(y[1] == 0.5);
}

TEST_CASE("a result does not depend on its place in the array") {
  std::vector<float> xs;
  for (int i = 0; i < 67; ++i) xs.push_back(static_cast<float>(i * i) * 0.003f - 6.1f);
  for (auto array : {vexp<float>, vtanh<float>, vsigmoid<float>}) {
    for (std::size_t begin = 0; begin < xs.size(); ++begin) {
      for (std::size_t n = 1; n <= xs.size() - begin; n += 5) {
        std::vector<float> ys(n);
        array(static_cast<Index>(n), &xs[begin], ys.data());
        bool same = true;
        for (std::size_t i = 0; i < n; ++i) {
          float alone;
          array(1, &xs[begin + i], &alone);
          same = same && bits(alone) == bits(ys[i]);
        }
        REQUIRE(same);
      }
    }
    std::vector<float> in_place = xs, ys(xs.size());
    array(67, xs.data(), ys.data());
    array(67, in_place.data(), in_place.data());
    CHECK(in_place == ys);
    array(0, nullptr, nullptr);
  }
}
