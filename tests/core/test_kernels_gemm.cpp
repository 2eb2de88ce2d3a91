// The blocked float product against three plain loops. Entries are small multiples of 1/8, so every sum is
// exact and the two must agree to the last bit, whatever the order of the additions.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/kernels/gemm.hpp"
#include "core/kernels/gemm_pack.hpp"
#include "core/kernels/parallel.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

enum class Form { nn, nt, tn };
constexpr Form forms[] = {Form::nn, Form::nt, Form::tn};
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

std::mt19937 generator(1);

float eighths() { return static_cast<float>(static_cast<int>(generator() % 33) - 16) / 8; }
float anything() { return static_cast<float>(generator()) / 4e9f - 0.5f; }

// A matrix whose rows lie `gap` values apart; the gaps hold NaN, which must be neither read nor written. It
// ends with its last value, so that the address sanitizer sees what reads past it.
struct Matrix {
  Index rows, columns, ld;
  std::vector<float> values;

  template <class F>
  Matrix(Index rows, Index columns, Index gap, F fill) : rows(rows), columns(columns), ld(columns + gap) {
    values.assign(static_cast<std::size_t>(rows && columns ? (rows - 1) * ld + columns : 0), not_a_number);
    each([&](float& x) { x = fill(); });
  }
  template <class F>
  void each(F f) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < columns; ++j) f(values[static_cast<std::size_t>(i * ld + j)]);
    }
  }
};

// Bit for bit, NaN equal to NaN.
bool same(const std::vector<float>& x, const std::vector<float>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))) return false;
  }
  return x.size() == y.size();
}

void multiply(Form form, Index M, Index N, Index K, const Matrix& A, const Matrix& B, Matrix& C, bool add) {
  const auto gemm = form == Form::nn ? gemm_nn<float> : form == Form::nt ? gemm_nt<float> : gemm_tn<float>;
  gemm(M, N, K, A.values.data(), A.ld, B.values.data(), B.ld, C.values.data(), C.ld, add);
}

void multiply_plain(Form form, Index M, Index N, Index K, const Matrix& A, const Matrix& B, Matrix& C,
                    bool add) {
  gemm_plain(form == Form::tn, form == Form::nt, M, N, K, A.values.data(), A.ld, B.values.data(), B.ld,
             C.values.data(), C.ld, add);
}

template <class F>
Matrix make_a(Form form, Index M, Index K, Index gap, F fill) {
  return form == Form::tn ? Matrix(K, M, gap, fill) : Matrix(M, K, gap, fill);
}

template <class F>
Matrix make_b(Form form, Index N, Index K, Index gap, F fill) {
  return form == Form::nt ? Matrix(N, K, gap, fill) : Matrix(K, N, gap, fill);
}

// A B^T + bias, from B as it is and from B packed.
bool linear_agrees(Index M, Index N, Index K, Index gap) {
  const Matrix A(M, K, gap, eighths), B(N, K, 2 * gap, eighths);
  const Matrix bias(1, N, 0, eighths);
  for (const float* b : {bias.values.data(), static_cast<const float*>(nullptr)}) {
    Matrix expected(M, N, 0, [] { return 0.0f; });
    for (Index i = 0; i < M; ++i) {
      for (Index j = 0; j < N && b; ++j) expected.values[static_cast<std::size_t>(i * N + j)] = b[j];
    }
    multiply_plain(Form::nt, M, N, K, A, B, expected, true);
    Matrix C(M, N, 0, eighths), D = C;
    gemm_linear(M, N, K, A.values.data(), A.ld, B.values.data(), B.ld, b, C.values.data(), N);
    std::vector<float> packed(static_cast<std::size_t>(packed_size(N, K)));
    pack_weight(N, K, B.values.data(), B.ld, packed.data());
    gemm_packed(M, N, K, A.values.data(), A.ld, packed.data(), b, D.values.data(), N);
    if (!same(C.values, expected.values) || !same(D.values, expected.values)) return false;
  }
  return true;
}

// Every form, assigning and adding.
bool agrees(Index M, Index N, Index K, Index gap) {
  for (Form form : forms) {
    const Matrix A = make_a(form, M, K, gap, eighths), B = make_b(form, N, K, 2 * gap, eighths);
    for (bool add : {false, true}) {
      Matrix C(M, N, 3 * gap, eighths);
      Matrix expected = C;
      multiply(form, M, N, K, A, B, C, add);
      multiply_plain(form, M, N, K, A, B, expected, add);
      if (!same(C.values, expected.values)) return false;
    }
  }
  return linear_agrees(M, N, K, gap);
}

struct Size {
  Index M, N, K;
};

}  // namespace

TEST_CASE("gemm agrees with three loops on small sizes, tile edges and their neighbours") {
  const Index sizes[] = {0, 1, 2, 3, 5, 7, 11, 12, 13, 16, 17, 25, 31, 32, 33};
  for (Index M : sizes) {
    for (Index N : sizes) {
      for (Index K : sizes) {
        INFO("M " << M << " N " << N << " K " << K);
        REQUIRE(agrees(M, N, K, (M + N + K) % 2 * 3));
      }
    }
  }
}

TEST_CASE("gemm agrees with three loops across blocks, packed and in place") {
  const Size sizes[] = {{255, 257, 3},  {257, 255, 3}, {257, 257, 17}, {300, 270, 300}, {64, 300, 513},
                        {500, 30, 257}, {1, 700, 300}, {700, 1, 300},  {1, 1, 1000},    {2, 3200, 5},
                        {3200, 2, 5},   {7, 1000, 3},  {1000, 7, 257}, {257, 3100, 2},  {490, 300, 2},
                        {96, 32, 511},  {20, 20, 256}};
  for (auto [M, N, K] : sizes) {
    INFO("M " << M << " N " << N << " K " << K);
    CHECK(agrees(M, N, K, 0));
    CHECK(agrees(M, N, K, 5));
  }
}

TEST_CASE("gemm rounds as a sum of K products may") {
  const Index M = 70, N = 90, K = 1000;
  for (Form form : forms) {
    const Matrix A = make_a(form, M, K, 0, anything), B = make_b(form, N, K, 0, anything);
    Matrix C(M, N, 0, anything);
    multiply(form, M, N, K, A, B, C, false);
    const std::vector<double> a(A.values.begin(), A.values.end()), b(B.values.begin(), B.values.end());
    std::vector<double> expected(C.values.size());
    const auto gemm = form == Form::nn   ? gemm_nn<double>
                      : form == Form::nt ? gemm_nt<double>
                                         : gemm_tn<double>;
    gemm(M, N, K, a.data(), A.ld, b.data(), B.ld, expected.data(), N, false);
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      worst = std::max(worst, std::abs(C.values[i] - expected[i]));
    CHECK(worst < 1e-4);
  }
}

TEST_CASE("gemm passes NaN and infinity on: zero times infinity is not zero") {
  const Index M = 30, N = 40, K = 50;
  for (Form form : forms) {
    Matrix A = make_a(form, M, K, 0, eighths), B = make_b(form, N, K, 0, eighths);
    A.values[7] = not_a_number, A.values[100] = infinity, A.values[200] = 0;
    B.values[33] = -infinity, B.values[90] = not_a_number, B.values[150] = 0;
    Matrix C(M, N, 0, eighths);
    Matrix expected = C;
    multiply(form, M, N, K, A, B, C, true);
    multiply_plain(form, M, N, K, A, B, expected, true);
    CHECK(same(C.values, expected.values));
  }
}

TEST_CASE("gemm gives the same bytes at any number of threads") {
  const int before = threads();
  const Size sizes[] = {{1000, 100, 61}, {100, 1000, 61}, {33, 3001, 50}, {3001, 33, 50},
                        {1, 70001, 40},  {70001, 1, 40},  {300, 300, 300}};
  for (auto [M, N, K] : sizes) {
    for (Form form : forms) {
      INFO("M " << M << " N " << N << " K " << K);
      const Matrix A = make_a(form, M, K, 0, anything), B = make_b(form, N, K, 0, anything);
      Matrix one(M, N, 0, anything);
      set_threads(1);
      multiply(form, M, N, K, A, B, one, false);
      for (int n : {2, 3, 7}) {
        Matrix several(M, N, 0, anything);
        set_threads(n);
        multiply(form, M, N, K, A, B, several, false);
        CHECK(std::memcmp(one.values.data(), several.values.data(), one.values.size() * sizeof(float)) == 0);
      }
    }
  }
  set_threads(before);
}

TEST_CASE("packing puts item i of depth k at [k * width + i] of its panel") {
  for (Index items : {1, 5, 12, 13, 40}) {
    for (Index depth : {1, 4, 16, 19, 50}) {
      const Matrix x(items, depth, 3, anything), xt(depth, items, 3, anything);
      for (Operand from : {Operand{x.values.data(), x.ld, 1}, Operand{xt.values.data(), 1, xt.ld}}) {
        for (Index width : {tile_rows, tile_columns}) {
          std::vector<float> out(static_cast<std::size_t>((items + width) * depth + lanes));
          pack(from, items, depth, width, out.data());
          bool right = true;
          for (Index i = 0; i < items; ++i) {
            for (Index k = 0; k < depth; ++k) {
              const Index place = i / width * width * depth + k * width + i % width;
              right = right && out[static_cast<std::size_t>(place)] == *from.at(i, k).data;
            }
          }
          INFO("items " << items << " depth " << depth << " width " << width);
          CHECK(right);
        }
      }
    }
  }
}
