// Attention: score, softmax, context.                            Note I, "The mechanism", steps 1 to 3
//
//   e_{t,i} = score(s_t, h_i)      alpha_t = softmax(e_t)      c_t = sum_i alpha_{t,i} h_i
#pragma once

#include <memory>
#include <string>

#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Keys {        // one sentence batch, read once
  Tensor h;          // [B, S, key]
  Tensor projected;  // score.keys(h)
  Mask mask;         // [B, 1, S], or empty: every position is kept
};

struct Attended {
  Tensor scores;   // e      [B, T, S], before the mask
  Tensor weights;  // alpha  [B, T, S], rows sum to 1; 0 where masked
  Tensor context;  // c      [B, T, key]
};                 // for one step, s [B, query]: [B, S], [B, S], [B, key]

// Copies share the score and its parameters.
class Attention {
 public:
  // Throws std::invalid_argument for an unknown score or sizes that it cannot take.
  Attention(Params params, const std::string& score, Sizes sizes)
      : name_(params.name()), score_name_(score), score_(make_score(score, params, sizes)), sizes_(sizes) {}

  // h [B, S, key], mask [B, S] with true = keep. Throws naming both shapes when they do not fit.
  Keys read(const Tensor& h, const Mask& mask = {}) const;
  // s [B, T, query] or one step [B, query].
  Attended operator()(const Tensor& s, const Keys& keys) const;

 private:
  std::string name_, score_name_;
  std::shared_ptr<const Score> score_;
  Sizes sizes_;
};

}  // namespace lookback::inline LOOKBACK_NS
