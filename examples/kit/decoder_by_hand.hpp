// Note II's attention_decoder line by line, from primitives: what AttentionDecoder does with fewer and fused
// operations. Every shape is stated, checked and, unless `see` is quiet, printed.
#pragma once

#include <string>
#include <vector>

#include "examples/kit/claims.hpp"
#include "examples/kit/figures/attention_layer.hpp"
#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// The literal 1x1 convolution of stride 1: image [N, height, width, D] in a ring of P zeros, filters [1, 1, D, C]
// -> [N, height + 2P, width + 2P, C].
Tensor convolution(const Tensor& image, const Tensor& filters, Index P);

struct Look {          // of one head: what becomes of the state that asks
  Tensor q;            // W_1 s + b  [B, 1, 1, A]
  Tensor u;            // tanh(W_2 h + q)  [B, S, 1, A]
  Tensor e, alpha, c;  // [B, S], [B, S], [B, H]
};

// `see` knows B, S, T, E, H, A, V and the number of heads K.
class DecoderByHand {
 public:
  // The decoder of `model` on a batch. Its score is additive with a bias, the new state asks, c_0 is zero.
  DecoderByHand(const Translator& model, const Batch& batch, const Shapes& see);

  State start(const Shapes& see) const;  // s_0 of each layer, and c_0
  // One turn of the loop over decoder_inputs: reads words [B], moves `state` on, returns the output [B, H].
  // `looks` becomes what each head did.
  Tensor step(const Ids& words, State& state, std::vector<Look>& looks, const Shapes& see) const;
  Look attention(Index head, const Tensor& query, const Shapes& see) const;
  Tensor loss(std::span<const Tensor> outputs, const Shapes& see) const;  // of all T steps

  // Sentence b of the batch as a figure.
  AttentionLayer draw(Index head, const Look& look, Index b) const;

 private:
  Tensor weight(const std::string& name) const { return model_.params().find("decoder." + name); }
  Tensor weight(Index head, const std::string& name) const;
  Tensor map(const std::string& name, const Tensor& x) const;

  Translator model_;
  Batch batch_;
  Encoded source_;
  Tensor hidden_;                        // h as pictures [B, S, 1, H]
  std::vector<Tensor> hidden_features_;  // of each head: W_2 h [B, S, 1, A]
};

}  // namespace lookback::inline LOOKBACK_NS
