// Counting multiply-adds, and the slope of what grows.
#include "core/ops.hpp"
#include "examples/kit/growth.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("a product of [n, k] and [k, m] is n k m multiply-adds, once a call") {
  const Tensor a({3, 5}, 1), b({5, 7}, 1);
  CHECK(multiply_adds([&] { matmul(a, b); }) == 3 * 5 * 7);
  CHECK(multiply_adds([&] { matmul(a, b), matmul_nt(a, a); }) == 3 * 5 * 7 + 3 * 5 * 3);
  CHECK(multiply_adds([&] { a + a; }) == 0);
}

TEST_CASE("the slope is the power of n between the last two sizes") {
  const Index sizes[] = {1, 3, 6};
  CHECK(slope(sizes, std::vector<double>{99, 9, 36}) == Approx(2));
  CHECK(slope(sizes, std::vector<double>{99, 5, 10}) == Approx(1));
  CHECK(slope(sizes, std::vector<double>{99, 7, 7}) == 0);
  CHECK(slope(sizes, std::vector<double>{99, 8, 4}) == Approx(-1));
}
