#include "examples/kit/note_experiment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "attention/transformer.hpp"
#include "core/tape.hpp"
#include "examples/kit/copy.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

constexpr Index E = 128, heads = 8;  // the note's

Real largest(const Tensor& x) {
  Real most = 0;
  for (const Real v : x.values()) most = std::max(most, std::abs(v));
  return most;
}

}  // namespace

// [one_slot]
std::array<Real, 3> cross_attention_gradients(Index slots, std::uint64_t seed) {
  const Params params(seed);
  const MultiHead cross(params["cross"], E, heads);
  const Tensor x = params.add("x", {1, 5, E}, normal(1)), memory = params.add("h", {1, slots, E}, normal(1));
  Tape tape;
  const Tensor y = cross(x, cross.read(memory)).output;
  tape.backward(sum(y * y));
  const Tensor dW = params.find("cross.in_proj_weight").grad_tensor();  // [3E, E]: W_q, W_k, W_v
  std::array<Real, 3> all{};
  for (Index part = 0; part < 3; ++part) all[part] = largest(slice(dW, 0, part * E, (part + 1) * E));
  return all;
}
// [/one_slot]

std::vector<Real> words_in_first_state(Index S, std::uint64_t seed) {
  const Params params(seed);
  const EncoderLayer layer(params["layer"], {.width = E, .heads = heads});
  const Tensor x = params.add("x", {1, S, E}, normal(1));
  Tape tape;
  const Tensor h = layer(x, {});
  tape.backward(sum(slice(h, 1, 0, 1) * params.add("asked", {1, 1, E}, normal(1))));
  const Tensor dx = x.grad_tensor();  // [1, S, E]
  const Tensor norms = sqrt(sum(dx * dx, -1));
  return {norms.values().begin(), norms.values().end()};
}

std::array<double, 2> largest_weights(const Translator& model, const Batch& batch) {
  const Tensor weights =
      mean(model.decoder().teach(model.read(batch), batch.inputs).weights, 1);  // [B, T, S]
  const Ids largest = argmax(weights);                                          // [B, T]
  const Index B = largest.shape[0], T = largest.shape[1];
  std::array<double, 2> share{};
  Index words = 0;
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t) {
      const auto at = static_cast<std::size_t>(b * T + t);
      if (batch.targets.values[at] == EOS || batch.targets.values[at] == PAD) continue;
      share[0] += largest.values[at] == t;
      share[1] += largest.values[at] == t - 1;
      ++words;
    }
  for (double& s : share) s /= static_cast<double>(words);
  return share;
}

void print_note_experiment(const Translator& model, Index S, std::uint64_t seed) {
  fmt::print("\nThe note's experiment: a decoder that sees one state\n");
  for (const Index slots : {Index{1}, S})
    fmt::print("  largest |dL/dW| with {:2} slots: W_q, W_k, W_v {:.2g}\n", slots,
               fmt::join(cross_attention_gradients(slots, seed), ", "));
  fmt::print("  |dh_1/dx_i|, one Transformer layer: {:.2f}\n", fmt::join(words_in_first_state(8, seed), " "));
  constexpr double all = 0.320, first = 0.190, lstm = 0.152;  // test BLEU, from the note
  fmt::print("  of the way from {:.3f} to {:.3f} BLEU the first state alone makes {:.0f} %\n", lstm, all,
             100 * (first - lstm) / (all - lstm));
  Random random = Random::named(seed, "test");
  const auto [output, input] = largest_weights(model, copy_batch(CopyTask::copy, S, 32, random));
  fmt::print("  largest weight, copies: at the letter written ~{:.2f}, at the letter read ~{:.2f}\n", output,
             input);
}

}  // namespace lookback::inline LOOKBACK_NS
