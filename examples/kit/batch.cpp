#include "examples/kit/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace lookback {

// [make_batch]
Batch make_batch(std::span<const IdPair> pairs, Bounds least) {
  if (pairs.empty()) throw std::invalid_argument("make_batch: there are no pairs");
  auto [S, T] = least;
  for (std::size_t b = 0; b < pairs.size(); ++b) {
    if (pairs[b].source.empty() || pairs[b].target.empty())
      throw std::invalid_argument(fmt::format("make_batch: pair {} has an empty {}", b,
                                              pairs[b].source.empty() ? "source" : "target"));
    S = std::max(S, std::ssize(pairs[b].source));
    T = std::max(T, std::ssize(pairs[b].target) + 1);  // EOS, or GO
  }
  const Index B = std::ssize(pairs);
  Batch batch{{}, Ids({B, S}, PAD), {}, Ids({B, T}, PAD), Ids({B, T}, PAD), 0};
  for (Index b = 0; b < B; ++b) {
    const auto& [x, y] = pairs[static_cast<std::size_t>(b)];
    std::copy(x.begin(), x.end(), batch.source.values.begin() + b * S);
    *(batch.inputs.values.begin() + b * T) = GO;
    std::copy(y.begin(), y.end(), batch.inputs.values.begin() + b * T + 1);
    *std::copy(y.begin(), y.end(), batch.targets.values.begin() + b * T) = EOS;
    batch.lengths.push_back(std::ssize(x));
    batch.tokens += std::ssize(y) + 1;
  }
  batch.mask = Mask::lengths(batch.lengths, S);
  return batch;
}
// [/make_batch]

// [share]
Batch share(const Batch& batch, Index part, Index parts) {
  if (parts == 1) return batch;
  const Index B = batch.source.shape[0], S = batch.source.shape[1], T = batch.targets.shape[1];
  std::vector<IdPair> pairs;
  for (Index b = part; b < B; b += parts) {
    const auto x = batch.source.values.begin() + b * S, y = batch.targets.values.begin() + b * T;
    pairs.push_back({{x, x + batch.lengths[static_cast<std::size_t>(b)]}, {y, std::find(y, y + T, EOS)}});
  }
  return pairs.empty() ? Batch{} : make_batch(pairs);
}
// [/share]

std::vector<Batch> make_batches(std::span<const IdPair> pairs, Index size, Bounds least) {
  if (size < 1) throw std::invalid_argument(fmt::format("make_batches: a batch of {} pairs is none", size));
  std::vector<Batch> batches;
  for (std::size_t at = 0; at < pairs.size(); at += static_cast<std::size_t>(size))
    batches.push_back(
        make_batch(pairs.subspan(at, std::min(pairs.size() - at, static_cast<std::size_t>(size))), least));
  return batches;
}

// [make_buckets]
std::vector<Batch> make_buckets(std::span<const IdPair> pairs, std::span<const Bounds> buckets, Index size) {
  std::vector<std::vector<IdPair>> inside(buckets.size());
  for (const IdPair& pair : pairs) {
    const Index S = std::ssize(pair.source), T = std::ssize(pair.target) + 1;
    const auto holds = [=](const Bounds& bucket) { return S <= bucket.S && T <= bucket.T; };
    const auto first = std::find_if(buckets.begin(), buckets.end(), holds);
    if (first == buckets.end())
      throw std::invalid_argument(fmt::format("make_buckets: S = {} and T = {} fit into no bucket", S, T));
    inside[static_cast<std::size_t>(first - buckets.begin())].push_back(pair);
  }
  std::vector<Batch> batches;
  for (std::size_t k = 0; k < buckets.size(); ++k)
    for (Batch& batch : make_batches(inside[k], size, buckets[k])) batches.push_back(std::move(batch));
  return batches;
}
// [/make_buckets]

}  // namespace lookback

namespace lookback::inline LOOKBACK_NS {

// [weights]
Tensor target_weights(const Batch& batch) {
  std::vector<Real> weights;
  for (const std::int32_t id : batch.targets.values) weights.push_back(id == PAD ? 0 : 1);
  return {batch.targets.shape, weights};
}
// [/weights]

}  // namespace lookback::inline LOOKBACK_NS
