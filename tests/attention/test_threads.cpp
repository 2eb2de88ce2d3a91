// Every op that deals its loops out to threads: the same bytes at any number of them.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "attention/additive_scores.hpp"
#include "attention/heads.hpp"
#include "core/gradcheck.hpp"
#include "core/kernels/parallel.hpp"
#include "nn/adam.hpp"
#include "nn/gru.hpp"
#include "nn/loss.hpp"
#include "nn/lstm.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using In = std::vector<Tensor>;

struct Row {
  std::string name;
  In x;
  std::function<Tensor(const In&)> f;
};

Tensor leaf(Shape shape) {
  static std::uint64_t seed = 0;
  return random_leaf(shape, ++seed, -2, 2);
}

// Sizes beyond the grain, and not multiples of anything.
std::vector<Row> rows() {
  Mask real({97, 1}, std::vector<std::uint8_t>(97, 1));
  real.values[5] = real.values[96] = 0;
  Ids targets({97});
  for (std::size_t i = 0; i < 97; ++i) targets.values[i] = static_cast<std::int32_t>(i * 17 % 1203);
  targets.values[3] = 0;
  return {
      {"tanh", {leaf({301, 431})}, [](const In& x) { return tanh(x[0]); }},
      {"linear",
       {leaf({301, 131}), leaf({257, 131}), leaf({257})},
       [](const In& x) { return linear(x[0], x[1], x[2]); }},
      {"matmul", {leaf({301, 131}), leaf({131, 257})}, [](const In& x) { return matmul(x[0], x[1]); }},
      {"layer_norm",
       {leaf({1501, 131}), leaf({131}), leaf({131})},
       [](const In& x) { return layer_norm(x[0], x[1], x[2]); }},
      {"cross_entropy",
       {leaf({97, 1203})},
       [=](const In& x) {
         return cross_entropy(x[0], targets, {.ignore = 0, .label_smoothing = Real(0.1)});
       }},
      {"gru_gates",
       {leaf({97, 633}), leaf({97, 633}), leaf({97, 211})},
       [=](const In& x) { return gru_gates(x[0], x[1], x[2], real); }},
      {"lstm_gates",
       {leaf({97, 844}), leaf({97, 844}), leaf({97, 211}), leaf({97, 211})},
       [=](const In& x) {
         const CellState next = lstm_gates(x[0], x[1], {x[2], x[3]}, real);
         return next.h + next.c;
       }},
      {"additive_scores",
       {leaf({13, 3, 67}), leaf({13, 31, 67}), leaf({67})},
       [](const In& x) { return additive_scores(x[0], x[1], x[2]); }},
      {"head_weights",
       {leaf({13, 30, 66}), leaf({13, 31, 66})},
       [](const In& x) { return head_weights(x[0], x[1], 3); }},
      {"head_contexts",
       {leaf({13, 3, 30, 31}), leaf({13, 31, 66})},
       [](const In& x) { return head_contexts(x[0], x[1]); }},
  };
}

struct Threads {
  int before = threads();
  ~Threads() { set_threads(before); }
};

bool same_bytes(const In& a, const In& b) {
  bool same = a.size() == b.size();
  for (std::size_t k = 0; same && k < a.size(); ++k)
    same = a[k].shape() == b[k].shape() && std::equal(a[k].data(), a[k].data() + a[k].size(), b[k].data());
  return same;
}

}  // namespace

TEST_CASE("values and gradients are the same bytes at 1, 2, 3 and 7 threads") {
  const Threads restored;
  for (const Row& row : rows()) {
    INFO(row.name);
    In first;
    for (const int n : {1, 2, 3, 7}) {
      set_threads(n);
      const Tensor y = row.f(row.x), w = random_leaf(y.shape(), 9).detach();
      In all = gradients(row.x, [&] { return sum(w * row.f(row.x)); });
      all.push_back(y);
      if (first.empty()) first = all;
      CHECK(same_bytes(all, first));
    }
  }
}

TEST_CASE("Adam steps to the same bytes at any number of threads") {
  const Threads restored;
  In first;
  for (const int n : {1, 2, 3, 7}) {
    set_threads(n);
    const Params params(1);
    const Tensor p = params.add("p", {301, 431}, uniform(1));
    Adam adam;
    for (std::uint64_t step = 0; step < 3; ++step) {
      const Tensor g = random_leaf(p.shape(), step);
      std::copy_n(g.data(), g.size(), p.grad());
      adam.step(params, Real(0.3));
    }
    if (first.empty()) first = {p};
    CHECK(same_bytes({p}, first));
  }
}
