#include "nn/sampled_softmax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

Sampled sample_log_uniform(const Ids& labels, Index K, Index V, Random& random) {
  labels.check_range("sample_log_uniform", V);
  if (K < 1 || K > V)
    throw std::invalid_argument(
        fmt::format("sample_log_uniform: {} distinct words of {} cannot be drawn", K, V));
  const double range = std::log(static_cast<double>(V) + 1);
  std::vector<std::int32_t> words;
  std::vector<bool> drawn(static_cast<std::size_t>(V));
  Index draws = 0;
  for (; std::ssize(words) < K; ++draws) {
    const auto k = static_cast<Index>(std::exp(random.uniform() * range)) - 1;  // inverts the distribution
    const auto word = static_cast<std::size_t>(std::clamp(k, Index{0}, V - 1));
    if (!drawn[word]) words.push_back(static_cast<std::int32_t>(word));
    drawn[word] = true;
  }
  const auto log_expected = [&](const std::vector<std::int32_t>& ids) {  // ln(1 - (1 - P(k))^draws)
    std::vector<Real> logs;
    for (const std::int32_t k : ids) {
      const double p = std::log1p(1.0 / (k + 1.0)) / range;
      logs.push_back(static_cast<Real>(std::log(-std::expm1(static_cast<double>(draws) * std::log1p(-p)))));
    }
    return logs;
  };
  std::vector<Real> log_q = log_expected(words), log_q_true = log_expected(labels.values);
  return {Ids({K}, std::move(words)), std::move(log_q), std::move(log_q_true), draws};
}

Tensor sampled_softmax(const Tensor& x, const Tensor& weight, const Tensor& bias, const Ids& labels,
                       const Sampled& sampled, bool keep_accidental_hits) {
  const Op op("sampled_softmax", x, weight, bias);
  op.require(x.rank() == 2 && labels.shape == Shape{x.shape()[0]}, "labels {} need the shape [{}]",
             labels.shape, x.rows());
  op.require(weight.rank() == 2 && weight.cols() == x.cols() && bias.shape() == Shape{weight.shape()[0]},
             "weight and bias need the shapes [V, {}] and [V]", x.cols());
  const Index N = x.shape()[0], K = sampled.words.size();
  op.require(K > 0 && std::ssize(sampled.log_q) == K && std::ssize(sampled.log_q_true) == N,
             "{} samples with {} and {} expected counts for {} labels", K, sampled.log_q.size(),
             sampled.log_q_true.size(), N);
  // [logits]
  const auto logits_of = [&](const Ids& words) { return index_select(weight, words, 0); };
  const Tensor own =
      sum(x * logits_of(labels), -1) + index_select(bias, labels, 0) - Tensor({N}, sampled.log_q_true);
  const Tensor others = matmul_nt(x, logits_of(sampled.words)) + index_select(bias, sampled.words, 0) -
                        Tensor({K}, sampled.log_q);
  Mask keep({N, K + 1}, std::vector<std::uint8_t>(static_cast<std::size_t>(N * (K + 1)), 1));
  for (Index n = 0; !keep_accidental_hits && n < N; ++n)
    for (Index k = 0; k < K; ++k)
      keep.values[static_cast<std::size_t>(n * (K + 1) + k + 1)] =
          sampled.words.values[static_cast<std::size_t>(k)] != labels.values[static_cast<std::size_t>(n)];
  const Tensor parts[] = {own.reshape({N, 1}), others};
  const Tensor logits =
      where(keep, concat(parts, 1), Tensor({N, K + 1}, -std::numeric_limits<Real>::max() / 2));
  return -select(log_softmax(logits), 1, 0);
  // [/logits]
}

}  // namespace lookback::inline LOOKBACK_NS
