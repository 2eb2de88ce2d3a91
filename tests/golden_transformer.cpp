// Multi-head attention, Transformer layers, positions and BLEU under the names of the golden files.
#include "attention/transformer.hpp"
#include "examples/kit/text/bleu.hpp"
#include "golden_case.hpp"

namespace lookback::golden {
namespace {

void bind_all(Case& c, const Params& params) {
  for (const auto& [name, value] : params.all()) c.bind(name, value);
}

Mask mask_or_none(const Case& c, const char* name) { return c.has(name) ? c.mask(name) : Mask(); }

TransformerOptions options_of(const Case& c, const Tensor& x) {
  return {.width = x.cols(), .heads = c.integer("heads"), .feed_forward = c.tensor("linear1.bias").size()};
}

Outputs mha(Case& c) {
  const Tensor& query = c.tensor("query");
  const Params params(1);
  const MultiHead attend(params, query.cols(), c.integer("heads"));
  bind_all(c, params);
  const Tensor memory = c.has("memory") ? c.tensor("memory") : query;
  const MultiHeaded a = attend(query, attend.read(memory, mask_or_none(c, "mask")), c.flag("causal"));
  return {{"y", a.output}, {"weights_per_head", a.weights}, {"weights_avg", mean(a.weights, 1)}};
}

Outputs encoder_layer(Case& c) {
  const Params params(1);
  const EncoderLayer layer(params, options_of(c, c.tensor("x")));
  bind_all(c, params);
  return {{"y", layer(c.tensor("x"), mask_or_none(c, "mask"), c.flag("causal"))}};
}

Outputs decoder_layer(Case& c) {
  const Params params(1);
  const DecoderLayer layer(params, options_of(c, c.tensor("tgt")));
  bind_all(c, params);
  const Keys source = layer.read(c.tensor("memory"), mask_or_none(c, "memory_mask"));
  return {{"y", layer(c.tensor("tgt"), source, {}, mask_or_none(c, "tgt_mask")).x}};
}

Outputs sinusoidal(Case& c) {
  const Tensor &x = c.tensor("x"), pe = sinusoidal_positions(c.integer("length"), c.integer("dim"));
  return {{"pe", pe}, {"y", x + slice(pe, 0, 0, x.shape()[1])}};
}

Outputs bleu(Case& c) {
  const Bleu b = lookback::bleu(c.hypotheses, c.references);
  const auto scalar = [](double value) { return Tensor({}, static_cast<Real>(value)); };
  const auto four = [](const auto& values) {
    return Tensor({4}, std::vector<Real>(values.begin(), values.end()));
  };
  return {{"bleu", scalar(b.score)},
          {"brevity_penalty", scalar(b.brevity_penalty)},
          {"precisions", four(b.precisions)},
          {"matches", four(b.matches)},
          {"totals", four(b.totals)},
          {"hyp_len", scalar(static_cast<double>(b.length))},
          {"ref_len", scalar(static_cast<double>(b.reference_length))}};
}

}  // namespace

Table transformer_runs() {
  return {
      {"mha", mha},
      {"encoder_layer", encoder_layer},
      {"decoder_layer", decoder_layer},
      {"sinusoidal", sinusoidal},
      {"bleu", bleu},
  };
}

}  // namespace lookback::golden
