// Scores, attention and the attention decoder under the names of the golden files.
#include <fmt/format.h>

#include <cctype>

#include "attention/attention.hpp"
#include "attention/attention_decoder.hpp"
#include "golden_case.hpp"
#include "nn/loss.hpp"

namespace lookback::golden {
namespace {

Attention attention_of(Case& c, const std::string& score) {  // W1 here is w1 in the file
  const Index hidden = c.has("v") ? c.tensor("v").size() : 0;
  const Params params(1);
  const Attention attend(params, score, {c.tensor("s").cols(), c.tensor("h").cols(), hidden, c.has("b")});
  for (const auto& [name, value] : params.all()) {
    std::string small = name;
    for (char& letter : small) letter = static_cast<char>(std::tolower(letter));
    c.bind(small, value);
  }
  return attend;
}

Mask mask_or_none(const Case& c) { return c.has("mask") ? c.mask("mask") : Mask(); }

Outputs attention(Case& c) {  // s [B, query] or [B, T, query]
  const Attention attend = attention_of(c, c.text("score"));
  const Attended a = attend(c.tensor("s"), attend.read(c.tensor("h"), mask_or_none(c)));
  return {{"scores", a.scores}, {"weights", a.weights}, {"context", a.context}};
}

Outputs worked_example(Case& c) {
  const Attention attend = attention_of(c, "dot");
  const Attended a = attend(c.tensor("s"), attend.read(c.tensor("h")));
  const Tensor e = exp(a.scores);
  return {{"scores", a.scores},
          {"exp", e},
          {"denominator", sum(e, 1)},
          {"weights", a.weights},
          {"context", a.context}};
}

Outputs attention_predict(Case& c) {  // softmax(W_o [s; c])
  const Attention attend = attention_of(c, "dot");
  const Attended a = attend(c.tensor("s"), attend.read(c.tensor("h"), mask_or_none(c)));
  const Tensor parts[] = {c.tensor("s"), a.context};
  const Tensor logits = linear(concat(parts, -1), c.tensor("w_o"));
  return {{"logits", logits}, {"loss", cross_entropy(logits, c.ids("targets"))}};
}

// Our name of a parameter of the decoder in the file: "attn0.W2" is "attn0.k".
std::string name_in_file(std::string name) {
  constexpr std::pair<const char*, const char*> endings[] = {
      {".W1", ".query.weight"}, {".b", ".query.bias"}, {".W2", ".k"}};
  for (const auto& [ours, theirs] : endings)
    if (name.ends_with(ours)) name.replace(name.rfind('.'), std::string::npos, theirs);
  return name;
}

Outputs attention_decoder(Case& c) {
  const Tensor &inp = c.tensor("inp"), &memory = c.tensor("memory"),
               &h0 = c.tensor("h0");  // [B, T, E], [B, S, key], [B, H]
  const Params params(1);
  const AttentionDecoder decoder(
      params,
      {.vocabulary = 4,  // the file stops before the vocabulary
       .embedding = inp.cols(),
       .hidden = h0.cols(),
       .key = memory.cols(),
       .alignment = c.tensor("attn0.v").size(),
       .output = c.tensor("out.bias").size()},
      {.score_bias = true, .heads = c.integer("heads"), .bridge = Bridge::linear_tanh});
  for (const auto& [name, value] : params.all())
    if (c.has(name_in_file(name))) c.bind(name_in_file(name), value);

  const Memory read = decoder.read({memory, Tensor({memory.shape()[0], memory.cols()}), mask_or_none(c)});
  State state = decoder.start(read);
  state.parts[0] = h0;  // where the file starts, instead of a bridge from h_S
  std::vector<Tensor> y, weights, contexts;
  for (Index t = 0; t < inp.shape()[1]; ++t) {
    const AttentionDecoder::CellOutput out = decoder.cell(select(inp, 1, t), read, state);
    y.push_back(out.output);
    weights.push_back(out.weights);
    contexts.push_back(out.context);
  }
  return {{"y", stack(y, 1)},
          {"h_n", state.parts[0]},
          {"weights", stack(weights, 2)},
          {"contexts", stack(contexts, 1)}};
}

}  // namespace

Table attention_runs() {
  return {
      {"attention_step", attention},
      {"attention_seq", attention},
      {"attention_predict", attention_predict},
      {"worked_example", worked_example},
      {"tf_attention_decoder", attention_decoder},
  };
}

}  // namespace lookback::golden
