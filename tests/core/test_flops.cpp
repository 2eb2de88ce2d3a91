// The count of what products do: every form, and every thread.
#include <thread>
#include <vector>

#include "core/kernels/flops.hpp"
#include "core/kernels/gemm.hpp"
#include "core/kernels/parallel.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

// What `work` adds to the count.
template <class F>
std::int64_t counted(F work) {
  const std::int64_t before = product_flops();
  work();
  return product_flops() - before;
}

void multiply() {
  const std::vector<float> a(3 * 5, 1), b(5 * 7, 1);
  std::vector<float> c(3 * 7);
  gemm_nn<float>(3, 7, 5, a.data(), 5, b.data(), 7, c.data(), 7, false);
}

constexpr std::int64_t flops = 2 * 3 * 7 * 5;

}  // namespace

TEST_CASE("a product counts two operations a multiply-add, whatever its form and type") {
  const std::vector<double> a(15, 1), b(35, 1);
  std::vector<double> c(21);
  CHECK(counted(multiply) == flops);
  CHECK(counted([&] { gemm_nt<double>(3, 7, 5, a.data(), 5, b.data(), 5, c.data(), 7, true); }) == flops);
  CHECK(counted([&] { gemm_tn<double>(3, 7, 5, a.data(), 3, b.data(), 7, c.data(), 7, true); }) == flops);
}

TEST_CASE("products on other threads count too, after the threads have ended") {
  CHECK(counted([] { std::thread(multiply).join(); }) == flops);
  CHECK(counted([] {
          std::vector<std::thread> threads;
          for (int i = 0; i < 4; ++i)
            threads.emplace_back([] {
              for (int k = 0; k < 1000; ++k) multiply();
            });
          for (std::thread& thread : threads) thread.join();
        }) == 4000 * flops);
}

TEST_CASE("a product that several threads share counts once") {
  const int before = threads();
  set_threads(3);
  constexpr Index n = 300;
  const std::vector<float> a(n * n, 1), b(n * n, 1);
  std::vector<float> c(n * n);
  CHECK(counted([&] { gemm_nn<float>(n, n, n, a.data(), n, b.data(), n, c.data(), n, false); }) ==
        2 * n * n * n);
  CHECK(counted([] {
          parallel_for(64, 1, [](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) multiply();
          });
        }) == 64 * flops);
  set_threads(before);
}
