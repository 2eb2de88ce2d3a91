#include "nn/loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/kernels/math.hpp"
#include "core/kernels/parallel.hpp"
#include "core/kernels/softmax.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// The targets with `ignore` replaced by 0 and a mask of those that count.
struct Counted {
  Ids targets;
  Mask counts;
  Index number = 0;
};

Counted counted(const Op& op, const Tensor& logits, const Ids& targets, const CrossEntropyOptions& options) {
  op.require(logits.rank() > 0 && logits.shape().without(-1) == targets.shape,
             "targets {} are not logits' shape without the last axis", to_string(targets.shape));
  op.require(options.label_smoothing >= 0 && options.label_smoothing < 1,
             "label smoothing {} is not in [0, 1)", options.label_smoothing);
  Counted c{targets, Mask(targets.shape, std::vector<std::uint8_t>(targets.values.size(), 1)), 0};
  for (std::size_t i = 0; i < targets.values.size(); ++i) {
    if (targets.values[i] == options.ignore) c.targets.values[i] = 0, c.counts.values[i] = 0;
    c.number += c.counts.values[i];
  }
  if (c.number > 0) c.targets.check_range("cross_entropy", logits.cols());
  return c;
}

Real divisor(const Counted& c, Reduction reduction) {
  return reduction == Reduction::mean ? static_cast<Real>(std::max(c.number, Index{1})) : Real{1};
}

}  // namespace

Tensor cross_entropy_composed(const Tensor& logits, const Ids& targets, CrossEntropyOptions options) {
  const Counted c = counted(Op("cross_entropy", logits), logits, targets, options);
  const Tensor log_p = log_softmax(logits);
  const Tensor picked =
      gather(log_p, Ids(targets.shape.inserted(-1, 1), c.targets.values), -1).reshape(targets.shape);
  const Real epsilon = options.label_smoothing;
  const Tensor each = epsilon == 0 ? -picked : scale(picked, epsilon - 1) - scale(mean(log_p, -1), epsilon);
  const Tensor losses = where(c.counts, each, Tensor(each.shape()));
  return options.reduction == Reduction::none ? losses : sum(losses) / divisor(c, options.reduction);
}

Tensor cross_entropy(const Tensor& logits, const Ids& targets, CrossEntropyOptions options) {
  Op op("cross_entropy", logits);
  Counted c = counted(op, logits, targets, options);
  const Index V = logits.cols(), N = targets.size();
  const Real epsilon = options.label_smoothing, n = divisor(c, options.reduction);
  const bool each = options.reduction == Reduction::none;
  Tensor y = op.output(each ? targets.shape : Shape{});
  Real* out = y.write();
  std::fill_n(out, y.size(), Real{0});
  std::vector<LogSum<Real>> log_sums(static_cast<std::size_t>(N));  // of each row, for the way back
  std::vector<Real> losses(static_cast<std::size_t>(N));
  const Real* all = logits.data();
  parallel_for(N, grain(V), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!c.counts.values[at]) continue;
      const Real* row = all + i * V;
      const auto [top, rest] = log_sums[at] = log_sum_row(V, row);
      Real below = 0;  // sum_v (x_v - top)
      for (Index v = 0; epsilon > 0 && v < V; ++v) below += row[v] - top;
      losses[at] =
          rest - (1 - epsilon) * (row[c.targets.values[at]] - top) - epsilon / static_cast<Real>(V) * below;
    }
  });
  for (std::size_t i = 0; i < losses.size(); ++i) (each ? out[i] : *out) += losses[i] / n;
  op.reads(logits);
  return op.done(y, [=, c = std::move(c), log_sums = std::move(log_sums)] {  // dlogits += (p - target) dy / n
    const Real *all = logits.data(), *dy = y.grad(), even = epsilon / static_cast<Real>(V);
    const auto [dlogits, fresh] = logits.grad_over_values();
    parallel_for(N, grain(V), [&, dlogits = dlogits, fresh = fresh](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Real* row = all + i * V;
        Real* to = dlogits + i * V;
        if (!c.counts.values[at]) {
          if (fresh) std::fill_n(to, V, Real{0});
          continue;
        }
        const Real d = dy[each ? i : 0] / n, top = log_sums[at].top, rest = log_sums[at].rest;
        if (fresh) {
#pragma omp simd
          for (Index v = 0; v < V; ++v) to[v] = d * (fast_exp_nonpositive((row[v] - top) - rest) - even);
        } else {
#pragma omp simd
          for (Index v = 0; v < V; ++v) to[v] += d * (fast_exp_nonpositive((row[v] - top) - rest) - even);
        }
        to[c.targets.values[at]] -= d * (1 - epsilon);
      }
    });
  });
}

SequenceLoss sequence_loss(const Tensor& logits, const Ids& targets, const Tensor& weights) {
  Op("sequence_loss", logits, weights)
      .require(logits.rank() == 3 && weights.shape() == targets.shape,
               "weights and targets {} need one shape, [B, T]", to_string(targets.shape));
  const Tensor losses = cross_entropy(logits, targets, {.reduction = Reduction::none}) * weights;  // [B, T]
  const Tensor each = sum(losses, 1) / (sum(weights, 1) + Tensor({}, Real(1e-12)));
  return {mean(each), each};
}

}  // namespace lookback::inline LOOKBACK_NS
