// Loops over several threads of one machine.
#pragma once

#include <memory>

#include "core/shape.hpp"

namespace lookback {

void set_threads(int n);  // 1 to 256, or std::invalid_argument; not inside a parallel_for
int threads();            // what was set; at first, what the hardware has
bool in_parallel();       // inside the body of a parallel_for, on any thread, where no Tensor may be touched

namespace parallel_detail {
using Body = void (*)(void* context, Index begin, Index end);
void run(Index n, Index grain, Body body, void* context);
}  // namespace parallel_detail

// Calls body(begin, end) on pieces that cover 0 .. n-1, each of at least `grain` items but the last, and
// returns when all are done. How many pieces there are depends on the number of threads, so an item's result
// may not depend on its piece. n = 0 calls nothing; n < 2 grain, one thread, or a call inside a body run on
// the caller. What a body throws is thrown here, once, after the others have stopped. Once its threads are
// there, nothing is allocated.
template <class F>
void parallel_for(Index n, Index grain, F body) {
  parallel_detail::run(
      n, grain, [](void* context, Index begin, Index end) { (*static_cast<F*>(context))(begin, end); },
      std::addressof(body));
}

// The grain of items of so many numbers each: below it a thread costs more to wake than it brings.
inline Index grain(Index numbers) { return 1 + (Index{1} << 15) / (numbers > 0 ? numbers : 1); }

}  // namespace lookback
