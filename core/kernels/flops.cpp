#include "core/kernels/flops.hpp"

#include <atomic>
#include <mutex>
#include <utility>

namespace lookback {
namespace {

struct Count;
std::mutex mutex;        // of what follows
Count* first = nullptr;  // the threads that live
std::int64_t ended = 0;  // the multiply-adds of those that do not

// A thread adds to a count of its own, which no other writes, so that counting costs an addition.
struct Count {
  std::atomic<std::int64_t> multiply_adds{0};
  Count* next;

  Count() {
    const std::lock_guard lock(mutex);
    next = std::exchange(first, this);
  }
  ~Count() {
    const std::lock_guard lock(mutex);
    ended += multiply_adds;
    Count** place = &first;
    while (*place != this) place = &(*place)->next;
    *place = next;
  }
};

thread_local Count mine;

}  // namespace

void count_product(Index M, Index N, Index K) {
  std::atomic<std::int64_t>& n = mine.multiply_adds;
  n.store(n.load(std::memory_order_relaxed) + M * N * K, std::memory_order_relaxed);
}

std::int64_t product_flops() {
  const std::lock_guard lock(mutex);
  std::int64_t total = ended;
  for (const Count* count = first; count; count = count->next) total += count->multiply_adds;
  return 2 * total;
}

}  // namespace lookback
