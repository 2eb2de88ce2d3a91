#include "examples/kit/decoder_by_hand.hpp"

#include <fmt/format.h>

#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

Tensor join(const Tensor& a, const Tensor& b) {
  const Tensor both[] = {a, b};
  return concat(both, -1);
}

std::vector<std::vector<float>> rows(const Tensor& x) {
  std::vector<std::vector<float>> all;
  for (Index i = 0; i < x.rows(); ++i) {
    const Real* row = x.data() + i * x.cols();
    all.emplace_back(row, row + x.cols());
  }
  return all;
}

}  // namespace

// [convolution]
Tensor convolution(const Tensor& image, const Tensor& filters, Index P) {
  const Shape n = image.shape();
  const Tensor y({n[0], (n[1] - 1 + 2 * P) / 1 + 1, (n[2] - 1 + 2 * P) / 1 + 1, filters.cols()});
  Real* out = y.write();
  for (Index b = 0; b < n[0]; ++b)
    for (Index i = -P; i < n[1] + P; ++i)
      for (Index j = -P; j < n[2] + P; ++j)
        for (Index f = 0; f < filters.cols(); ++f, ++out)
          if (0 <= i && i < n[1] && 0 <= j && j < n[2])  // else the ring
            for (Index d = 0; d < n[3]; ++d) *out += image.at({b, i, j, d}) * filters.at({0, 0, d, f});
  return y;
}
// [/convolution]

Tensor DecoderByHand::weight(Index head, const std::string& name) const {
  return weight(fmt::format("attn{}.{}", head, name));
}

Tensor DecoderByHand::map(const std::string& name, const Tensor& x) const {
  return linear(x, weight(name + ".weight"), weight(name + ".bias"));
}

DecoderByHand::DecoderByHand(const Translator& model, const Batch& batch, const Shapes& see)
    : model_(model), batch_(batch) {
  see("source, ids", "[B, S]", batch.source);
  see("source, embedded", "[B, S, E]", lookup(model.params().find("encoder.embedding.weight"), batch.source));
  source_ = model.encode(batch.source, batch.lengths);
  see("encoder states h", "[B, S, H]", source_.h);
  see("the last of each sentence, h_S", "[B, H]", source_.last);
  hidden_ = see("h as B pictures of S x 1", "[B, S, 1, H]", source_.h.reshape(see("[B, S, 1, H]")));
  for (Index head = 0; head < model.decoder().options().heads; ++head) {
    const Tensor W_2 = weight(head, "W2");
    const Tensor k = transpose(W_2).reshape(see("[1, 1, H, A]"));
    see("filters of a head: W_2^T", "[1, 1, H, A]", k);
    hidden_features_.push_back(see("its features: W_2 h", "[B, S, 1, A]", convolution(hidden_, k, 0)));
  }
}

State DecoderByHand::start(const Shapes& see) const {
  see("decoder inputs, ids", "[B, T]", batch_.inputs);
  see("the same as a list: T times", "[B]", batch_.inputs.column(0));
  State state{std::vector<Tensor>(static_cast<std::size_t>(model_.decoder().options().layers),
                                  see("s_0 = h_S", "[B, H]", source_.last))};
  state.parts.push_back(see("c_0 = 0", "[B, KH]", Tensor(see("[B, KH]"))));
  return state;
}

// [attention]
Look DecoderByHand::attention(Index head, const Tensor& query, const Shapes& see) const {
  const Tensor W_1 = weight(head, "W1"), b = weight(head, "b"), v = weight(head, "v");
  const Tensor& features = hidden_features_[static_cast<std::size_t>(head)];
  Look x;
  x.q = see("q = W_1 s + b", "[B, 1, 1, A]", linear(query, W_1, b).reshape(see("[B, 1, 1, A]")));
  x.u = see("u = tanh(W_2 h + q)", "[B, S, 1, A]", tanh(features + x.q));
  x.e = see("e = v . u", "[B, S]", sum(sum(v * x.u, 3), 2));
  x.alpha = see("alpha = softmax(e), 0 at PAD", "[B, S]", masked_softmax(x.e, source_.mask));
  const Tensor weights = x.alpha.reshape(see("[B, S, 1, 1]"));
  x.c = see("c = sum_i alpha_i h_i", "[B, H]", sum(sum(weights * hidden_, 2), 1));
  return x;
}
// [/attention]

// [step]
Tensor DecoderByHand::step(const Ids& words, State& state, std::vector<Look>& looks,
                           const Shapes& see) const {
  Tensor& attns = state.parts.back();  // c_{t-1}; before it the state of each layer
  const Tensor inp = see("inp = W_embedding[words]", "[B, E]", lookup(weight("embedding.weight"), words));
  const Tensor both = see("[inp; c]", "[B, E+KH]", join(inp, attns));
  Tensor x = see("x = W_in [inp; c] + b_in", "[B, E]", map("in", both));
  for (std::size_t l = 0; l + 1 < state.parts.size(); ++l) {  // "our stacked cell"
    const std::string cell = l ? fmt::format("cell{}.", l) : "cell.";
    Tensor& s = state.parts[l];
    const Tensor from_x = linear(x, weight(cell + "weight_ih"), weight(cell + "bias_ih"));
    const Tensor from_s = linear(s, weight(cell + "weight_hh"), weight(cell + "bias_hh"));
    x = s = see("s = GRU(x, s)", "[B, H]", gru_gates_composed(from_x, from_s, s));
  }
  looks.clear();
  std::vector<Tensor> contexts;
  for (Index head = 0; head < std::ssize(hidden_features_); ++head) {
    looks.push_back(attention(head, x, head ? see.quiet() : see));
    contexts.push_back(looks.back().c);
  }
  attns = see("c of all heads, one after the other", "[B, KH]", concat(contexts, -1));
  const Tensor sc = see("[s; c]", "[B, H+KH]", join(x, attns));
  return see("output = W_out [s; c] + b_out", "[B, H]", map("out", sc));
}
// [/step]

// [loss]
Tensor DecoderByHand::loss(std::span<const Tensor> outputs, const Shapes& see) const {
  see("outputs, a list in TensorFlow", "[T, B, H]", stack(outputs, 0));
  const Tensor all = see("the same, batch first", "[B, T, H]", stack(outputs, 1));
  const Tensor flat = see("flattened", "[BT, H]", all.reshape(see("[BT, H]")));
  const Tensor logits = see("logits = W_vocab output + b_vocab", "[BT, V]", map("vocab", flat));
  const Ids targets(see("[BT]"), batch_.targets.values);
  see("targets, flattened: ids", "[BT]", targets);
  const Tensor each = see("loss of each target, 0 at PAD", "[BT]",
                          cross_entropy(logits, targets, {.ignore = PAD, .reduction = Reduction::none}));
  return see("loss, their mean over words and EOS", "[]", sum(each) / static_cast<Real>(batch_.tokens));
}
// [/loss]

AttentionLayer DecoderByHand::draw(Index head, const Look& look, Index b) const {
  const auto at = static_cast<std::size_t>(b);
  AttentionLayer layer;
  for (Index i = 0; i < hidden_.shape()[1]; ++i)
    layer.words.push_back(model_.source().word(batch_.source.column(i).values[at]));
  layer.length = static_cast<std::size_t>(batch_.lengths[at]);
  layer.h = rows(hidden_.select(b));
  layer.keys = rows(hidden_features_[static_cast<std::size_t>(head)].select(b));
  layer.u = rows(look.u.select(b));
  layer.q = rows(look.q.select(b))[0];
  layer.e = rows(look.e)[at];
  layer.alpha = rows(look.alpha)[at];
  layer.c = rows(look.c)[at];
  return layer;
}

}  // namespace lookback::inline LOOKBACK_NS
