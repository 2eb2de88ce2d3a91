#include "attention/transformer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/op.hpp"
#include "nn/dropout.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

TransformerOptions checked(const char* who, const TransformerOptions& n) {
  if (n.layers < 1 || n.heads < 1 || n.width < 1 || n.width % n.heads || n.feed_forward < 1)
    throw std::invalid_argument(
        fmt::format("{}: {} layers, {} heads, width {}, feed_forward {}; all are 1 or more, and the heads "
                    "divide the width",
                    who, n.layers, n.heads, n.width, n.feed_forward));
  return n;
}

Embedding make_embedding(const Params& p, Index vocabulary, const TransformerOptions& n) {
  return {p, vocabulary, n.width, 1 / std::sqrt(static_cast<Real>(n.width))};
}

constexpr const char* decoder_name = "TransformerDecoder";

// One sublayer f with its residual and norm, in the order the options say.
template <class F>
Tensor sublayer(const Tensor& x, const LayerNorm& norm, const TransformerOptions& options, Random* random,
                F f) {
  if (options.norm == Norm::pre) return x + dropout(f(norm(x)), options.dropout, random);
  return norm(x + dropout(f(x), options.dropout, random));
}

template <class Layer>
Tensor feed_forward(const Layer& layer, const Tensor& x, Random* random) {
  return layer.linear2(dropout(relu(layer.linear1(x)), layer.options.dropout, random));
}

Tensor embedded(const Embedding& embedding, const Ids& ids, Index first) {  // rows sqrt(E) + positions
  const Index E = embedding.weight.cols();
  return std::sqrt(static_cast<Real>(E)) * embedding(ids) + sinusoidal_positions(ids.shape[-1], E, first);
}

// Keys of earlier positions with those of new ones behind them.
Keys appended(const Keys& cache, const Keys& more) {
  if (!cache.h.defined()) return more;
  const Tensor h[] = {cache.h, more.h}, projected[] = {cache.projected, more.projected};
  return {concat(h, 1), concat(projected, 1), {}};
}

}  // namespace

Tensor sinusoidal_positions(Index length, Index E, Index first) {
  Tensor positions({length, E});
  Real* to = positions.write();
  for (Index p = first; p < first + length; ++p)
    for (Index j = 0; j < E; ++j) {
      const Index even = j - j % 2;
      const double angle =
          static_cast<double>(p) / std::pow(10000.0, static_cast<double>(even) / static_cast<double>(E));
      *to++ = static_cast<Real>(j % 2 ? std::cos(angle) : std::sin(angle));
    }
  return positions;
}

EncoderLayer::EncoderLayer(const Params& p, const TransformerOptions& n)
    : self_attn(p["self_attn"], n.width, n.heads),
      linear1(p["linear1"], n.width, n.feed_forward),
      linear2(p["linear2"], n.feed_forward, n.width),
      norm1(p["norm1"], n.width),
      norm2(p["norm2"], n.width),
      options(n) {}

Tensor EncoderLayer::operator()(const Tensor& x, const Mask& mask, bool causal, Random* dropout) const {
  const Tensor y = sublayer(x, norm1, options, dropout, [&](const Tensor& z) {
    return self_attn.self(z, mask, causal, options.dropout, dropout).output;
  });
  return sublayer(y, norm2, options, dropout,
                  [&](const Tensor& z) { return feed_forward(*this, z, dropout); });
}

DecoderLayer::DecoderLayer(const Params& p, const TransformerOptions& n)
    : self_attn(p["self_attn"], n.width, n.heads),
      multihead_attn(p["multihead_attn"], n.width, n.heads),
      linear1(p["linear1"], n.width, n.feed_forward),
      linear2(p["linear2"], n.feed_forward, n.width),
      norm1(p["norm1"], n.width),
      norm2(p["norm2"], n.width),
      norm3(p["norm3"], n.width),
      options(n) {}

DecoderLayer::Output DecoderLayer::operator()(const Tensor& x, const Keys& source, const Keys& cache,
                                              const Mask& x_mask, Random* dropout) const {
  Output out;
  Tensor y = sublayer(x, norm1, options, dropout, [&](const Tensor& z) {
    out.seen = appended(cache, self_attn.read(z, x_mask));
    return self_attn(z, out.seen, true, options.dropout, dropout).output;
  });
  y = sublayer(y, norm2, options, dropout, [&](const Tensor& z) {
    const MultiHeaded looked = multihead_attn(z, source, false, options.dropout, dropout);
    out.weights = looked.weights;
    return looked.output;
  });
  out.x =
      sublayer(y, norm3, options, dropout, [&](const Tensor& z) { return feed_forward(*this, z, dropout); });
  return out;
}

TransformerEncoder::TransformerEncoder(const Params& p, Index vocabulary, const TransformerOptions& n)
    : options_(checked("TransformerEncoder", n)), embedding_(make_embedding(p["embedding"], vocabulary, n)) {
  for (Index l = 0; l < n.layers; ++l) layers_.emplace_back(p[fmt::format("layers.{}", l)], n);
  if (n.norm == Norm::pre) final_norm_.emplace_back(p["norm"], n.width);
}

Encoded TransformerEncoder::operator()(const Ids& ids, std::span<const Index> lengths,
                                       Random* dropout) const {
  const Mask mask = Mask::lengths(lengths, ids.shape[1]);
  Tensor x = lookback::dropout(embedded(embedding_, ids, 0), options_.dropout, dropout);
  for (const EncoderLayer& layer : layers_) x = layer(x, mask, false, dropout);
  for (const LayerNorm& norm : final_norm_) x = norm(x);
  return {x, last_states(x, mask), mask};
}

TransformerDecoder::TransformerDecoder(const Params& p, Index vocabulary, const TransformerOptions& n,
                                       bool tied)
    : TransformerDecoder(p, make_embedding(p["embedding"], vocabulary, checked(decoder_name, n)), n, tied) {}

TransformerDecoder::TransformerDecoder(const Params& p, Embedding embedding, const TransformerOptions& n,
                                       bool tied)
    : options_(checked(decoder_name, n)),
      embedding_(std::move(embedding)),
      vocab_(make_readout(p["vocab"], n.width, embedding_, tied)) {
  for (Index l = 0; l < n.layers; ++l) layers_.emplace_back(p[fmt::format("layers.{}", l)], n);
  if (n.norm == Norm::pre) final_norm_.emplace_back(p["norm"], n.width);
}

Tensor TransformerDecoder::logits(const Tensor& x) const {
  Tensor y = x;
  for (const LayerNorm& norm : final_norm_) y = norm(y);
  return vocab_(y);
}

Memory TransformerDecoder::read(const Encoded& encoded) const {
  Memory memory{encoded, {}};
  for (const DecoderLayer& layer : layers_) memory.keys.push_back(layer.read(encoded.h, encoded.mask));
  return memory;
}

// state.parts: values and keys of what was written, two a layer, [B, t, E]
State TransformerDecoder::start(const Memory& memory) const {
  const Index B = memory.encoded.h.shape()[0];
  return {std::vector<Tensor>(2 * layers_.size(), Tensor({B, 0, options_.width}))};
}

Step TransformerDecoder::step(const Memory& memory, const Ids& previous, State& state) const {
  require_previous(decoder_name, memory, previous);
  require_keys(decoder_name, memory, layers_.size());
  require_parts(decoder_name, state, 2 * layers_.size());
  const Index B = previous.size(), t = state.parts[0].shape()[1];
  Tensor x = embedded(embedding_, Ids({B, 1}, previous.values), t), weights;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const DecoderLayer::Output out =
        layers_[l](x, memory.keys[l], {state.parts[2 * l], state.parts[2 * l + 1], {}});
    state.parts[2 * l] = out.seen.h;
    state.parts[2 * l + 1] = out.seen.projected;
    x = out.x;
    weights = out.weights;
  }
  return {logits(x.reshape({B, options_.width})), select(weights, 2, 0)};
}

Forced TransformerDecoder::teach(const Memory& memory, const Ids& inputs, Random* dropout) const {
  require_inputs(decoder_name, memory, inputs);
  require_keys(decoder_name, memory, layers_.size());
  Tensor x = lookback::dropout(embedded(embedding_, inputs, 0), options_.dropout, dropout), weights;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const DecoderLayer::Output out = layers_[l](x, memory.keys[l], {}, {}, dropout);
    x = out.x;
    weights = out.weights;
  }
  return {logits(x), weights};
}

}  // namespace lookback::inline LOOKBACK_NS
