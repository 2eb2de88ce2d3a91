#include "examples/kit/interventions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/tape.hpp"
#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

Tensor map(const Translator& model, const std::string& name, const Tensor& x) {
  const Params& params = model.params();
  return linear(x, params.find("decoder." + name + ".weight"), params.find("decoder." + name + ".bias"));
}

Tensor norm(const Tensor& x) { return sqrt(sum(x * x, -1)); }  // [.., n] -> [..]

// Gradients in the embedded source words, the norms [B, S] of each: of pick(0), .. pick(count - 1), each on a tape of
// its own. -> [B, count, S]
Tensor gradients_in_words(const Translator& model, const Batch& batch, Index count,
                          const std::function<Tensor(const Encoded&, Index)>& pick) {
  std::vector<Tensor> norms;
  for (Index k = 0; k < count; ++k) {
    Tape tape({.trace = true});
    const Encoded source = model.encode(batch.source, batch.lengths);
    const Tensor x = tape.trace().front().output;  // [B, S, E]
    tape.backward(pick(source, k));
    norms.push_back(norm(x.grad_tensor()));
  }
  for (const Param& p : model.params().all()) p.value.drop_grad();
  return stack(norms, 1);
}

}  // namespace

// [steps_of]
Steps steps_of(const Translator& model, const Batch& batch) {
  const Memory memory = model.read(batch);
  State state = model.decoder().start(memory);
  std::vector<Tensor> s, weights;
  for (Index t = 0; t < batch.inputs.shape[1]; ++t) {
    weights.push_back(select(model.decoder().step(memory, batch.inputs.column(t), state).weights, 1, 0));
    s.push_back(state.parts.end()[-2]);  // the top layer's; behind it is c
  }
  return {memory.encoded.h, stack(s, 1), stack(weights, 1)};
}
// [/steps_of]

// [output_with]
Tensor output_with(const Translator& model, const Steps& steps, const Tensor& weights) {
  const Tensor c = matmul(weights, steps.h);                               // [B, T, H]
  const Tensor o = map(model, "out", concat(std::array{steps.s, c}, -1));  // of [s_t; c_t]
  return softmax(map(model, "vocab", o));
}
// [/output_with]

// [changes]
void each_row(const Tensor& weights, const Batch& batch, const Visit& visit) {
  const Index T = weights.shape()[1];
  Real* row = weights.write();
  for (Index k = 0; k < batch.targets.size(); ++k, row += weights.cols())
    if (batch.targets.values[static_cast<std::size_t>(k)] != PAD)
      visit({row, static_cast<std::size_t>(batch.lengths[static_cast<std::size_t>(k / T)])}, k / T, k % T);
}

Tensor output_after(const Translator& model, const Steps& steps, const Batch& batch, const Visit& change) {
  const Tensor weights = steps.weights.detach();
  each_row(weights, batch, change);
  return output_with(model, steps, weights);
}

Index largest(std::span<const Real> row) { return std::max_element(row.begin(), row.end()) - row.begin(); }

void put(Row row, std::span<const Index> places) {
  if (!places.empty()) std::fill(row.begin(), row.end(), Real{0});
  for (const Index i : places) row[static_cast<std::size_t>(i)] = Real{1} / static_cast<Real>(places.size());
}

void drop(Row row, Index i) {
  row[static_cast<std::size_t>(i)] = 0;
  const Real rest = std::accumulate(row.begin(), row.end(), Real{0});
  if (rest > 0)
    for (Real& alpha : row) alpha /= rest;
}

Index other(Row row, std::span<const Index> than, Random& random) {
  Index i = 0;
  do i = random.below(std::ssize(row));
  while (std::count(than.begin(), than.end(), i) && than.size() < row.size());
  return i;
}
// [/changes]

// [measures]
Tensor total_variation(const Tensor& p, const Tensor& q) {
  const Tensor d = p - q;
  return 0.5 * sum(relu(d) + relu(-d), -1);
}

double kendall_tau(std::span<const Real> a, std::span<const Real> b) {
  if (a.size() != b.size()) throw std::invalid_argument("kendall_tau: the lists differ in length");
  double same = 0, in_a = 0, in_b = 0;  // pairs in the same order less those in the opposite; pairs not tied
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const int x = (a[i] > a[j]) - (a[i] < a[j]), y = (b[i] > b[j]) - (b[i] < b[j]);
      same += x * y, in_a += x != 0, in_b += y != 0;
    }
  return same == 0 ? 0 : same / std::sqrt(in_a * in_b);
}
// [/measures]

// [gradients]
Tensor word_gradients(const Translator& model, const Batch& batch) {
  return gradients_in_words(model, batch, batch.targets.shape[1], [&](const Encoded& source, Index t) {
    const Tensor logits = model.decoder().teach(model.decoder().read(source), batch.inputs).logits;
    return cross_entropy(select(logits, 1, t), batch.targets.column(t),
                         {.ignore = PAD, .reduction = Reduction::sum});
  });
}

Tensor word_shares(const Translator& model, const Batch& batch) {
  const auto sum_of_state = [](const Encoded& source, Index i) { return sum(select(source.h, 1, i)); };
  const Tensor norms = gradients_in_words(model, batch, batch.source.shape[1], sum_of_state);
  return norms / sum(norms, -1, true);
}
// [/gradients]

}  // namespace lookback::inline LOOKBACK_NS
