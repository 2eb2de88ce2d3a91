#include "core/pool.hpp"

#include <array>
#include <new>

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

// Plain data, so that it outlives every thread_local and static Tensor; `closed` sends late buffers straight
// back.
struct Pool {
  std::array<FreeBuffer*, 4 * 48> free{};
  std::size_t held = 0;
  bool closed = false;
};
thread_local Pool pool;

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

struct Closer {  // at the end of a thread its waiting buffers go back to the system
  ~Closer() {
    pool.closed = true;
    std::size_t index = 0;
    for (FreeBuffer*& list : pool.free) {
      const std::size_t octave = smallest << (index / 4), bytes = octave + index % 4 * (octave / 4);
      while (list) {
        FreeBuffer* next = list->next;
        system_release(list, bytes);
        list = next;
      }
      ++index;
    }
  }
};

}  // namespace

void* pool_allocate(std::size_t bytes) {
  thread_local Closer closer;
  const Class c = class_of(bytes);
  if (c.index >= pool.free.size()) throw std::bad_alloc();
  if (FreeBuffer* buffer = pool.free[c.index]) {
    pool.free[c.index] = buffer->next;
    return buffer;
  }
  void* p = system_allocate(c.bytes);
  pool.held += c.bytes;
  return p;
}

void pool_release(void* buffer, std::size_t bytes) noexcept {
  const Class c = class_of(bytes);
  if (pool.closed) return system_release(buffer, c.bytes);
  pool.free[c.index] = ::new (buffer) FreeBuffer{pool.free[c.index]};
}

std::size_t pool_bytes() { return pool.held; }

}  // namespace lookback
