// Batches of sentences of about one length, in another order every time.
#pragma once

#include "core/random.hpp"
#include "examples/kit/batch.hpp"

namespace lookback {

// The pairs are shuffled and cut into pools of `pool` batches; a pool is sorted by target and then source length and
// cut into batches of `size`; the batches of all pools are shuffled. Throws std::invalid_argument for a size or pool < 1.
std::vector<Batch> make_pools(std::span<const IdPair> pairs, Index size, Index pool, Random& random);

}  // namespace lookback
