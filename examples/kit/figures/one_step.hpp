// One step of attention on 2-dimensional vectors, drawn four times: score, softmax, context, predict (Note
// I).
#pragma once

#include <array>

#include "attention/draw/image.hpp"

namespace lookback {

struct OneStep {
  std::vector<std::array<float, 2>> h;  // 1 to 6 encoder states
  std::array<float, 2> s;               // the decoder state that asks
  std::vector<float> e, alpha;          // a score and a weight for every state
  std::array<float, 2> c;               // sum_i alpha_i h_i
  std::vector<float> p;                 // softmax(W_o [s; c])
  std::vector<std::string> words;       // that p is over; past 6 the first 5 are shown
  std::string score;                    // name of the score function: "dot"
};

enum class Stage { score, softmax, context, predict };

// At the left the plane of h, s and c; at the right the numbers. Each stage keeps what the one before it
// showed, at the same place, so the four pictures can be leafed through. Throws std::invalid_argument when
// counts differ or a vector is not finite.
Image draw_one_step(const OneStep& step, Stage stage);

}  // namespace lookback
