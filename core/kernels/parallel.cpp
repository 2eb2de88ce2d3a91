#include "core/kernels/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lookback {
namespace {

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
constexpr int max_threads = 1;
#else
constexpr int max_threads = 256;
#endif

std::atomic<int> wanted{0};  // 0: not set, ask the hardware
thread_local bool inside = false;

// One parallel_for. Threads take the next piece until none is left.
struct Job {
  parallel_detail::Body body;
  void* context;
  Index n, piece;
  std::atomic<Index> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error{};  // of the first body that threw

  void work() {
    const bool was_inside = std::exchange(inside, true);
    for (Index begin; (begin = next.fetch_add(piece)) < n;) {
      try {
        body(context, begin, std::min(begin + piece, n));
      } catch (...) {
        if (!failed.exchange(true)) error = std::current_exception();
        next = n;
      }
    }
    inside = was_inside;
  }
};

// Looks for a while whether something has happened, for sleeping and waking takes longer than most jobs of a
// training step are apart.
template <class F>
void look_out(F happened) {
  using Clock = std::chrono::steady_clock;
  const auto patience = Clock::now() + std::chrono::microseconds(200);
  while (!happened() && Clock::now() < patience) std::this_thread::yield();
}

// Workers look out, then sleep, until a job has a free seat. The caller works too, and when no piece is left it
// takes the seats away and waits for those who sat down: one that wakes up late delays nobody.
class Pool {
 public:
  ~Pool() { stop(); }

  void run(Job& job, int helpers) {
    {
      std::lock_guard lock(mutex_);
      while (static_cast<int>(workers_.size()) < helpers) workers_.emplace_back([this] { serve(); });
      job_ = &job;
      seats_ = helpers;
    }
    wake_.notify_all();
    job.work();
    {
      std::lock_guard lock(mutex_);
      seats_ = 0;
    }
    look_out([this] { return seated_ == 0; });
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return seated_ == 0; });
  }

  void stop() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
    stopping_ = false;
  }

  std::mutex in_use;  // one job at a time

 private:
  void serve() {
    for (;;) {
      look_out([this] { return seats_ > 0 || stopping_; });
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return seats_ > 0 || stopping_; });
      if (stopping_) return;
      --seats_;
      ++seated_;
      Job& job = *job_;
      lock.unlock();
      job.work();
      lock.lock();
      if (--seated_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> workers_;
  Job* job_ = nullptr;
  std::atomic<int> seats_{0}, seated_{0};  // changed under the mutex; looked at without
  std::atomic<bool> stopping_{false};
};

Pool& pool() {
  static Pool pool;
  return pool;
}

}  // namespace

void set_threads(int n) {
  if (n < 1 || n > 256)
    throw std::invalid_argument("set_threads: " + std::to_string(n) + " is not in 1 .. 256");
  if (inside) throw std::logic_error("set_threads: called inside a parallel_for");
  std::lock_guard lock(pool().in_use);
  pool().stop();
  wanted = std::min(n, max_threads);
}

int threads() {
  if (int n = wanted) return n;
  const int hardware = static_cast<int>(std::thread::hardware_concurrency());
  wanted = std::clamp(hardware, 1, max_threads);
  return wanted;
}

bool in_parallel() { return inside; }

void parallel_detail::run(Index n, Index grain, Body body, void* context) {
  if (n <= 0) return;
  const Index pieces = inside ? 1 : std::clamp<Index>(n / std::max<Index>(grain, 1), 1, threads());
  std::unique_lock<std::mutex> turn;
  if (pieces > 1) turn = std::unique_lock(pool().in_use, std::try_to_lock);
  const bool alone = !turn.owns_lock();  // another thread of the program has the pool: do not wait for it
  // Long pieces begin where a vector of any width would: no item leaves a vector for the scalars behind it.
  const Index piece = (n + pieces - 1) / pieces, whole = grain < 64 ? piece : (piece + 63) / 64 * 64;
  Job job{body, context, n, alone ? n : whole};
  alone ? job.work() : pool().run(job, static_cast<int>(pieces) - 1);
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace lookback
