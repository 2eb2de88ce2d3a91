#include "attention/beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "nn/control_ids.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Candidate {
  double log_probability;
  Index row;  // the hypothesis it carries on
  std::int32_t word;
  Real logit;
};

struct Live {  // a beginning, one row of the batch
  double log_probability = -std::numeric_limits<double>::infinity();
  std::vector<std::int32_t> ids;
  std::vector<Tensor> weights;  // [heads, S] of each step
};

double worth(double log_probability, std::size_t words, Real alpha) {
  return log_probability / std::pow((5.0 + static_cast<double>(words)) / 6.0, static_cast<double>(alpha));
}

Hypothesis finished(const Live& live, bool ended, Real alpha) {
  return {live.ids, ended, live.log_probability, worth(live.log_probability, live.ids.size(), alpha),
          live.weights.empty() ? Tensor() : stack(live.weights, 1)};
}

// The `count` likeliest ways to go on from `width` rows; equal ones in the order of rows and words, as argmax
// has it. Logits are added last, in double, and decide between equal sums of a row, so that a width of 1 says
// what argmax says.
std::vector<Candidate> best(const std::vector<Live>& live, Index from, Index width, Index t,
                            const Tensor& logits, Index count) {
  std::vector<Candidate> all;
  for (Index row = from; row < from + width; ++row) {
    const double before = live[static_cast<std::size_t>(row)].log_probability;
    if (std::isinf(before)) continue;
    require_finite("beam_search", t, logits, row);
    const Tensor words = logits.select(row);
    const auto z = words.values();
    const double largest = *std::max_element(z.begin(), z.end());
    double total = 0;  // of e^(z - largest)
    for (const Real v : z) total += std::exp(static_cast<double>(v) - largest);
    const double rest = before - (largest + std::log(total));
    for (std::size_t v = 0; v < z.size(); ++v)
      if (!std::isinf(z[v]))
        all.push_back({rest + static_cast<double>(z[v]), row, static_cast<std::int32_t>(v), z[v]});
  }
  const auto keep = std::min(count, std::ssize(all));
  std::partial_sort(all.begin(), all.begin() + keep, all.end(), [](const Candidate& a, const Candidate& b) {
    if (a.log_probability != b.log_probability) return a.log_probability > b.log_probability;
    if (a.row != b.row) return a.row < b.row;
    return a.logit != b.logit ? a.logit > b.logit : a.word < b.word;
  });
  all.resize(static_cast<std::size_t>(keep));
  return all;
}

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(const Decoder& decoder, const Memory& memory,
                                                 BeamOptions options) {
  const Index B = memory.encoded.h.shape()[0], K = options.width;
  if (K < 1) throw std::invalid_argument(fmt::format("beam_search: the width {} is not 1 or more", K));
  if (!std::isfinite(options.length_penalty))
    throw std::invalid_argument(
        fmt::format("beam_search: the length penalty {} is not finite", options.length_penalty));
  Ids rows(Shape{B * K});
  for (Index r = 0; r < B * K; ++r)
    rows.values[static_cast<std::size_t>(r)] = static_cast<std::int32_t>(r / K);
  const Memory repeated = select_rows(memory, rows);
  State state = decoder.start(repeated);
  Ids previous(Shape{B * K}, GO);
  std::vector<Live> live(static_cast<std::size_t>(B * K));
  std::vector<std::vector<Hypothesis>> done(static_cast<std::size_t>(B));
  std::vector<bool> over(static_cast<std::size_t>(B));
  for (Index b = 0; b < B; ++b) {
    live[static_cast<std::size_t>(b * K)].log_probability = 0;  // one beginning: GO
    if ((over[static_cast<std::size_t>(b)] = !has_source(memory.encoded, b)))
      done[static_cast<std::size_t>(b)].push_back({.ended = true});
  }

  for (Index t = 0; t < options.limit && std::find(over.begin(), over.end(), false) != over.end(); ++t) {
    const Step step = decoder.step(repeated, previous, state);
    std::vector<Live> next(live.size());
    for (Index b = 0; b < B; ++b) {
      const auto sentence = static_cast<std::size_t>(b);
      if (over[sentence]) continue;
      Index row = b * K, rank = 0;  // the row filled next; the candidate's place
      // 2K: at most K of them end
      for (const Candidate& c : best(live, b * K, K, t + 1, step.logits, 2 * K)) {
        const bool ends = c.word == EOS;
        if (ends ? rank++ >= K : (++rank, row == (b + 1) * K))
          continue;  // an end counts among the K best only
        Live grown = live[static_cast<std::size_t>(c.row)];
        grown.log_probability = c.log_probability;
        grown.weights.push_back(step.weights.select(c.row).detach());
        if (ends) {
          done[sentence].push_back(finished(grown, true, options.length_penalty));
          continue;
        }
        grown.ids.push_back(c.word);
        rows.values[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(c.row);
        previous.values[static_cast<std::size_t>(row)] = c.word;
        next[static_cast<std::size_t>(row++)] = std::move(grown);
      }
      const double goes_on =
          next[static_cast<std::size_t>(b * K)].log_probability;  // -inf: nothing can be said
      const auto likelier = [=](const Hypothesis& h) { return h.log_probability >= goes_on; };
      over[sentence] = row == b * K || (std::ssize(done[sentence]) >= K &&
                                        std::any_of(done[sentence].begin(), done[sentence].end(), likelier));
    }
    live = std::move(next);
    state = select_rows(state, rows);
  }
  for (Index b = 0; b < B; ++b) {
    std::vector<Hypothesis>& found = done[static_cast<std::size_t>(b)];
    for (Index row = b * K; row < (b + 1) * K && std::ssize(found) < K; ++row)  // cut off by the limit
      if (const Live& cut = live[static_cast<std::size_t>(row)];
          !std::isinf(cut.log_probability) && !over[static_cast<std::size_t>(b)])
        found.push_back(finished(cut, false, options.length_penalty));
    std::stable_sort(found.begin(), found.end(), [](const Hypothesis& a, const Hypothesis& c) {
      return a.ended != c.ended ? a.ended : a.score > c.score;
    });
    if (std::ssize(found) > K) found.resize(static_cast<std::size_t>(K));
  }
  return done;
}

}  // namespace lookback::inline LOOKBACK_NS
