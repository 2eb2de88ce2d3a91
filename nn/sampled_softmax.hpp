// Sampled softmax: a loss over a few words instead of the whole vocabulary.   Jean et al. 2015
//
// As TensorFlow's sampled_softmax_loss computes it: distinct words from a log-uniform sampler, the logs of their
// expected counts taken off the logits, accidental hits left out.
#pragma once

#include <vector>

#include "core/ops.hpp"
#include "core/random.hpp"

namespace lookback::inline LOOKBACK_NS {

// Words drawn to stand for all the wrong ones, with the logs of how often each is expected among them.
struct Sampled {
  Ids words;                     // [K]
  std::vector<Real> log_q;       // ln Q of each sample [K]
  std::vector<Real> log_q_true;  // of each label [N]
  Index draws = 0;               // n: how many it took until K words differed
};

// Log-uniform (Zipf) sampler over ids sorted by falling frequency: P(k) = ln((k + 2) / (k + 1)) / ln(V + 1).
// Draws until K words differ, which took n draws; Q(k) = 1 - (1 - P(k))^n is the expected count of k among them.
// Throws std::invalid_argument unless 0 < K <= V, std::out_of_range for a label outside 0 .. V-1.
Sampled sample_log_uniform(const Ids& labels, Index K, Index V, Random& random);

// x [N, H] against labels [N]; weight [V, H], bias [V] -> loss of each example [N]. Logits less ln Q, for the
// true word and the samples alike; a sample that is the row's own label is left out unless
// `keep_accidental_hits`. In training only: prediction takes the full softmax. Throws std::invalid_argument
// when a shape does not fit the others.
Tensor sampled_softmax(const Tensor& x, const Tensor& weight, const Tensor& bias, const Ids& labels,
                       const Sampled& sampled, bool keep_accidental_hits = false);

}  // namespace lookback::inline LOOKBACK_NS
