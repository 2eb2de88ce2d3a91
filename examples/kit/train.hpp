// The training loop: every chapter that learns uses this one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "examples/kit/batch.hpp"
#include "examples/kit/keep.hpp"
#include "nn/schedule.hpp"

namespace lookback::inline LOOKBACK_NS {

struct TrainOptions {
  std::string title = "training";
  int epochs = 1;
  Real rate = Real(1e-2);
  Index warmup = 0;                                 // steps in which the rate rises to `rate`
  Decay decay = Decay::none;                        // linear: the rate falls to 0 past the last step
  Real max_norm = 1;                                // of the gradients together
  std::function<void(int epoch)> after_epoch = {};  // epochs counted from 1
  Keep keep = {};
};

// The batches of an epoch, counted from 1. A run goes on with the same ones only if the epoch alone decides them;
// there are equally many in every epoch.
using EpochBatches = std::function<std::vector<Batch>(int epoch)>;

// Adam on clipped gradients, one step a batch, the batches in their order. Shows progress on stderr. Throws
// std::runtime_error naming step and parameter (or op) as soon as a loss or gradient is not finite, and at the
// end of an epoch (or before the first: step 0) that leaves a parameter so.
// Of several ranks (nn/ranks.hpp) each takes its share of every batch, so the loss has to be a mean over the target
// tokens, and draws from a stretch of its own of Keep::streams. Rank 0 alone keeps the run and asks for validation
// losses. Throws std::runtime_error on a rank whose Keep::same, data or parameters after an epoch are not rank 0's.
History train(const Params& params, const EpochBatches& batches_of,
              const std::function<Tensor(const Batch&)>& loss, const TrainOptions& options);
// The same batches in every epoch.
History train(const Params& params, std::span<const Batch> batches,
              const std::function<Tensor(const Batch&)>& loss, const TrainOptions& options);

// A step of it, for a loop of one's own: returns the loss before the step, whose number is for the messages. Throws as
// train() within an epoch.
double train_step(const Params& params, Adam& adam, const std::function<Tensor(const Batch&)>& loss,
                  const Batch& batch, Real max_norm, Index step);

}  // namespace lookback::inline LOOKBACK_NS
