#include "examples/kit/copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace lookback::inline LOOKBACK_NS {
namespace {

constexpr const char* alphabet = "abcdefghijklmnopqrstuvwxyz";
constexpr Index alphabet_size = 26, first_letter = UNK + 1;

}  // namespace

Vocabulary copy_vocabulary() {
  const Tokens all = letters(alphabet);
  return Vocabulary({&all, 1});
}

Tokens letters(const std::string& text) {
  Tokens list;
  for (const char letter : text) list.emplace_back(1, letter);
  return list;
}

// [copy_batch]
Batch copy_batch(CopyTask task, Index length, Index B, Random& random) {
  if (length < 1 || length > longest_copy)
    throw std::invalid_argument(
        fmt::format("copy_batch: the length {} is not one of 1 to {}", length, longest_copy));
  std::vector<IdPair> pairs(static_cast<std::size_t>(B));
  for (auto& [source, target] : pairs) {
    for (Index i = 0; i < length; ++i)
      source.push_back(static_cast<std::int32_t>(first_letter + random.below(alphabet_size)));
    target = source;
    if (task == CopyTask::reverse) std::reverse(target.begin(), target.end());
  }
  return make_batch(pairs);
}

std::vector<Batch> copy_batches(CopyTask task, Index longest, Index batches, Index B, Random random) {
  std::vector<Batch> list;
  for (Index k = 0; k < batches; ++k) {
    const Index length = 1 + random.below(longest);
    list.push_back(copy_batch(task, length, B, random));
  }
  return list;
}
// [/copy_batch]

std::vector<double> right_by_place(std::span<const Written> written, const Batch& batch) {
  const std::size_t T = static_cast<std::size_t>(batch.targets.shape[1]);
  std::vector<double> right(T);
  for (std::size_t b = 0; b < written.size(); ++b) {
    std::vector<std::int32_t> said = written[b].ids;
    if (written[b].ended) said.push_back(EOS);
    for (std::size_t t = 0; t < std::min(T, said.size()); ++t)
      if (said[t] == batch.targets.values[b * T + t]) right[t] += 1.0 / static_cast<double>(written.size());
  }
  return right;
}

// [measure_copy]
CopyScore measure_copy(const Translator& model, CopyTask task, Index longest, Index B, Random random) {
  CopyScore score;
  for (Index n = 1; n <= longest; ++n) {
    const Batch batch = copy_batch(task, n, B, random);
    const Greedy said = greedy_decode(model.decoder(), model.read(batch), n + 1);
    score.by_place = right_by_place(said.sentences, batch);
    const double right = std::accumulate(score.by_place.begin(), score.by_place.end(), 0.0);
    score.share.push_back(right / static_cast<double>(n + 1));
  }
  return score;
}
// [/measure_copy]

}  // namespace lookback::inline LOOKBACK_NS
