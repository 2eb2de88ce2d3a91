// Sampled softmax: a loss over a few words instead of the whole vocabulary.   Jean et al. 2015; TensorFlow's formula
#pragma once

#include <vector>

#include "core/ops.hpp"
#include "core/random.hpp"

namespace lookback::inline LOOKBACK_NS {

// Words drawn to stand for all the wrong ones, with the logs of how often each is expected among them.
struct Sampled {
  Ids words;                     // [K]; the same word may come twice
  std::vector<Real> log_q;       // ln(K P(word)) of each sample
  std::vector<Real> log_q_true;  // of each label [N]
};

// Log-uniform (Zipf) sampler over ids sorted by falling frequency: P(k) = ln((k + 2) / (k + 1)) / ln(V + 1).
Sampled sample_log_uniform(const Ids& labels, Index K, Index V, Random& random);

// x [N, H] against labels [N]; weight [V, H], bias [V] -> loss of each example [N]. Logits less ln Q, for the
// true word and the samples alike; a sample that is the row's own label is left out unless
// `keep_accidental_hits`. In training only: prediction takes the full softmax.
Tensor sampled_softmax(const Tensor& x, const Tensor& weight, const Tensor& bias, const Ids& labels,
                       const Sampled& sampled, bool keep_accidental_hits = false);

}  // namespace lookback::inline LOOKBACK_NS
