// Where the memory goes: a flat tape, a pool that stops growing, buffers freed as backward proceeds.
#include <cstdint>
#include <functional>
#include <thread>

#include "core/gradcheck.hpp"
#include "core/ops.hpp"
#include "core/pool.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

// A thread has a pool, an arena and a stack (8 MiB or less) of its own, and gives all back when it ends.
void in_fresh_thread(const std::function<void()>& body) { std::thread(body).join(); }

// Two layers, softmax, a loss, a step of gradient descent.
struct Model {
  Tensor W1 = random_leaf({16, 8}, 1), b1 = random_leaf({16}, 2), W2 = random_leaf({5, 16}, 3);

  Tensor loss(const Tensor& x) const {
    return neg(mean(select(log_softmax(linear(tanh(linear(x, W1, b1)), W2)), 1, 0)));
  }
  void step(const Tensor& x) const {
    {
      Tape tape;
      tape.backward(loss(x));
    }
    for (const Tensor& w : {W1, b1, W2}) {
      Real* to = w.write();
      for (Index i = 0; i < w.size(); ++i) to[i] -= w.grad()[i] / 10;
      w.drop_grad();
    }
  }
};

}  // namespace

TEST_CASE("a chain of a million ops runs backward and is freed on a small stack") {
  std::size_t recorded = 0;
  Real gradient = 0;
  in_fresh_thread([&] {
    const Tensor x = Tensor(Shape{}, 3).want_grad();
    Tape tape;
    Tensor y = x;
    for (int i = 0; i < 1'000'000; ++i) y = neg(y);
    recorded = tape.size();
    tape.backward(y);
    gradient = *x.grad();
  });
  CHECK(recorded == 1'000'000);
  CHECK(gradient == 1);
}

TEST_CASE("a chain of a million ops is freed when it never runs") {
  Real last = 0;
  in_fresh_thread([&] {
    const Tensor x = Tensor(Shape{}, 3).want_grad();
    Tensor y = x;
    Tape tape;
    for (int i = 0; i < 1'000'000; ++i) y = neg(y);
    last = y.item();
  });
  CHECK(last == 3);
}

TEST_CASE("after warm-up, training steps ask nothing of the system") {
  const Model model;
  const Tensor x = random_leaf({4, 8}, 4).detach();
  const Real before = model.loss(x).item();
  for (int i = 0; i < 2; ++i) model.step(x);
  const std::size_t warm = pool_bytes();
  for (int i = 0; i < 1000; ++i) model.step(x);  // closures enough to fill an arena that is not rewound
  CHECK(pool_bytes() == warm);
  CHECK(model.loss(x).item() < before / 2);  // and it learns
}

TEST_CASE("without a tape nothing is kept") {
  const Model model;
  const Tensor x = random_leaf({4, 8}, 4).detach();
  Tensor y = x;
  Real last = 0;
  const auto run = [&](int times) {
    for (int i = 0; i < times; ++i) y = tanh(y), last = model.loss(y).item();
  };
  run(2);
  const std::size_t warm = pool_bytes();
  run(10'000);
  CHECK(pool_bytes() == warm);
  CHECK(last > 0);
}

TEST_CASE("memory falls as backward proceeds") {
  constexpr std::size_t buffer = 100'000 * sizeof(Real), ops = 40;
  std::size_t forward = 0, backward = 0;
  in_fresh_thread([&] {
    const Tensor x = random_leaf({100'000}, 1);
    Tape tape;
    Tensor y = x;
    for (std::size_t i = 0; i < ops; ++i) y = tanh(y);
    const Tensor loss = sum(y);
    forward = pool_bytes();
    tape.backward(loss);
    backward = pool_bytes();
  });
  CHECK(forward > ops * buffer);
  CHECK(backward < forward + 4 * buffer);  // every gradient found the buffers of ops that had run
}

TEST_CASE("a tensor outlives its tape, and the tensors it came from do not") {
  std::size_t before = 0, after = 0;
  in_fresh_thread([&] {
    Tensor kept;
    for (int i = 0; i < 10; ++i) {
      const Tensor x = random_leaf({1000}, 1);
      Tape tape;
      kept = exp(exp(exp(x)));
      if (i == 1) before = pool_bytes();
    }
    after = pool_bytes();
  });
  CHECK(after == before);
}

TEST_CASE("pool buffers are aligned, reused, and waste at most a fifth") {
  std::size_t bytes = 65;
  in_fresh_thread([&] {
    for (; bytes < 10'000'000; bytes += bytes / 3) {
      const std::size_t before = pool_bytes();
      void* p = pool_allocate(bytes);
      const std::size_t held = pool_bytes() - before;
      const bool aligned = reinterpret_cast<std::uintptr_t>(p) % 64 == 0;
      const bool thrifty = held >= bytes && 5 * (held - bytes) <= held;
      pool_release(p, bytes);
      void* again = pool_allocate(held);  // the whole class
      pool_release(again, held);
      if (!aligned || !thrifty || again != p) return;
    }
  });
  INFO("at " << bytes << " bytes");
  CHECK(bytes >= 10'000'000);
}
