#include "tests/bench/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "nn/control_ids.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

constexpr Workload all[] = {
    {"gru-attention", 64, 16, 16, 8000, 6000, 256, "additive"},
    {"gru-dot", 64, 16, 16, 8000, 6000, 256, "dot"},
    {"toy", 20, 8, 10, 80, 80, 32, "additive"},
    {"transformer", 128, 16, 16, 8000, 6000, 128, ""},
    {"greedy-1", 1, 16, 16, 8000, 6000, 256, "additive"},
    {"greedy-64", 64, 16, 16, 8000, 6000, 256, "additive"},
};

constexpr std::uint64_t first_word = 3;  // the workloads know no UNK

// A sentence of [longest / 2, longest] places, drawn to its end whatever its length is.
struct Sentence {
  Index length;
  std::vector<std::int32_t> ids;

  Sentence(Random& random, Index longest, Index words) {
    const auto below = [&](Index n) { return random.bits() % static_cast<std::uint64_t>(n); };
    length = longest / 2 + static_cast<Index>(below(longest / 2 + 1));
    for (Index i = 0; i < longest; ++i)
      ids.push_back(static_cast<std::int32_t>(first_word + below(words - static_cast<Index>(first_word))));
  }
};

}  // namespace

std::span<const Workload> workloads() { return all; }

const Workload& workload(std::string_view name) {
  for (const Workload& w : all)
    if (w.name == name) return w;
  throw std::invalid_argument(fmt::format("no workload \"{}\"", name));
}

Batch draw_batch(const Workload& w, int k) {
  Random random(static_cast<std::uint64_t>(7000 + k));
  Batch batch{{}, Ids({w.B, w.S}, PAD), {}, Ids({w.B, w.T}, PAD), Ids({w.B, w.T}, PAD)};
  for (Index b = 0; b < w.B; ++b) {
    const Sentence source(random, w.S, w.source_words), target(random, w.T, w.target_words);
    std::copy_n(source.ids.begin(), source.length, batch.source.values.begin() + b * w.S);
    const auto to = batch.targets.values.begin() + b * w.T;
    *std::copy_n(target.ids.begin(), target.length - 1, to) = EOS;
    const auto inputs = batch.inputs.values.begin() + b * w.T;
    *inputs = GO;
    std::copy_n(to, w.T - 1, inputs + 1);
    batch.lengths.push_back(source.length);
    batch.tokens += target.length;
  }
  batch.mask = Mask::lengths(batch.lengths, w.S);
  return batch;
}

Tensor draw_tensor(std::uint64_t seed, const Shape& shape, Real bound) {
  Tensor x(shape);
  Real* to = x.write();
  for (Index i = 0; i < x.size(); ++i) {
    const auto bits = random_bits(seed, static_cast<std::uint64_t>(i)) >> 40;
    to[i] = (2 * (static_cast<Real>(bits) / Real(1 << 24)) - 1) * bound;
  }
  return x;
}

void draw_weights(const Params& params, std::span<const std::string> order) {
  if (order.size() != params.all().size())
    throw std::invalid_argument(
        fmt::format("{} weights are in the order, {} in the model", order.size(), params.all().size()));
  for (std::size_t j = 0; j < order.size(); ++j) {
    if (order[j].find("norm") != std::string::npos) continue;
    const Tensor value = params.find(order[j]);
    const Tensor drawn = draw_tensor(100 + j, value.shape(), Real(0.08));
    std::copy_n(drawn.data(), drawn.size(), value.write());
  }
}

}  // namespace lookback::inline LOOKBACK_NS
