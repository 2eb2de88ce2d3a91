#include "examples/kit/gradient_path.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

constexpr std::string_view recurrent = "gru_gates";  // the op that makes the next state

// [steps]
// The fewest recurrent steps on any way from x to y, both recorded on the traced tape.
int recurrent_steps(const Tape& tape, const Tensor& x, const Tensor& y) {
  const auto place = [](const Tensor& of) { return of.storage().operator->(); };
  std::map<const Storage*, int> fewest{{place(x), 0}};  // to all that depends on x
  for (const TracedOp& op : tape.trace())
    for (const Tensor& input : op.inputs)
      if (const auto from = fewest.find(place(input)); from != fewest.end()) {
        const int steps = from->second + (op.name == recurrent);
        int& known = fewest.try_emplace(place(op.output), steps).first->second;
        known = std::min(known, steps);
      }
  return fewest.at(place(y));
}
// [/steps]

Tensor update_gate(const TracedOp& op) {  // z [B, H]
  const Index H = op.output.cols();
  const Tensor sums = op.inputs[0].detach() + op.inputs[1].detach();  // before the sigmoids: r, z, n
  return sigmoid(slice(sums, -1, H, 2 * H));
}

Tensor norm(const Tensor& x) { return sqrt(sum(x * x, -1)); }  // [.., n] -> [..]

}  // namespace

// [paths]
GradientPaths gradient_paths(const Translator& model, const Batch& batch, Index T) {
  GradientPaths paths;
  std::vector<Tensor> total, attended;  // [S] of each step
  for (Index t = 0; t < T; ++t) {
    Tape tape({.trace = true});  // keeps every state, and its gradient
    const Encoded source = model.encode(batch.source, batch.lengths);
    std::vector<Tensor> h, dh, z;  // h_i [B, H], dL_t/dh_i, the update gate
    for (const TracedOp& op : tape.trace())
      if (op.name == recurrent) h.push_back(op.output), z.push_back(update_gate(op));
    const Memory memory = model.decoder().read(source);
    State state = model.decoder().start(memory);
    Tensor logits;  // of step t, [B, V]
    for (Index k = 0; k <= t; ++k)
      logits = model.decoder().step(memory, batch.inputs.column(k), state).logits;
    const Tensor L = cross_entropy(logits, batch.targets.column(t), {.reduction = Reduction::sum});
    tape.backward(L);
    paths.steps.emplace_back();
    for (const Tensor& h_i : h) {
      dh.push_back(h_i.grad_tensor());
      paths.steps.back().push_back(recurrent_steps(tape, h_i, L));
    }
    paths.gate = mean(stack(z, 0)).item();
    const Tensor unit = norm(logits.grad_tensor()).reshape({-1, 1});  // [B, 1]
    total.push_back(mean(norm(stack(dh, 1)) / unit, 0));
    attended.push_back(mean(norm(source.h.grad_tensor()) / unit, 0));
  }
  for (const Param& p : model.params().all()) p.value.drop_grad();
  paths.total = stack(total, 0), paths.attended = stack(attended, 0);
  return paths;
}
// [/paths]

}  // namespace lookback::inline LOOKBACK_NS
