// OpenBLAS peer for the products of workloads.md: NN as in torch_bench.py, and NT and TN, which training needs.
//
//   c++ -O2 openblas_bench.cpp -o openblas_bench -lopenblas
//   OPENBLAS_NUM_THREADS=1 taskset -c 0 ./openblas_bench [steps, default 20]
//
// with the environment of workloads.md.
//
// One JSON line per shape; wall and CPU milliseconds of one product.
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double wall_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static double cpu_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return (v[(v.size() - 1) / 2] + v[v.size() / 2]) / 2;
}

int main(int argc, char** argv) {
  const int steps = std::max(argc > 1 ? std::atoi(argv[1]) : 20, 9);
  const int shapes[][3] = {{64, 256, 256},     {64, 768, 256},   {1024, 6000, 256},
                           {1024, 1024, 1024}, {2048, 128, 128}, {20, 32, 32}};
  const struct {
    const char* name;
    CBLAS_TRANSPOSE a, b;
  } forms[] = {
      {"", CblasNoTrans, CblasNoTrans}, {"NT ", CblasNoTrans, CblasTrans}, {"TN ", CblasTrans, CblasNoTrans}};
  for (const auto& [M, N, K] : shapes) {
    std::vector<float> a(M * K), b(K * N), c(M * N);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17) / 17 - 0.5f;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 19) / 19 - 0.5f;
    const double flop = 2.0 * M * N * K;
    const int inner = std::max(1, static_cast<int>(4e7 / flop));
    for (const auto& form : forms) {
      const int lda = form.a == CblasNoTrans ? K : M, ldb = form.b == CblasNoTrans ? N : K;
      std::vector<double> wall, cpu;
      for (int i = -5; i < steps; ++i) {
        const double w = wall_ms(), c0 = cpu_ms();
        for (int k = 0; k < inner; ++k)
          cblas_sgemm(CblasRowMajor, form.a, form.b, M, N, K, 1, a.data(), lda, b.data(), ldb, 0, c.data(),
                      N);
        if (i < 0) continue;  // to warm up
        cpu.push_back((cpu_ms() - c0) / inner);
        wall.push_back((wall_ms() - w) / inner);
      }
      std::printf(
          "{\"peer\": \"openblas\", \"workload\": \"sgemm %s%dx%dx%d\", \"median_ms\": %.6f, \"min_ms\": "
          "%.6f, "
          "\"cpu_median_ms\": %.6f, \"cpu_min_ms\": %.6f, \"gflops\": %.1f, \"core\": \"%s\"}\n",
          form.name, M, N, K, median(wall), *std::min_element(wall.begin(), wall.end()), median(cpu),
          *std::min_element(cpu.begin(), cpu.end()), flop / median(wall) / 1e6, openblas_get_corename());
      std::fflush(stdout);
    }
  }
}
