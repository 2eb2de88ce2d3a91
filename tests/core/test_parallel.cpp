// Loops over threads: every item once, errors reach the caller, and threads really run side by side.
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/kernels/parallel.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

// Sets the number of threads for one test.
struct Threads {
  explicit Threads(int n) { set_threads(n); }
  ~Threads() { set_threads(before); }
  int before = threads();
};

}  // namespace

TEST_CASE("parallel_for covers every item once, in pieces no smaller than the grain") {
  for (int n_threads : {1, 2, 3, 8}) {
    const Threads setting(n_threads);
    for (Index n : {0, 1, 2, 3, 7, 64, 1000}) {
      for (Index grain : {0, 1, 2, 10, 1000}) {
        std::vector<int> seen(static_cast<std::size_t>(n));
        std::atomic<int> calls{0}, small{0};
        parallel_for(n, grain, [&](Index begin, Index end) {
          ++calls;
          small += end - begin < grain && end != n;
          for (Index i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
        });
        INFO("threads " << n_threads << " n " << n << " grain " << grain);
        CHECK(seen == std::vector<int>(static_cast<std::size_t>(n), 1));
        CHECK(calls <= n_threads);
        CHECK(small == 0);
        if (n == 0) CHECK(calls == 0);
        if (n > 0 && n <= grain) CHECK(calls == 1);
      }
    }
  }
}

TEST_CASE("two threads really run at the same time") {
  const Threads setting(2);
  std::atomic<int> arrived{0};
  std::mutex mutex;
  std::set<std::thread::id> ids;
  parallel_for(2, 1, [&](Index, Index) {
    {
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    }
    ++arrived;  // and wait for the other one
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (arrived < 2 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
  });
  CHECK(arrived == 2);
  CHECK(ids.size() == 2);
}

TEST_CASE("with one thread, everything runs on the caller") {
  set_threads(3);
  parallel_for(3, 1, [](Index, Index) {});
  const Threads setting(1);
  std::set<std::thread::id> ids;
  parallel_for(100, 1, [&](Index, Index) { ids.insert(std::this_thread::get_id()); });
  CHECK(ids == std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST_CASE("an exception in the body reaches the caller, and the next loop works") {
  for (int n_threads : {1, 2, 4}) {
    const Threads setting(n_threads);
    for (int round = 0; round < 20; ++round) {
      CHECK_THROWS_AS(parallel_for(100, 1, [](Index, Index) { throw std::runtime_error("body"); }),
                      std::runtime_error);
      CHECK(!in_parallel());
      std::atomic<Index> total{0};
      parallel_for(100, 1, [&](Index begin, Index end) { total += end - begin; });
      CHECK(total == 100);
    }
  }
}

TEST_CASE("a loop inside a body runs on the thread that meets it") {
  const Threads setting(3);
  std::atomic<Index> total{0};
  std::atomic<int> strangers{0}, outside{0};
  parallel_for(30, 1, [&](Index begin, Index end) {
    const auto self = std::this_thread::get_id();
    outside += !in_parallel();
    parallel_for(10, 1, [&](Index b, Index e) {
      strangers += std::this_thread::get_id() != self;
      outside += !in_parallel();
      total += (end - begin) * (e - b);
    });
    outside += !in_parallel();
  });
  CHECK(total == 300);
  CHECK(strangers == 0);
  CHECK(outside == 0);
  CHECK(!in_parallel());
}

TEST_CASE("in_parallel is true on the caller too, below the grain") {
  bool inside = false;
  parallel_for(1, 1000, [&](Index, Index) { inside = in_parallel(); });
  CHECK(inside);
  CHECK(!in_parallel());
}

TEST_CASE("set_threads takes 1 to 256, outside of loops") {
  const Threads setting(5);
  CHECK(threads() == 5);
  CHECK_THROWS_AS(set_threads(0), std::invalid_argument);
  CHECK_THROWS_AS(set_threads(-1), std::invalid_argument);
  CHECK_THROWS_AS(set_threads(257), std::invalid_argument);
  CHECK(threads() == 5);
  CHECK_THROWS_AS(parallel_for(1, 1, [](Index, Index) { set_threads(2); }), std::logic_error);
  set_threads(256);
  CHECK(threads() == 256);
}

TEST_CASE("several threads of a program may loop at once") {
  const Threads setting(3);
  std::atomic<Index> total{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        parallel_for(16, 1, [&](Index begin, Index end) { total += end - begin; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(total == 4 * 200 * 16);
}
