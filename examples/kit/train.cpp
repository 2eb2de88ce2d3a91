#include "examples/kit/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "core/file.hpp"
#include "core/tape.hpp"
#include "examples/kit/text/progress.hpp"
#include "nn/clip.hpp"
#include "nn/ranks.hpp"

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

// Of the batches of the first epoch: all pairs, in the order that a seed gave them.
std::string checksum(std::span<const Batch> batches) {
  std::uint32_t sum = 0;
  for (const Batch& batch : batches)
    for (const Ids* ids : {&batch.source, &batch.targets})
      sum = crc32({reinterpret_cast<const char*>(ids->values.data()), 4 * ids->values.size()}, sum);
  return fmt::format("{} batches, checksum {:08x}", batches.size(), sum);
}

std::string checksum(const Params& params) {
  std::uint32_t sum = 0;
  for (const auto& [name, value] : params.all())
    sum = crc32({reinterpret_cast<const char*>(value.data()), value.values().size_bytes()}, sum);
  return fmt::format("{} parameters, checksum {:08x}", params.count(), sum);
}

void require_same_on_all_ranks(const RunText& here) {
  for (const auto& [name, text] : here) require_same("rank 0", {{name, from_first(text)}}, {{name, text}});
}

// [draw_apart]
// Of several ranks each draws from a stretch of its own in every step, and so goes on with it after a pause.
void draw_apart(const Keep& keep, Index step) {
  if (ranks() == 1) return;
  const auto at = static_cast<std::uint64_t>(step * ranks() + rank()) << 32;
  for (const auto& [name, stream] : keep.streams) *stream = Random(stream->seed(), at);
}
// [/draw_apart]

}  // namespace

// [step]
// A rank's part in the mean over the batch's tokens is that of its own tokens.
double train_step(const Params& params, Adam& adam, const std::function<Tensor(const Batch&)>& loss,
                  const Batch& batch, Real max_norm, Index step) {
  const Batch mine = share(batch, rank(), ranks());
  double l = 0;
  if (!mine.lengths.empty()) {
    const double part =
        batch.tokens > 0 ? static_cast<double>(mine.tokens) / static_cast<double>(batch.tokens) : 1;
    Tape tape;
    const Tensor mean = loss(mine);
    l = part * mean.item();
    refuse_nan(params, step, l);
    tape.backward(mean, Tensor({}, static_cast<Real>(part)));
  }
  l = sum_over_ranks(params, l);
  adam.step(params, clip(params, max_norm, step));
  return l;
}
// [/step]

History train(const Params& params, const EpochBatches& batches_of,
              const std::function<Tensor(const Batch&)>& loss, const TrainOptions& options) {
  std::vector<Batch> batches = batches_of(1);
  if (batches.empty()) throw std::invalid_argument("train: there are no batches");
  if (std::all_of(batches.begin(), batches.end(), [](const Batch& batch) { return batch.tokens == 0; }))
    throw std::invalid_argument("train: no batch holds a target token");
  Adam adam;
  const Index n = std::ssize(batches), all = options.epochs * n;
  const Schedule rate{
      .rate = options.rate, .warmup = options.warmup, .decay = options.decay, .steps = all + 1};
  Keep keep = options.keep;
  keep.same["the training data"] = checksum(batches);
  if (options.decay == Decay::linear) keep.same["the number of steps"] = fmt::to_string(all);
  require_same_on_all_ranks(keep.same);
  Keeper keeper(rank() == 0 ? keep : Keep{}, params, adam);
  const auto look = [&](int epoch) {
    if (options.after_epoch) options.after_epoch(epoch);
  };
  Place place = keeper.resume(all, n, look);
  start_as_first(params, adam, place.step);
  flush_output();
  Progress progress(options.title, all - place.step, rank() == 0 ? stderr : stdout);  // one is enough
  refuse_nan(params, place.step);
  for (int epoch = 1; place.step < all;) {
    if (const int now = static_cast<int>(place.step / n) + 1; now != epoch) batches = batches_of(epoch = now);
    if (std::ssize(batches) != n)
      throw std::invalid_argument(
          fmt::format("train: epoch {} has {} batches, the first {}", epoch, batches.size(), n));
    const Batch& batch = batches[static_cast<std::size_t>(place.step++ % n)];
    draw_apart(keep, place.step);
    adam.options.rate = static_cast<Real>(rate.at(place.step));
    const double l = train_step(params, adam, loss, batch, options.max_norm, place.step);
    place.loss += l * static_cast<double>(batch.tokens);
    place.tokens += batch.tokens;
    progress.step(l, batch.tokens);
    if (place.step % n == 0) {
      refuse_nan(params, place.step);  // of parameters that this epoch's loss did not feel
      if (ranks() > 1)
        require_same_on_all_ranks({{fmt::format("epoch {}'s result", epoch), checksum(params)}});
      place.history.loss.push_back(place.loss / static_cast<double>(place.tokens));
      place.loss = 0, place.tokens = 0;
      keeper.after_epoch(place.history);
      look(epoch);
    }
    keeper.after_step(place, all);
  }
  keeper.end();
  return place.history;
}

History train(const Params& params, std::span<const Batch> batches,
              const std::function<Tensor(const Batch&)>& loss, const TrainOptions& options) {
  return train(
      params, [=](int) { return std::vector<Batch>(batches.begin(), batches.end()); }, loss, options);
}

}  // namespace lookback::inline LOOKBACK_NS
