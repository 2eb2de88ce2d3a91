#include "examples/kit/pools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace lookback {

// [make_pools]
std::vector<Batch> make_pools(std::span<const IdPair> pairs, Index size, Index pool, Random& random) {
  if (size < 1 || pool < 1)
    throw std::invalid_argument(fmt::format("make_pools: {} batches of {} pairs are no pool", pool, size));
  std::vector<IdPair> order(pairs.begin(), pairs.end());
  random.shuffle(order);
  for (auto from = order.begin(); from != order.end();) {
    const auto to = from + std::min(order.end() - from, pool * size);
    std::stable_sort(from, to, [](const IdPair& a, const IdPair& b) {
      return std::tuple(a.target.size(), a.source.size()) < std::tuple(b.target.size(), b.source.size());
    });
    from = to;
  }
  std::vector<Batch> batches = make_batches(order, size);
  random.shuffle(batches);
  return batches;
}
// [/make_pools]

}  // namespace lookback
