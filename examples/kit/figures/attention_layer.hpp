// The attention layer as Note II draws it, with numbers: one state asks, every source state is scored, a softmax
// shares out 1, and the context is what comes together.
#pragma once

#include "attention/draw/image.hpp"

namespace lookback {

struct AttentionLayer {                     // one head, one step, one sentence of a batch
  std::vector<std::string> words;           // S source tokens, 1 to 14; past `length` they are PAD
  std::size_t length = 0;                   // 1 to S
  std::vector<std::vector<float>> h, keys;  // states [S, H], W_2 h [S, A]
  std::vector<float> q;                     // W_1 s + b [A]
  std::vector<std::vector<float>> u;        // tanh(W_2 h + q) [S, A]
  std::vector<float> e, alpha, c;           // [S], [S], [H]
};

// Vectors are small bar charts, one scale a row. Throws std::invalid_argument when counts differ, a number is not
// finite or a weight is not in [0, 1].
Image draw_attention_layer(const AttentionLayer& layer);

}  // namespace lookback
