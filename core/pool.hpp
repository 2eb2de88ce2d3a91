// Buffers for tensors, kept and handed out again: after the first training step nothing is asked of the
// system, so no page is touched for the first time inside a step (in virtual machines that can be most of
// it).
#pragma once

#include <cstddef>

namespace lookback {

// A buffer of at least `bytes`, aligned to 64 bytes, contents undefined. Sizes are rounded up to classes of
// four to the octave, so that at most a fifth is wasted. Throws std::bad_alloc. Each thread has a pool of its
// own; what waits there when the thread ends passes to the other threads, or, from 2 MiB on and outside Linux, to
// the system.
void* pool_allocate(std::size_t bytes);
void pool_release(void* buffer, std::size_t bytes) noexcept;  // `bytes` as asked for

std::size_t pool_bytes();  // held by this thread's pool, in use or waiting

}  // namespace lookback
