#include "core/pool.hpp"

#include <array>
#include <mutex>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lookback {
namespace {

constexpr std::size_t smallest = 64, alignment = 64, huge_page = std::size_t{2} << 20;

struct FreeBuffer {
  FreeBuffer* next;
};

// Class 4 k + j holds buffers of 64 * 2^k * (1 + j / 4) bytes.
struct Class {
  std::size_t index, bytes;
};

Class class_of(std::size_t bytes) {
  if (bytes <= smallest) return {0, smallest};
  std::size_t octave = smallest, index = 0;
  while (octave * 2 < bytes) octave *= 2, index += 4;
  const std::size_t quarter = octave / 4, steps = (bytes - octave + quarter - 1) / quarter;
  return {index + steps, octave + steps * quarter};
}

// Plain data, so that it outlives every thread_local and static Tensor; `closed` sends late buffers on at once.
struct Pool {
  std::array<FreeBuffer*, 4 * 48> free{};
  std::size_t held = 0;
  bool closed = false;
};
thread_local Pool waiting;

void* system_allocate(std::size_t bytes) {
  const std::size_t align = bytes >= huge_page ? huge_page : alignment;
  void* p = ::operator new (bytes, std::align_val_t{align});
#if defined(__linux__)
  if (bytes >= huge_page) madvise(p, bytes, MADV_HUGEPAGE);  // advice: a system without huge pages says no
#endif
  return p;
}

void system_release(void* p, std::size_t bytes) {
  ::operator delete (p, std::align_val_t{bytes >= huge_page ? huge_page : alignment});
}

// Where there are huge pages, smaller buffers are cut from slabs of them: a training step whose buffers lie in pages of
// 4 kB takes a fifth longer, to look addresses up. An address sanitizer wants each buffer by itself.
#if !defined(__linux__) || defined(__SANITIZE_ADDRESS__)
constexpr bool has_slabs = false;
#elif defined(__has_feature)  // Clang's way to say it
constexpr bool has_slabs = !__has_feature(address_sanitizer);
#else
constexpr bool has_slabs = true;
#endif

bool in_slab(std::size_t bytes) { return has_slabs && bytes < huge_page; }

// Of all threads, and never given back: a buffer may end its life in another thread than it began.
class Slabs {
 public:
  void* take(const Class& c) {
    const std::lock_guard lock(mutex_);
    if (FreeBuffer* buffer = free_[c.index]) {
      free_[c.index] = buffer->next;
      return buffer;
    }
    if (static_cast<std::size_t>(end_ - next_) < c.bytes) {
      next_ = static_cast<char*>(system_allocate(slab));
      end_ = next_ + slab;
    }
    return std::exchange(next_, next_ + (c.bytes + alignment - 1) / alignment * alignment);
  }
  void leave(void* buffer, std::size_t index) {
    const std::lock_guard lock(mutex_);
    free_[index] = ::new (buffer) FreeBuffer{free_[index]};
  }

 private:
  static constexpr std::size_t slab = 4 * huge_page;
  std::mutex mutex_;
  std::array<FreeBuffer*, 4 * 48> free_{};
  char *next_ = nullptr, *end_ = nullptr;
};

Slabs& slabs() {
  static Slabs& all = *new Slabs;  // for tensors that are static, too
  return all;
}

void leave(void* buffer, const Class& c) {
  if (in_slab(c.bytes))
    slabs().leave(buffer, c.index);
  else
    system_release(buffer, c.bytes);
}

struct Closer {  // at the end of a thread its waiting buffers go to the others, the large ones to the system
  ~Closer() {
    waiting.closed = true;
    std::size_t index = 0;
    for (FreeBuffer*& list : waiting.free) {
      const std::size_t octave = smallest << (index / 4), bytes = octave + index % 4 * (octave / 4);
      while (list) leave(std::exchange(list, list->next), {index, bytes});
      ++index;
    }
  }
};

Pool& own_pool() {  // a thread that only releases has something to pass on, too
  thread_local Closer closer;
  return waiting;
}

}  // namespace

void* pool_allocate(std::size_t bytes) {
  Pool& pool = own_pool();
  const Class c = class_of(bytes);
  if (c.index >= pool.free.size()) throw std::bad_alloc();
  if (FreeBuffer* buffer = pool.free[c.index]) {
    pool.free[c.index] = buffer->next;
    return buffer;
  }
  void* p = in_slab(c.bytes) ? slabs().take(c) : system_allocate(c.bytes);
  pool.held += c.bytes;
  return p;
}

void pool_release(void* buffer, std::size_t bytes) noexcept {
  Pool& pool = own_pool();
  const Class c = class_of(bytes);
  if (pool.closed) return leave(buffer, c);
  pool.free[c.index] = ::new (buffer) FreeBuffer{pool.free[c.index]};
}

std::size_t pool_bytes() { return waiting.held; }

}  // namespace lookback
