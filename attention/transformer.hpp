// Transformer layers.                                          Vaswani et al. 2017, section 3; PyTorch's names
#pragma once

#include <vector>

#include "attention/decoder.hpp"
#include "attention/multi_head.hpp"
#include "nn/embedding.hpp"
#include "nn/layer_norm.hpp"

namespace lookback::inline LOOKBACK_NS {

// post: x = norm(x + f(x)), as in the paper; pre: x = x + f(norm(x)), Xiong et al. 2020
enum class Norm { post, pre };

struct TransformerOptions {
  Index width = 128, heads = 8, feed_forward = 512, layers = 1;
  Norm norm = Norm::post;
  Real dropout = 0;  // of embeddings, weights, hidden units and sublayers, where a random stream is passed
};

// PE[p, 2i] = sin(p / 10000^(2i / E)), PE[p, 2i + 1] = cos of the same
// for positions p from `first` on: [length, E]
Tensor sinusoidal_positions(Index length, Index E, Index first = 0);

// Layers throw std::invalid_argument for heads that do not divide the width, and for shapes that do not fit.
struct EncoderLayer {
  MultiHead self_attn;
  Linear linear1, linear2;
  LayerNorm norm1, norm2;
  TransformerOptions options;

  EncoderLayer(const Params& p, const TransformerOptions& n);
  // x [B, S, E], mask [B, S] -> [B, S, E]. Padded positions are computed like any other.
  Tensor operator()(const Tensor& x, const Mask& mask, bool causal = false, Random* dropout = nullptr) const;
};

struct DecoderLayer {
  MultiHead self_attn, multihead_attn;  // the second is cross-attention
  Linear linear1, linear2;
  LayerNorm norm1, norm2, norm3;
  TransformerOptions options;

  struct Output {
    Tensor x;        // [B, T, E]
    Tensor weights;  // of the cross-attention [B, heads, T, S]
    Keys seen;       // what self-attention looked at: the cache with this x added
  };
  DecoderLayer(const Params& p, const TransformerOptions& n);
  Keys read(const Tensor& memory, const Mask& mask) const { return multihead_attn.read(memory, mask); }
  // x [B, T, E] against a source read before. Self-attention is causal over `cache`, the earlier positions,
  // and x; x_mask [B, T], true = keep, is for padded targets (not with a cache).
  Output operator()(const Tensor& x, const Keys& source, const Keys& cache = {}, const Mask& x_mask = {},
                    Random* dropout = nullptr) const;
};

// x = sqrt(E) embedding + PE, then the layers; with pre-norm a last norm. An embedding begins as N(0, 1 / E).
class TransformerEncoder {
 public:
  // Throws std::invalid_argument unless all sizes are 1 or more and the heads divide the width.
  TransformerEncoder(const Params& p, Index vocabulary, const TransformerOptions& n);
  // ids [B, S] of true lengths -> h [B, S, E], the state at each sentence's last token, the mask. Throws
  // std::invalid_argument for lengths that do not fit, std::out_of_range for an id that is not in 0 .. V-1.
  Encoded operator()(const Ids& ids, std::span<const Index> lengths, Random* dropout = nullptr) const;

  const Embedding& embedding() const { return embedding_; }

 private:
  TransformerOptions options_;
  Embedding embedding_;
  std::vector<EncoderLayer> layers_;
  std::vector<LayerNorm> final_norm_;  // one with pre-norm, else none
};

// A decoder over any encoder's states of the same width. One word at a time it keeps keys and values of what
// it wrote. read, step and teach throw std::invalid_argument for shapes that do not fit, and for a memory or
// state of another decoder; std::out_of_range for a word that is not in 0 .. V-1.
class TransformerDecoder : public Decoder {
 public:
  // Throws like TransformerEncoder.
  TransformerDecoder(const Params& p, Index vocabulary, const TransformerOptions& n, bool tied = false);
  // Over an encoder's embedding: one matrix, for sources and targets of one vocabulary.
  TransformerDecoder(const Params& p, Embedding embedding, const TransformerOptions& n, bool tied = false);

  Memory read(const Encoded& encoded) const override;
  State start(const Memory& memory) const override;
  Step step(const Memory& memory, const Ids& previous, State& state) const override;
  Forced teach(const Memory& memory, const Ids& inputs, Random* dropout = nullptr) const override;

 private:
  Tensor logits(const Tensor& x) const;

  TransformerOptions options_;
  Embedding embedding_;
  std::vector<DecoderLayer> layers_;
  std::vector<LayerNorm> final_norm_;
  Linear vocab_;
};

}  // namespace lookback::inline LOOKBACK_NS
