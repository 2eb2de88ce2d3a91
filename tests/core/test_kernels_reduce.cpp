// Reductions and the rows of the softmax family.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "core/kernels/reduce.hpp"
#include "core/kernels/softmax.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Index size(const std::vector<float>& x) { return static_cast<Index>(x.size()); }

std::vector<float> random_row(std::size_t n, float scale = 1) {
  static std::mt19937 generator(3);
  std::vector<float> x(n);
  for (float& v : x) v = (static_cast<float>(generator()) / 4e9f - 0.5f) * scale;
  return x;
}

std::vector<float> softmax(const std::vector<float>& x) {
  std::vector<float> y(x.size());
  softmax_row(size(x), x.data(), y.data());
  return y;
}

std::vector<float> log_softmax(const std::vector<float>& x) {
  std::vector<float> y(x.size());
  log_softmax_row(size(x), x.data(), y.data());
  return y;
}

std::vector<float> masked_softmax(const std::vector<float>& x, const std::vector<std::uint8_t>& keep) {
  std::vector<float> y(x.size(), not_a_number);
  masked_softmax_row(size(x), x.data(), keep.data(), y.data());
  return y;
}

// In double, by the definition.
std::vector<double> exact_softmax(const std::vector<float>& x) {
  const double top = *std::max_element(x.begin(), x.end());
  std::vector<double> y;
  for (float v : x) y.push_back(std::exp(v - top));
  const double total = std::accumulate(y.begin(), y.end(), 0.0);
  for (double& v : y) v /= total;
  return y;
}

}  // namespace

TEST_CASE("sum, dot, sum_squares and max of any length") {
  for (std::size_t n = 0; n < 300; n += n < 70 ? 1 : 37) {
    const std::vector<float> x = random_row(n), y = random_row(n);
    double total = 0, product = 0, squares = 0, top = -infinity;
    for (std::size_t i = 0; i < n; ++i) {
      total += x[i];
      product += double{x[i]} * y[i];
      squares += double{x[i]} * x[i];
      top = std::max<double>(top, x[i]);
    }
    INFO("n " << n);
    CHECK(sum(size(x), x.data()) == Approx(total).margin(1e-5));
    CHECK(dot(size(x), x.data(), y.data()) == Approx(product).margin(1e-5));
    CHECK(sum_squares(size(x), x.data()) == Approx(squares).margin(1e-5));
    CHECK(lookback::max(size(x), x.data()) == top);
    const std::vector<double> wide(x.begin(), x.end());
    CHECK(sum(size(x), wide.data()) == Approx(total).margin(1e-12));
    CHECK(lookback::max(size(x), wide.data()) == top);
  }
}

TEST_CASE("a sum of whole numbers is exact, so nothing is left out or counted twice") {
  for (Index n = 0; n < 2000; n += 1 + n / 10) {
    std::vector<float> x(static_cast<std::size_t>(n));
    std::iota(x.begin(), x.end(), 1.0f);
    CHECK(sum(n, x.data()) == static_cast<float>(n * (n + 1) / 2));
  }
}

TEST_CASE("max sees a NaN at any place, and infinities") {
  CHECK(lookback::max<float>(0, nullptr) == -infinity);
  for (std::size_t n : {1, 5, 16, 33, 64, 100}) {
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<float> x = random_row(n);
      x[i] = not_a_number;
      CHECK(std::isnan(lookback::max(size(x), x.data())));
      x[i] = infinity;
      CHECK(lookback::max(size(x), x.data()) == infinity);
      x.assign(n, -infinity);
      CHECK(lookback::max(size(x), x.data()) == -infinity);
      x[i] = -3e38f;
      CHECK(lookback::max(size(x), x.data()) == -3e38f);
    }
  }
}

TEST_CASE("softmax and log_softmax of any length") {
  for (std::size_t n = 1; n < 200; n += n < 70 ? 1 : 37) {
    const std::vector<float> x = random_row(n, 10), y = softmax(x), logs = log_softmax(x);
    const std::vector<double> exact = exact_softmax(x);
    double worst = 0, worst_log = 0;
    for (std::size_t i = 0; i < n; ++i) {
      worst = std::max(worst, std::abs(y[i] / exact[i] - 1));
      worst_log = std::max(worst_log, std::abs(logs[i] - std::log(exact[i])));
    }
    INFO("n " << n);
    CHECK(worst < 1e-6);
    CHECK(worst_log < 3e-6);
    std::vector<float> in_place = x;
    softmax_row(size(x), in_place.data(), in_place.data());
    CHECK(in_place == y);
  }
}

TEST_CASE("softmax of huge scores") {
  CHECK(softmax({1e4f, 1e4f, -1e4f}) == std::vector<float>{0.5f, 0.5f, 0});
  CHECK(softmax({1e30f, -1e30f}) == std::vector<float>{1, 0});
  CHECK(softmax({-1e30f, -1e30f, -1e30f, -1e30f}) == std::vector<float>(4, 0.25f));
  CHECK(softmax({3e38f, -3e38f}) == std::vector<float>{1, 0});
  CHECK(softmax({-infinity, 0}) == std::vector<float>{0, 1});
  const std::vector<float> logs = log_softmax({1e4f, 1e4f, -1e4f});
  CHECK(logs[0] == Approx(-std::log(2.0)));
  CHECK(logs[2] == Approx(-20000 - std::log(2.0)));
  CHECK(log_softmax({1e30f, -1e30f})[0] == 0);
}

TEST_CASE("the rows in double agree with those in float") {
  const std::vector<float> x = random_row(37, 10), y = softmax(x), logs = log_softmax(x);
  const std::vector<double> wide(x.begin(), x.end());
  std::vector<double> y2(37), logs2(37), masked(37), dx(37), dx_log(37);
  softmax_row(37, wide.data(), y2.data());
  log_softmax_row(37, wide.data(), logs2.data());
  masked_softmax_row(37, wide.data(), std::vector<std::uint8_t>(37, 1).data(), masked.data());
  softmax_row_grad(37, y2.data(), wide.data(), dx.data());
  log_softmax_row_grad(37, logs2.data(), wide.data(), dx_log.data());
  for (std::size_t i = 0; i < 37; ++i) {
    CHECK(y[i] == Approx(y2[i]).epsilon(1e-6));
    CHECK(logs[i] == Approx(logs2[i]).epsilon(1e-6));
  }
  CHECK(masked == y2);
  CHECK(sum(37, dx.data()) ==
        Approx(0).margin(1e-12));  // softmax and its log do not see a shift of all scores
  CHECK(sum(37, dx_log.data()) == Approx(0).margin(1e-12));
}

TEST_CASE("a row without a softmax is NaN throughout") {
  for (const std::vector<float>& x :
       {std::vector<float>(5, -infinity), {0, not_a_number, 1}, {0, infinity, 1}}) {
    for (float y : softmax(x)) CHECK(std::isnan(y));
    for (float y : log_softmax(x)) CHECK(std::isnan(y));
  }
}

TEST_CASE("masked_softmax equals the softmax of what is kept, and is exactly 0 elsewhere") {
  for (std::size_t n = 1; n < 80; ++n) {
    std::vector<float> x = random_row(n, 10), kept;
    std::vector<std::uint8_t> keep(n);
    for (std::size_t i = 0; i < n; ++i) {
      keep[i] = i % 3 != 1;
      if (keep[i]) kept.push_back(x[i]);
      if (!keep[i]) x[i] = i % 2 ? not_a_number : infinity;  // never looked at
    }
    const std::vector<float> y = masked_softmax(x, keep);
    const std::vector<double> exact = exact_softmax(kept);
    INFO("n " << n);
    std::size_t k = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (keep[i]) CHECK(y[i] == Approx(exact[k++]).epsilon(1e-6));
      if (!keep[i]) CHECK(y[i] == 0);
    }
    CHECK(masked_softmax(x, std::vector<std::uint8_t>(n, 0)) == std::vector<float>(n, 0));
  }
}

TEST_CASE("a kept NaN does not reach masked positions") {
  const std::vector<float> y = masked_softmax({not_a_number, 1, 2}, {1, 0, 1});
  CHECK(std::isnan(y[0]));
  CHECK(y[1] == 0);
}

TEST_CASE("softmax gradients are added, and are those of the definition") {
  for (std::size_t n : {1, 7, 16, 45, 100}) {
    const std::vector<float> x = random_row(n, 4), dy = random_row(n);
    const std::vector<float> y = softmax(x), logs = log_softmax(x);
    std::vector<float> dx(n, 2), dx_log(n, 3);
    softmax_row_grad(size(x), y.data(), dy.data(), dx.data());
    log_softmax_row_grad(size(x), logs.data(), dy.data(), dx_log.data());
    const std::vector<double> p = exact_softmax(x);
    double inner = 0, total = 0;
    for (std::size_t i = 0; i < n; ++i) inner += p[i] * dy[i], total += dy[i];
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      worst = std::max(worst, std::abs(dx[i] - 2 - p[i] * (dy[i] - inner)));
      worst = std::max(worst, std::abs(dx_log[i] - 3 - (dy[i] - p[i] * total)));
    }
    INFO("n " << n);
    CHECK(worst < 3e-6);
  }
}

TEST_CASE("column sums assign or add, at any number of rows") {
  const Index columns = 37;
  for (const Index rows : {0, 1, 3, 4, 5, 8, 11}) {
    const std::vector<float> x = random_row(static_cast<std::size_t>(rows * columns));
    std::vector<float> fresh(columns, not_a_number), added(columns, 1);
    column_sums(rows, columns, x.data(), fresh.data(), false);
    column_sums(rows, columns, x.data(), added.data(), true);
    for (Index j = 0; j < columns; ++j) {
      double sum = 0;
      for (Index i = 0; i < rows; ++i)
        sum += static_cast<double>(x[static_cast<std::size_t>(i * columns + j)]);
      CHECK(fresh[static_cast<std::size_t>(j)] == Approx(sum).margin(1e-6));
      CHECK(added[static_cast<std::size_t>(j)] == Approx(1 + sum).margin(1e-6));
    }
  }
}
