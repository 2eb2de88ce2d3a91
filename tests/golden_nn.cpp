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

Outputs gru(Case& c) {
  if (c.flag("bidirectional")) throw NotBuilt{"a bidirectional gru"};
  if (c.integer("layers") > 1) throw NotBuilt{"a gru of several layers"};
  const Tensor &x = c.tensor("x"), &h0 = c.tensor("h0");  // h0 [1, B, H]
  const Params params(1);
  const GRU gru(params, x.cols(), h0.cols());
  bind_all(c, params);
  const std::vector<std::int32_t>& lengths = c.ids("lengths").values;
  const States states = gru(x, std::vector<Index>(lengths.begin(), lengths.end()), h0.select(0));
  return {{"y", states.h}, {"h_n", states.last.reshape(h0.shape())}};
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
  if (optimizer != "adam") throw NotBuilt{optimizer};
  if (c.number_or_none("weight_decay")) throw NotBuilt{"weight decay in adam"};
  const Params params(1);
  const Tensor p = params.add("p0", c.tensor("p0").shape(), zeros);
  c.bind("p0", p);
  const std::vector<double>& betas = c.numbers("betas");
  Adam adam({.rate = static_cast<Real>(c.number("lr")),
             .beta1 = static_cast<Real>(betas.at(0)),
             .beta2 = static_cast<Real>(betas.at(1)),
             .epsilon = static_cast<Real>(c.number("eps"))});
  std::vector<Tensor> p_steps, g_steps;
  for (Index k = 0; k < c.outputs.at("p_steps").shape[0]; ++k) {
    Tape tape;
    const Tensor away = p - c.tensor("b");
    tape.backward(sum(Real(0.5) * (c.tensor("a") * away * away)));
    g_steps.push_back(p.grad_tensor());
    adam.step(params);
    p_steps.push_back(p.detach());
  }
  return {{"p_steps", stack(p_steps, 0)}, {"g_steps", stack(g_steps, 0)}};
}

}  // namespace

Table nn_runs() {
  return {
      {"embedding", embedding},         {"gru_cell", gru_cell},   {"gru", gru},
      {"cross_entropy", cross_entropy}, {"clip_grad_norm", clip}, {"optim", optim},
  };
}

}  // namespace lookback::golden
