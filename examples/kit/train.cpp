#include "examples/kit/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/tape.hpp"
#include "examples/kit/text/progress.hpp"
#include "nn/clip.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

void refuse_nan(const Params& params, Index step) {
  for (const auto& [name, value] : params.all())
    for (const Real v : value.values())
      if (!std::isfinite(v))
        throw std::runtime_error(fmt::format("step {}: {} holds {}; training stops", step, name, v));
}

void refuse_nan(const Params& params, Index step, double loss) {
  if (std::isfinite(loss)) return;
  refuse_nan(params, step);
  throw std::runtime_error(fmt::format("step {}: the loss is {}; training stops", step, loss));
}

Real clip(const Params& params, Real max_norm, Index step) {
  try {
    return clip_factor(params, max_norm).factor;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("step {}: {}; training stops", step, error.what()));
  }
}

}  // namespace

std::vector<double> train(const Params& params, std::span<const Batch> batches,
                          const std::function<Tensor(const Batch&)>& loss, const TrainOptions& options) {
  if (batches.empty()) throw std::invalid_argument("train: there are no batches");
  if (std::all_of(batches.begin(), batches.end(), [](const Batch& batch) { return batch.tokens == 0; }))
    throw std::invalid_argument("train: no batch holds a target token");
  Adam adam;
  const Index all = options.epochs * std::ssize(batches);
  const Schedule rate{.rate = options.rate, .decay = options.decay, .steps = all + 1};
  Progress progress(options.title, all);
  std::vector<double> losses;
  Index steps = 0;
  refuse_nan(params, steps);
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    double total = 0;
    Index tokens = 0;
    for (const Batch& batch : batches) {
      Tape tape;
      const Tensor l = loss(batch);
      refuse_nan(params, ++steps, l.item());
      tape.backward(l);
      const Real factor = clip(params, options.max_norm, steps);
      adam.options.rate = static_cast<Real>(rate.at(steps));
      adam.step(params, factor);
      total += static_cast<double>(l.item()) * static_cast<double>(batch.tokens);
      tokens += batch.tokens;
      progress.step(l.item(), batch.tokens);
    }
    refuse_nan(params, steps);  // of parameters that this epoch's loss did not feel
    losses.push_back(total / static_cast<double>(tokens));
    if (options.after_epoch) options.after_epoch(epoch);
  }
  return losses;
}

}  // namespace lookback::inline LOOKBACK_NS
