#include "examples/kit/sampled_readout.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/flops.hpp"
#include "core/tape.hpp"
#include "examples/kit/stopwatch.hpp"
#include "nn/adam.hpp"
#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {

ReadoutTask readout_task(Index N, Index H, Index V, const Params& params) {
  Random text = Random::named(params.seed(), "text");
  return {Linear(params, H, V), params.add("x", {N, H}, normal(4)), log_uniform_words(N, V, text)};
}

// [sampled]
Tensor sampled(const SampledRule& rule, const ReadoutTask& task, Index n, Random& random) {
  const auto& [weight, bias] = task.readout;
  Sampled s = sample_log_uniform(task.labels, n, bias.size(), random);
  if (!rule.own) s.log_q_true.assign(s.log_q_true.size(), 0);
  if (!rule.others) s.log_q.assign(s.log_q.size(), 0);
  return mean(sampled_softmax(task.x, weight, bias, task.labels, s, rule.hits));
}
// [/sampled]

double log_uniform(Index k, Index V) {
  return std::log1p(1 / (static_cast<double>(k) + 1)) / std::log(static_cast<double>(V) + 1);
}

Ids log_uniform_words(Index N, Index V, Random& random) {
  Ids ids(Shape{N}, 0);
  for (std::int32_t& id : ids.values) id = sample_log_uniform(Ids(Shape{0}), 1, V, random).words.values[0];
  return ids;
}

// [learn]
Tensor learn_frequencies(const SampledRule& rule, Index n, Index V, int steps, std::uint64_t seed) {
  constexpr Index N = 256;
  const Params params(seed);
  const Linear readout(Tensor({V, 1}), params.add("bias", {V}, zeros));
  Random text = Random::named(seed, "text"), random = Random::named(seed, "samples");
  Adam adam;
  for (int step = 0; step < steps; ++step) {
    adam.options.rate = Real(0.1) * static_cast<Real>(steps - step) / static_cast<Real>(steps);
    Tape tape;  // x = 0: the logits are the bias
    tape.backward(sampled(rule, {readout, Tensor({N, 1}), log_uniform_words(N, V, text)}, n, random));
    adam.step(params);
  }
  return log_softmax(readout.bias);  // prediction: the full softmax
}
// [/learn]

// [cost]
StepCost step_cost(Index N, Index H, Index V, Index n, std::uint64_t seed) {
  const Params params(seed);
  const ReadoutTask task = readout_task(N, H, V, params);
  Random random = Random::named(seed, "samples");
  const auto loss_and_gradients = [&] {
    Tape tape;
    tape.backward(n ? sampled(sampled_rules[0], task, n, random)
                    : cross_entropy(task.readout(task.x), task.labels));
  };
  Adam adam;
  StepCost cost{};
  for (int step = 0; step < 5; ++step) {
    const std::int64_t before = product_flops();
    cost.loss_ms = std::min(cost.loss_ms, nanoseconds(loss_and_gradients, 1) / 1e6);
    cost.multiply_adds = static_cast<double>(product_flops() - before) / 2;
    cost.adam_ms = std::min(cost.adam_ms, nanoseconds([&] { adam.step(params); }, 1) / 1e6);
  }
  return cost;
}
// [/cost]

}  // namespace lookback::inline LOOKBACK_NS
