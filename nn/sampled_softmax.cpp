#include "nn/sampled_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

Sampled sample_log_uniform(const Ids& labels, Index K, Index V, Random& random) {
  labels.check_range("sample_log_uniform", V);
  const double range = std::log(static_cast<double>(V) + 1);
  const auto log_expected = [&](std::int32_t k) {  // ln(K P(k))
    return static_cast<Real>(std::log(static_cast<double>(K) * std::log1p(1.0 / (k + 1.0)) / range));
  };
  Sampled sampled{Ids(Shape{K}), {}, {}};
  for (std::int32_t& word : sampled.words.values) {
    const auto k =
        static_cast<Index>(std::exp(random.uniform() * range)) - 1;  // inverts the distribution function
    word = static_cast<std::int32_t>(std::clamp(k, Index{0}, V - 1));
    sampled.log_q.push_back(log_expected(word));
  }
  for (const std::int32_t label : labels.values) sampled.log_q_true.push_back(log_expected(label));
  return sampled;
}

Tensor sampled_softmax(const Tensor& x, const Tensor& weight, const Tensor& bias, const Ids& labels,
                       const Sampled& sampled, bool keep_accidental_hits) {
  Op("sampled_softmax", x, weight, bias)
      .require(x.rank() == 2 && labels.shape == Shape{x.shape()[0]}, "labels {} need the shape [{}]",
               to_string(labels.shape), x.rows());
  const Index N = x.shape()[0], K = sampled.words.size();
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
}

}  // namespace lookback::inline LOOKBACK_NS
