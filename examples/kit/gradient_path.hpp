// How the loss of one decoder step reaches the encoder's states: how strongly, and over how many recurrent steps.
#pragma once

#include "core/tape.hpp"
#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// L_t is the loss of step t alone. Each norm is divided by |dL_t/dlogits_t|, with which the way back begins, because a
// model that is sure and right has small gradients everywhere; then the mean over the sentences is taken.
struct GradientPaths {
  Tensor total;     // |dL_t/dh_i|  [T, S]: all that depends on h_i moves along, later states too
  Tensor attended;  // its part through c_1 .. c_t, which read h_i itself; 0 without attention
  Real gate;        // mean of the encoder's update gate z, the part of a state that a recurrent step keeps
  std::vector<std::vector<int>> steps;  // T of S: the fewest recurrent steps on any way from h_i to L_t
};
// Of steps 1 .. T of a batch of sentences of one length. The parameters' gradients are dropped.
GradientPaths gradient_paths(const Translator& model, const Batch& batch, Index T);

}  // namespace lookback::inline LOOKBACK_NS
