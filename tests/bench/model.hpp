// The models of the workloads, built from the library's modules.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "attention/transformer.hpp"
#include "nn/adam.hpp"
#include "tests/bench/workload.hpp"

namespace lookback::inline LOOKBACK_NS {

// Where PAD stands the peers compute what nobody reads: the encoder's steps past a sentence's end, and logits
// without a target. `skip`: neither is asked for; the loss and the gradients are the same.
enum class Pad { compute, skip };

class Model {
 public:
  virtual ~Model() = default;
  virtual Tensor loss(const Batch& batch, Pad pad) const = 0;  // mean over targets that are not PAD

  Params params{0};
};

// Encoder and decoder with attention, both GRU.
class GruModel : public Model {
 public:
  explicit GruModel(const Workload& w);
  Tensor loss(const Batch& batch, Pad pad) const override;
  Ids greedy(const Batch& batch, Index steps) const;  // [steps, B], no stop at EOS

 private:
  Memory read(const Batch& batch, Pad pad) const;

  Embedding embedding_;
  GRU encoder_;
  AttentionDecoder decoder_;
};

// One encoder layer and one decoder layer.
class TransformerModel : public Model {
 public:
  explicit TransformerModel(const Workload& w);
  Tensor loss(const Batch& batch, Pad pad) const override;

 private:
  Tensor embedded(const Embedding& embedding, const Ids& ids) const;

  TransformerOptions options_;
  Embedding source_, target_;
  EncoderLayer encoder_;
  DecoderLayer decoder_;
  Linear vocab_;
  Tensor positions_;  // S = T
};

std::unique_ptr<Model> make_model(const Workload& w);

// One step of training: loss, gradients, norm clipped to 1, Adam with its defaults.
class Training {
 public:
  Training(const Workload& w, Pad pad);
  Real step(int i);  // on batch i of 0, 1, 2, 3, 0 ..; the loss before it

  const Model& model() const { return *model_; }
  double tokens() const;  // that count, a step

  struct Moments {  // when each part of the last step ended, in milliseconds
    double start, forward, backward, clip, adam;
  };
  Moments moments{};

 private:
  std::unique_ptr<Model> model_;
  std::vector<Batch> batches_;
  Pad pad_;
  Adam adam_;
};

}  // namespace lookback::inline LOOKBACK_NS
