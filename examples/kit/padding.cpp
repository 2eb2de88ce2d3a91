#include "examples/kit/padding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "examples/kit/claims.hpp"
#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// [bounds]
struct Measure {
  const char* name;
  double least, most;              // before training
  double least_after, most_after;  // after it
  bool sure = true;                // the same wherever it is computed, before training
};
constexpr Measure measures[] = {
    {"on PAD", 0, 0, 0, 0},          {"entropy", 0.9, 1.01, 0.2, 1.01}, {"loss", 0.95, 1.05, 0, 0.05},
    {"forced", 0, 1, 0.9, 1, false}, {"fed back", 0, 1, 0.9, 1, false}, {"h_S", 0, 1e-3, 0, 1e-3},
    {"c", 0, 1e-3, 0, 1e-3},         {"logits", 0, 1e-3, 0, 1e-3},
};
// [/bounds]

}  // namespace

double mean_over_tokens(const Tensor& x, const Batch& batch) {
  return sum(x * target_weights(batch)).item() / static_cast<double>(batch.tokens);
}

double share_right(const Tensor& logits, const Batch& batch) {
  const Ids likeliest = argmax(logits);  // [B, T]
  const Tensor right(likeliest.shape);
  for (std::size_t i = 0; i < likeliest.values.size(); ++i)
    right.write()[i] = likeliest.values[i] == batch.targets.values[i];
  return mean_over_tokens(right, batch);
}

// [encode_as]
Encoded encode_as(const Translator& model, const Batch& batch, Reading reading) {
  const bool stops = reading == Reading::lengths || reading == Reading::zeroed;
  const bool masks = reading == Reading::lengths || reading == Reading::mask_only;
  const std::vector<Index> all(batch.lengths.size(), batch.source.shape[1]);  // as if every place held a word
  Encoded encoded = model.encode(batch.source, stops ? batch.lengths : all);
  encoded.mask = masks ? batch.mask : Mask();
  return encoded;
}
// [/encode_as]

Seen see(const Translator& model, const Batch& batch, Reading reading) {
  const Memory memory = model.decoder().read(encode_as(model, batch, reading));
  const Forced forced = model.decoder().teach(memory, batch.inputs);
  const Tensor weights = select(forced.weights, 1, 0);
  return {memory, forced.logits, weights, matmul(weights, memory.encoded.h)};
}

// [mass]
double mass_on_pad(const Tensor& weights, const Batch& batch) {
  const Mask words = batch.mask.reshape({weights.shape()[0], 1, weights.shape()[2]});  // [B, 1, S]
  return mean_over_tokens(sum(where(words, Tensor(weights.shape()), weights), -1), batch);
}
// [/mass]

double entropy_share(const Tensor& weights, const Batch& batch) {
  std::vector<Real> most;  // ln n
  for (const Index n : batch.lengths) most.push_back(std::log(static_cast<Real>(std::max<Index>(n, 2))));
  const Tensor logs = log(weights + Tensor({1}, Real(1e-30)));  // 0 ln 0 = 0
  return mean_over_tokens(-sum(weights * logs, -1) / Tensor({weights.shape()[0], 1}, most), batch);
}

Line mass_line(const std::string& name, const Translator& model, std::span<const IdPair> pairs,
               Reading reading) {
  Line line{name, {}, {}};
  const Index longest = make_batch(pairs).source.shape[1];
  for (Index S = longest; S <= longest + 30; S += 2) {
    const Batch batch = make_batch(pairs, {.S = S});
    line.x.push_back(static_cast<float>(S));
    line.y.push_back(static_cast<float>(mass_on_pad(see(model, batch, reading).weights, batch)));
  }
  return line;
}

// [check_up]
Checkup check_up(const Translator& model, std::span<const IdPair> pairs, const Batch& batch,
                 Reading reading) {
  const Seen seen = see(model, batch, reading);
  const Tensor fed_back = feed_previous(model.decoder(), seen.memory, batch.targets.shape[1]).logits;
  const Real loss = cross_entropy(seen.logits, batch.targets, {.ignore = PAD}).item();
  Checkup x{mass_on_pad(seen.weights, batch), entropy_share(seen.weights, batch),
            loss / std::log(static_cast<double>(model.target().size())), share_right(seen.logits, batch),
            share_right(fed_back, batch)};
  for (Index b = 0; b < std::ssize(pairs); ++b) {
    Batch one = make_batch(pairs.subspan(static_cast<std::size_t>(b), 1));
    const Index T = one.inputs.shape[1];
    std::copy_n(batch.inputs.values.begin() + b * batch.inputs.shape[1], T, one.inputs.values.begin());
    const Seen alone = see(model, one, reading);
    const auto grow = [=](double& most, const Tensor& all, const Tensor& own) {
      const Tensor row = slice(all, 0, b, b + 1);
      most = std::max<double>(most, difference(slice(row, 1, 0, own.shape()[1]), own));  // its own steps
    };
    grow(x[5], seen.memory.encoded.last, alone.memory.encoded.last);
    grow(x[6], seen.context, alone.context);
    grow(x[7], seen.logits, alone.logits);
  }
  return x;
}
// [/check_up]

void print_checkup_head(const std::string& title) {
  fmt::print("\n{}\n  {:21}", title, "");
  for (const Measure& m : measures) fmt::print(" {:>9} ", m.name);
  fmt::print("\n");
}

void print_bounds() {
  for (const auto& [name, least, most] :
       {std::tuple("bounds before training", &Measure::least, &Measure::most),
        {"bounds after", &Measure::least_after, &Measure::most_after}}) {
    fmt::print("  {:21}", name);
    for (const Measure& m : measures) fmt::print(" {:>10}", fmt::format("{}..{}", m.*least, m.*most));
    fmt::print("\n");
  }
}

void print_checkup(const std::string& name, Stage stage, const Checkup& checkup) {
  const bool before = stage == Stage::before;
  fmt::print("  {:21}", name);
  for (std::size_t k = 0; k < checkup.size(); ++k) {
    const Measure& m = measures[k];
    const bool out = before ? checkup[k] < m.least || checkup[k] > m.most
                            : checkup[k] < m.least_after || checkup[k] > m.most_after;
    fmt::print(" {:>9}{}", fmt::format("{}{:.3f}", before && m.sure ? "" : "~", checkup[k]),
               out && stage != Stage::during ? '!' : ' ');
  }
  fmt::print("\n");
}

}  // namespace lookback::inline LOOKBACK_NS
