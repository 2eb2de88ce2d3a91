// A sentence is translated the same, and learned from the same, whoever shares its batch: every decoder, score
// and option, step by step and all at once, beside longer mates and behind extra PAD columns. Compiled in
// float and in double.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "attention/greedy.hpp"
#include "attention/transformer.hpp"
#include "core/gradcheck.hpp"
#include "tests/attention/decoder_cases.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Lengths = std::vector<Index>;

constexpr double near = sizeof(Real) == 4 ? 1e-5 : 1e-9;
constexpr Index V = 9, words = 12, H = 6;  // target and source words; the width of everything

struct Model {  // any encoder and decoder
  std::string name;
  Index heads;
  Params params;
  std::shared_ptr<const Decoder> decoder;
  std::function<Encoded(const Ids&, const Lengths&)> encode;
  MemoryLimit limit = MemoryLimit::all;

  Memory read(const Ids& source, const Lengths& lengths) const {
    return decoder->read(limit_memory(encode(source, lengths), limit));
  }
};

Model recurrent(const DecoderCase& which) {
  const Params params(3);
  const Embedding embed(params["encoder.embedding"], words, 5);
  const Recurrent rnn = make_encoder(which.options.cell, params["encoder"], 5, H);
  return {which.name, which.options.score == "none" ? 0 : which.options.heads, params,
          std::make_shared<AttentionDecoder>(params["decoder"], DecoderSizes{V, 5, H, H, 4}, which.options),
          [=](const Ids& source, const Lengths& lengths) {
            return encoded(rnn(embed(source), lengths), lengths);
          }};
}

Model transformer(Norm norm, Index layers, bool tied) {
  const Params params(3);
  const TransformerOptions n{.width = H, .heads = 2, .feed_forward = 5, .layers = layers, .norm = norm};
  const TransformerEncoder encode(params["encoder"], words, n);
  return {std::string("Transformer") + (norm == Norm::pre ? ", pre-norm" : "") +
              (layers > 1 ? ", 2 layers" : "") + (tied ? ", tied" : ""),
          2, params, std::make_shared<TransformerDecoder>(params["decoder"], V, n, tied), encode};
}

// [models]
std::vector<Model> models() {
  std::vector<Model> all;
  for (const DecoderCase& c : decoder_options()) all.push_back(recurrent(c));
  for (const DecoderCase& c : decoder_scores(score_names())) {
    all.push_back(recurrent(c));
    DecoderCase attended = c;
    attended.name += ", first context attended";
    attended.options.first_context = FirstContext::attended;
    all.push_back(recurrent(attended));
  }
  for (const Norm norm : {Norm::post, Norm::pre})
    for (const Index layers : {1, 2}) all.push_back(transformer(norm, layers, layers == 2));
  for (const Model& whole : {recurrent({"default", {}}), transformer(Norm::post, 1, false)})
    for (const MemoryLimit limit : {MemoryLimit::first, MemoryLimit::last}) {
      all.push_back(whole);
      all.back().limit = limit;
      all.back().name += limit == MemoryLimit::first ? ", first state only" : ", last state only";
    }
  for (const Model& model : all)
    for (const Param& p : model.params.all())  // far from linear, and as sure of its words as a trained one
      for (Real* v = p.value.write(); v != p.value.data() + p.value.size(); ++v) *v *= Real(1.5);
  return all;
}
// [/models]

struct Case {
  Ids source, inputs;
  Lengths lengths;

  Index B() const { return source.shape[0]; }
  Case alone(Index b) const {
    const Index n = lengths[static_cast<std::size_t>(b)];
    return {rows(source, b, n), rows(inputs, b, inputs.shape[1]), {n}};
  }
  Case widened(Index S) const {  // extra PAD columns
    Ids wide({B(), S}, PAD);
    for (Index b = 0; b < B(); ++b)
      std::copy_n(source.values.begin() + b * source.shape[1], source.shape[1], wide.values.begin() + b * S);
    return {wide, inputs, lengths};
  }

 private:
  static Ids rows(const Ids& ids, Index b, Index n) {
    const auto first = ids.values.begin() + b * ids.shape[1];
    return Ids({1, n}, {first, first + n});
  }
};

const Case batch = {Ids({3, 5}, {4, 5, PAD, PAD, PAD, 6, 7, 8, 9, 10, 11, 4, 6, PAD, PAD}),
                    Ids({3, 4}, {GO, 4, 5, 6, GO, 7, PAD, PAD, GO, 8, EOS, 3}),
                    {2, 5, 3}};

Forced teach(const Model& model, const Case& x) {
  return model.decoder->teach(model.read(x.source, x.lengths), x.inputs);
}

// Weights [1, heads, T, S] over the first n of S places, the rest of which must weigh exactly 0.
Tensor within(const Tensor& weights, Index n) {
  CHECK(all_zero(slice(weights, -1, n, weights.cols())));
  return slice(weights, -1, 0, n);
}

// The gradients of sum_{t,v} w[t, v] logits[b, t, v]: what sentence b alone would teach the model.
std::vector<Tensor> share(const Model& model, const Case& x, Index b) {
  const Tensor w = random_leaf({x.inputs.shape[1], V}, 7).detach();
  return gradients(tensors_of(model.params), [&] { return sum(w * select(teach(model, x).logits, 0, b)); });
}

}  // namespace

TEST_CASE("every decoder: teacher-forced logits and weights equal those step by step") {
  for (const Model& model : models()) {
    INFO(model.name);
    const Memory memory = model.read(batch.source, batch.lengths);
    const Forced forced = model.decoder->teach(memory, batch.inputs);
    CHECK(forced.logits.shape() == Shape({3, 4, V}));
    CHECK(forced.weights.shape() == Shape({3, model.heads, 4, memory.encoded.h.shape()[1]}));
    if (model.heads) CHECK(distance(sum(forced.weights, -1), Tensor({3, model.heads, 4}, 1)) <= near);
    State state = model.decoder->start(memory);
    for (Index t = 0; t < 4; ++t) {
      const Step step = model.decoder->step(memory, batch.inputs.column(t), state);
      CHECK(distance(step.logits, select(forced.logits, 1, t)) <= near);
      CHECK(distance(step.weights, select(forced.weights, 2, t)) <= near);
    }
  }
}

TEST_CASE("every decoder: a sentence alone, beside longer mates and behind extra PAD columns") {
  REQUIRE(score_names().size() >= 6);
  for (const Model& model : models()) {
    INFO(model.name);
    const Forced together = teach(model, batch), wide = teach(model, batch.widened(105));
    const Greedy said = greedy_decode(*model.decoder, model.read(batch.source, batch.lengths), 8);
    CHECK(distance(wide.logits, together.logits) <= near);
    CHECK(distance(within(wide.weights, together.weights.cols()), together.weights) <= near);
    for (Index b = 0; b < batch.B(); ++b) {
      const Case one = batch.alone(b);
      const Forced alone = teach(model, one);
      CHECK(distance(slice(together.logits, 0, b, b + 1), alone.logits) <= near);
      CHECK(distance(within(slice(together.weights, 0, b, b + 1), alone.weights.cols()), alone.weights) <=
            near);
      const auto written = [&](const Case& x, Index row) {
        return greedy_decode(*model.decoder, model.read(x.source, x.lengths), 8)
            .sentences[static_cast<std::size_t>(row)];
      };
      const Written by_itself = written(one, 0), beside = said.sentences[static_cast<std::size_t>(b)];
      CHECK(beside.ids == by_itself.ids);
      CHECK(beside.ended == by_itself.ended);
      CHECK(written(batch.widened(20), b).ids == by_itself.ids);
    }
  }
}

TEST_CASE("every decoder: what a sentence teaches does not depend on its mates") {
  for (const Model& model : models()) {
    INFO(model.name);
    for (Index b = 0; b < batch.B(); ++b) {
      const std::vector<Tensor> alone = share(model, batch.alone(b), 0);
      CHECK(std::count_if(alone.begin(), alone.end(), all_zero) * 2 < std::ssize(alone));
      CHECK(distance(share(model, batch, b), alone) <= 10 * near);  // sums over more places round more
      CHECK(distance(share(model, batch.widened(9), b), alone) <= 10 * near);
    }
  }
}
