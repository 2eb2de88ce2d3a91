// The modules, losses and optimizers of nn/ under the names of the golden files.
#include <fmt/format.h>

#include <algorithm>

#include "core/tape.hpp"
#include "golden_case.hpp"
#include "nn/adam.hpp"
#include "nn/clip.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/loss.hpp"
#include "nn/lstm.hpp"
#include "nn/sampled_softmax.hpp"
#include "nn/sgd.hpp"

namespace lookback::golden {
namespace {

void bind_all(Case& c,
              const Params& params) {  // a module's parameters have PyTorch's names, and so has the file
  for (const auto& [name, value] : params.all()) c.bind(name, value);
}

Outputs embedding(Case& c) {
  const Tensor& weight = c.tensor("weight");
  std::optional<std::int32_t> pad;
  if (const auto id = c.number_or_none("padding_idx")) pad = static_cast<std::int32_t>(*id);
  if (pad != PAD) return {{"y", lookup(weight, c.ids("ids"), pad)}};
  const Params params(1);
  const Embedding embed(params, weight.shape()[0], weight.cols());
  bind_all(c, params);
  return {{"y", embed(c.ids("ids"))}};
}

Outputs gru_cell(Case& c) {
  const Params params(1);
  const GRUCell cell(params, c.tensor("x").cols(), c.tensor("h0").cols());
  bind_all(c, params);
  return {{"h1", cell(c.tensor("x"), c.tensor("h0"))}};
}

// y, h_n and c_n of a GRU or an LSTM from h0 and c0 [layers directions, B, H].
template <class Net>
Outputs recurrent(Case& c) {
  const Tensor &x = c.tensor("x"), &h0 = c.tensor("h0"), c0 = c.tensor_or_none("c0");
  const Params params(1);
  const Net net(params, x.cols(), h0.cols(),
                {.layers = c.integer("layers"), .bidirectional = c.flag("bidirectional")});
  bind_all(c, params);
  std::vector<CellState> first;
  for (Index k = 0; k < h0.shape()[0]; ++k) first.push_back({h0.select(k), c0.defined() ? c0.select(k) : c0});
  const std::vector<std::int32_t>& lengths = c.ids("lengths").values;
  const States states = net(x, std::vector<Index>(lengths.begin(), lengths.end()), first);
  std::vector<Tensor> h, memory;
  for (const CellState& final : states.final) {
    h.push_back(final.h);
    memory.push_back(final.c);
  }
  Outputs outputs{{"y", states.h}, {"h_n", stack(h, 0)}};
  if (c0.defined()) outputs["c_n"] = stack(memory, 0);
  return outputs;
}

Outputs lstm_cell(Case& c) {
  const Params params(1);
  const LSTMCell cell(params, c.tensor("x").cols(), c.tensor("h0").cols());
  bind_all(c, params);
  const CellState next = cell(c.tensor("x"), {c.tensor("h0"), c.tensor("c0")});
  return {{"h1", next.h}, {"c1", next.c}};
}

Outputs sampled(Case& c) {
  const auto numbers = [&](const char* name) {
    const auto values = c.tensor(name).values();
    return std::vector<Real>(values.begin(), values.end());
  };
  const Sampled words{c.ids("sampled"), numbers("log_q_sampled"), numbers("log_q_true")};
  return {{"loss", sampled_softmax(c.tensor("x"), c.tensor("weight"), c.tensor("bias"), c.ids("labels"),
                                   words, !c.flag("remove_accidental_hits"))}};
}

Outputs tf_sequence_loss(Case& c) {
  const SequenceLoss loss = sequence_loss(c.tensor("logits"), c.ids("targets"), c.tensor("weights"));
  return {{"loss", loss.mean}, {"per_example", loss.per_sentence}};
}

Outputs cross_entropy(Case& c) {
  CrossEntropyOptions options{.label_smoothing = static_cast<Real>(c.number("label_smoothing"))};
  if (const auto id = c.number_or_none("ignore_index")) options.ignore = static_cast<std::int32_t>(*id);
  const std::string& reduction = c.text("reduction");
  if (reduction == "sum") options.reduction = Reduction::sum;
  if (reduction == "none") options.reduction = Reduction::none;
  return {{"loss", lookback::cross_entropy(c.tensor("logits"), c.ids("targets"), options)}};
}

Outputs clip(Case& c) {  // gradients g0, g1, .. of as many parameters
  const Params params(1);
  for (int i = 0; c.has(fmt::format("g{}", i)); ++i) {
    const Tensor& g = c.tensor(fmt::format("g{}", i));
    const Tensor p = params.add(fmt::format("clipped{}", i), g.shape(), zeros);
    std::copy_n(g.data(), g.size(), p.grad());
  }
  Outputs outputs{
      {"total_norm", Tensor({}, clip_grad_norm(params, static_cast<Real>(c.number("max_norm"))))}};
  for (const auto& [name, p] : params.all()) outputs[name] = p.grad_tensor();
  return outputs;
}

Outputs optim(Case& c) {  // steps down 1/2 sum a (p - b)^2
  const std::string& optimizer = c.text("optimizer");
  const Params params(1);
  const Tensor p = params.add("p0", c.tensor("p0").shape(), zeros);
  c.bind("p0", p);
  const auto number = [&](const char* name) { return static_cast<Real>(c.number_or_none(name).value_or(0)); };
  const std::vector<double> betas = optimizer == "sgd" ? std::vector<double>{0, 0} : c.numbers("betas");
  SGD sgd({.rate = number("lr"), .momentum = number("momentum"), .weight_decay = number("weight_decay")});
  Adam adam({.rate = number("lr"),
             .beta1 = static_cast<Real>(betas.at(0)),
             .beta2 = static_cast<Real>(betas.at(1)),
             .epsilon = number("eps"),
             .weight_decay = number("weight_decay"),
             .decoupled = optimizer == "adamw"});
  std::vector<Tensor> p_steps, g_steps;
  for (Index k = 0; k < c.outputs.at("p_steps").shape[0]; ++k) {
    Tape tape;
    const Tensor away = p - c.tensor("b");
    tape.backward(sum(Real(0.5) * (c.tensor("a") * away * away)));
    g_steps.push_back(p.grad_tensor());
    optimizer == "sgd" ? sgd.step(params) : adam.step(params);
    p_steps.push_back(p.detach());
  }
  return {{"p_steps", stack(p_steps, 0)}, {"g_steps", stack(g_steps, 0)}};
}

}  // namespace

Table nn_runs() {
  return {
      {"embedding", embedding},     {"gru_cell", gru_cell},
      {"gru", recurrent<GRU>},      {"lstm_cell", lstm_cell},
      {"lstm", recurrent<LSTM>},    {"cross_entropy", cross_entropy},
      {"sampled_softmax", sampled}, {"tf_sequence_loss", tf_sequence_loss},
      {"clip_grad_norm", clip},     {"optim", optim},
  };
}

}  // namespace lookback::golden
