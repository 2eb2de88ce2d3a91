#include "nn/loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/kernels/math.hpp"
#include "core/kernels/reduce.hpp"
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

// log sum_v exp(x_v) = top + rest. In two parts: the digits of a huge top would swallow the rest.
struct LogSum {
  Real top = 0, rest = 0;
};

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
  if (!each) *out = 0;
  std::vector<LogSum> log_sums(static_cast<std::size_t>(N));  // of each row, for the way back
  for (Index i = 0; i < N; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Real* row = logits.data() + i * V;
    if (each) out[i] = 0;
    if (!c.counts.values[at]) continue;
    const Real top = lookback::max(V, row);
    Real total = 0, below = 0;  // sum_v exp(x_v - top), sum_v (x_v - top)
#pragma omp simd reduction(+ : total, below)
    for (Index v = 0; v < V; ++v) total += fast_exp(row[v] - top), below += row[v] - top;
    log_sums[at] = {top, std::log(total)};
    const Real spread = epsilon > 0 ? epsilon / static_cast<Real>(V) * below : Real{0};
    const Real loss = log_sums[at].rest - (1 - epsilon) * (row[c.targets.values[at]] - top) - spread;
    (each ? out[i] : *out) += loss / n;
  }
  op.reads(logits);
  return op.done(y, [=, c = std::move(c), log_sums = std::move(log_sums)] {  // dlogits += (p - target) dy / n
    const auto [dlogits, fresh] = logits.grad_into();
    for (Index i = 0; i < N; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Real *row = logits.data() + i * V, d = c.counts.values[at] ? y.grad()[each ? i : 0] / n : Real{0};
      const Real top = log_sums[at].top, rest = log_sums[at].rest, even = epsilon / static_cast<Real>(V);
      Real* to = dlogits + i * V;
      if (!c.counts.values[at]) {
        if (fresh) std::fill_n(to, V, Real{0});
        continue;
      }
      if (fresh) {
#pragma omp simd
        for (Index v = 0; v < V; ++v) to[v] = d * (fast_exp((row[v] - top) - rest) - even);
      } else {
#pragma omp simd
        for (Index v = 0; v < V; ++v) to[v] += d * (fast_exp((row[v] - top) - rest) - even);
      }
      to[c.targets.values[at]] -= d * (1 - epsilon);
    }
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
