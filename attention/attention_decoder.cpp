#include "attention/attention_decoder.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "core/op.hpp"
#include "nn/dropout.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

AttentionDecoderOptions checked(AttentionDecoderOptions options, const DecoderSizes& sizes) {
  if (options.layers < 1 || options.heads < 1)
    throw std::invalid_argument(
        fmt::format("AttentionDecoder: {} layers and {} heads; at least one of each is needed",
                    options.layers, options.heads));
  if (options.bridge == Bridge::copy && sizes.key != sizes.hidden)
    throw std::invalid_argument(
        fmt::format("AttentionDecoder: h_S of size {} cannot be copied into s_0 of size {}; "
                    "use bridge = linear_tanh",
                    sizes.key, sizes.hidden));
  return options;
}

constexpr const char* decoder_name = "AttentionDecoder";

Index heads_of(const AttentionDecoderOptions& options) { return options.score == "none" ? 0 : options.heads; }

Index joined(const DecoderSizes& sizes, const AttentionDecoderOptions& options) {  // features of [s; c]
  return sizes.hidden + heads_of(options) * sizes.key;
}

Index output_size(const DecoderSizes& sizes, const AttentionDecoderOptions& options) {
  if (options.readout == Readout::direct) return joined(sizes, options);
  if (sizes.output) return sizes.output;
  return options.tied ? sizes.embedding : sizes.hidden;
}

std::shared_ptr<const RecurrentCell> make_cell(Cell cell, const Params& p, Index in, Index hidden) {
  if (cell == Cell::lstm) return std::make_shared<LSTMCell>(p, in, hidden);
  return std::make_shared<GRUCell>(p, in, hidden);
}

Tensor join(const Tensor& a, const Tensor& b) {
  const Tensor parts[] = {a, b};
  return concat(parts, -1);
}

}  // namespace

AttentionDecoder::AttentionDecoder(Params params, DecoderSizes sizes, AttentionDecoderOptions options)
    : sizes_(sizes),
      options_(checked(std::move(options), sizes)),
      embedding_(params["embedding"], sizes.vocabulary, sizes.embedding),
      vocab_(make_readout(params["vocab"], output_size(sizes, options_), embedding_, options_.tied)) {
  const bool lstm = options_.cell == Cell::lstm;
  const Index fed = sizes.embedding + heads_of(options_) * sizes.key;  // features of [y; c]
  if (options_.bridge == Bridge::linear_tanh) {
    bridge_.emplace(params["bridge"], sizes.key, sizes.hidden);
    if (lstm) bridge_c_.emplace(params["bridge_c"], sizes.key, sizes.hidden);
  }
  for (Index k = 0; k < heads_of(options_); ++k)
    heads_.emplace_back(params[fmt::format("attn{}", k)], options_.score,
                        Sizes{sizes.hidden, sizes.key, sizes.alignment, options_.score_bias});
  if (attends() && options_.input == Input::projected) in_.emplace(params["in"], fed, sizes.embedding);
  for (Index l = 0; l < options_.layers; ++l)
    cells_.push_back(make_cell(options_.cell, params[l ? fmt::format("cell{}", l) : "cell"],
                               l ? sizes.hidden : (in_ ? sizes.embedding : fed), sizes.hidden));
  if (options_.readout == Readout::projected)
    out_.emplace(params["out"], joined(sizes, options_), output_size(sizes, options_));
}

Memory AttentionDecoder::read(const Encoded& encoded) const {
  Memory memory{encoded, {}};
  for (const Attention& head : heads_) memory.keys.push_back(head.read(encoded.h, encoded.mask));
  return memory;
}

AttentionDecoder::Looked AttentionDecoder::look(const Tensor& s, const Memory& memory) const {
  require_keys(decoder_name, memory, heads_.size());
  if (heads_.size() == 1) {
    const Attended a = heads_[0](s, memory.keys[0]);
    return {a.context, a.weights.reshape(a.weights.shape().inserted(1, 1))};
  }
  std::vector<Tensor> contexts, weights;
  for (std::size_t k = 0; k < heads_.size(); ++k) {
    const Attended a = heads_[k](s, memory.keys[k]);
    contexts.push_back(a.context);
    weights.push_back(a.weights);
  }
  return {concat(contexts, -1), stack(weights, 1)};
}

// state.parts: s of each layer, bottom first, then an LSTM's c of each, then the context
State AttentionDecoder::start(const Memory& memory) const {
  const Index B = memory.encoded.h.shape()[0];
  State state;
  const auto begin = [&](const char* name, const Tensor& last, const std::optional<Linear>& bridge) {
    Op(name, last)
        .require(last.shape() == Shape({B, sizes_.key}), "the last states need the shape [{}, {}]", B,
                 sizes_.key);
    state.parts.resize(state.parts.size() + cells_.size(), bridge ? tanh((*bridge)(last)) : last);
  };
  begin("AttentionDecoder.start", memory.encoded.last, bridge_);
  const Tensor s0 = state.parts.back();
  if (options_.cell == Cell::lstm) begin("AttentionDecoder.start, last_c", memory.encoded.last_c, bridge_c_);
  if (!attends()) return state;
  state.parts.push_back(options_.first_context == FirstContext::attended
                            ? look(s0, memory).context
                            : Tensor({B, options_.heads * sizes_.key}));
  return state;
}

Tensor AttentionDecoder::move_on(std::size_t layer, const Tensor& x, State& state) const {
  const RecurrentCell& cell = *cells_[layer];
  const bool lstm = options_.cell == Cell::lstm;
  Tensor none, &s = state.parts[layer], &c = lstm ? state.parts[cells_.size() + layer] : none;
  const CellState next = cell.next(cell.input(x), {s, c});
  c = next.c;
  return s = next.h;
}

// [cell]
AttentionDecoder::CellOutput AttentionDecoder::ask(const Tensor& embedded, const Memory& memory,
                                                   State& state) const {
  require_parts(decoder_name, state, cell_parts() + (attends() ? 1 : 0));
  std::vector<Tensor>& parts = state.parts;
  const std::size_t top = cells_.size() - 1;
  Looked looked;
  if (attends() && options_.query == Query::previous_state) {  // s_{t-1} asks, for this very input
    looked = look(parts[top], memory);
    parts.back() = looked.context;
  }
  Tensor x = attends() ? join(embedded, parts.back()) : embedded;  // [y; c]
  if (in_) x = (*in_)(x);                                          // [B, E]
  for (std::size_t l = 0; l < cells_.size(); ++l) x = move_on(l, x, state);
  const Tensor& s = parts[top];  // [B, H]
  if (!attends()) return {s, Tensor({s.shape()[0], 0, memory.encoded.h.shape()[1]}), {}};
  if (options_.query == Query::new_state) {  // s_t asks: for this output, the next input
    looked = look(s, memory);
    parts.back() = looked.context;
  }
  return {join(s, looked.context), looked.weights, looked.context};  // [s_t; c_t]
}

AttentionDecoder::CellOutput AttentionDecoder::cell(const Tensor& embedded, const Memory& memory,
                                                    State& state) const {
  CellOutput out = ask(embedded, memory, state);
  out.output = projected(out.output);
  return out;
}
// [/cell]

Step AttentionDecoder::step(const Memory& memory, const Ids& previous, State& state) const {
  require_previous(decoder_name, memory, previous);
  Tensor embedded = embedding_(previous);  // [B, E]
  if (!options_.update_embedding_for_previous) {
    Mask go({previous.size(), 1}, std::vector<std::uint8_t>(previous.values.size()));
    for (std::size_t b = 0; b < go.values.size(); ++b) go.values[b] = previous.values[b] == GO;
    embedded = where(go, embedded, embedded.detach());
  }
  const CellOutput out = cell(embedded, memory, state);
  return {vocab_(out.output), out.weights};
}

// [teach]
Forced AttentionDecoder::teach(const Memory& memory, const Ids& inputs, Random* dropout) const {
  require_inputs(decoder_name, memory, inputs);
  const Tensor words = lookback::dropout(embedding_(inputs), options_.dropout, dropout);
  const Tensor embedded = permute(words, {1, 0, 2});  // [T, B, E]: a step is a view
  State state = start(memory);
  std::vector<Tensor> outputs, weights;
  for (Index t = 0; t < inputs.shape[1]; ++t) {
    const CellOutput out = ask(embedded.select(t), memory, state);
    outputs.push_back(out.output);
    weights.push_back(out.weights);
  }
  const Tensor output = lookback::dropout(projected(stack(outputs, 1)), options_.dropout, dropout);
  return {vocab_(output), stack(weights, 2)};  // one readout of all steps
}
// [/teach]

}  // namespace lookback::inline LOOKBACK_NS
