#include "nn/recurrent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/op.hpp"
#include "nn/dropout.hpp"

namespace lookback::inline LOOKBACK_NS {

RecurrentCell::RecurrentCell(const Params& p, Index gates, Index in, Index hidden,
                             const std::string& suffix) {
  const Init init = uniform(1 / std::sqrt(static_cast<Real>(hidden)));  // PyTorch's
  weight_ih = p.add("weight_ih" + suffix, {gates * hidden, in}, init);
  weight_hh = p.add("weight_hh" + suffix, {gates * hidden, hidden}, init);
  bias_ih = p.add("bias_ih" + suffix, {gates * hidden}, init);
  bias_hh = p.add("bias_hh" + suffix, {gates * hidden}, init);
}

namespace {

struct Run {
  Tensor h;  // [S, B, H]
  CellState final;
};

// [run]
// One cell over all steps, x [S, B, in]: time first, so that a step is a view.
Run run(const RecurrentCell& cell, const Tensor& x, std::span<const Mask> keep, CellState state,
        bool reverse) {
  const Index S = x.shape()[0];
  const Tensor gi = cell.input(x);
  std::vector<Tensor> states(static_cast<std::size_t>(S));
  for (Index i = 0; i < S; ++i) {
    const Index t = reverse ? S - 1 - i : i;
    state = cell.next(gi.select(t), state, keep[static_cast<std::size_t>(t)]);
    states[static_cast<std::size_t>(t)] = state.h;
  }
  return {states.empty() ? Tensor({0, x.shape()[1], cell.hidden()}) : stack(states, 0), state};
}
// [/run]

}  // namespace

Recurrent::Recurrent(const char* name, RecurrentOptions options) : name_(name), options_(options) {
  if (options.layers < 1)
    throw std::invalid_argument(fmt::format("{}: {} layers; at least one is needed", name, options.layers));
  if (!(options.dropout >= 0 && options.dropout < 1))
    throw std::invalid_argument(fmt::format("{}: dropout {} is not in [0, 1)", name, options.dropout));
}

States Recurrent::operator()(const Tensor& x, std::span<const Index> lengths,
                             std::span<const CellState> first, Random* dropout) const {
  Op op(name_, x);
  op.require(x.rank() == 3 && x.shape()[0] == std::ssize(lengths),
             "x needs the shape [{}, S, in] of {} lengths", lengths.size(), lengths.size());
  op.require(first.empty() || first.size() == cells_.size(), "{} first states for {} cells", first.size(),
             cells_.size());
  const Index B = x.shape()[0], S = x.shape()[1];
  Mask::lengths(lengths, S);  // refuses a length that S does not hold
  Mask real({S, B, 1}, std::vector<std::uint8_t>(static_cast<std::size_t>(S * B)));
  std::vector<Mask> keep;  // the same, step by step, [B, 1]
  for (Index t = 0; t < S; ++t) {
    const auto row = real.values.begin() + t * B;
    std::transform(lengths.begin(), lengths.end(), row, [t](Index n) { return t < n; });
    keep.emplace_back(Shape{B, 1}, std::vector<std::uint8_t>(row, row + B));
  }

  const bool padded = std::any_of(lengths.begin(), lengths.end(), [S](Index n) { return n < S; });
  const std::size_t directions = options_.bidirectional ? 2 : 1;
  States states;
  Tensor layer = permute(x, {1, 0, 2});  // [S, B, in]
  std::vector<Tensor> outputs, lasts;
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    const bool reverse = k % directions == 1;
    if (k && !reverse) layer = lookback::dropout(layer, options_.dropout, dropout);
    const Run r = run(*cells_[k], layer, keep, first.empty() ? cells_[k]->zero(B) : first[k], reverse);
    outputs.push_back(r.h);
    lasts.push_back(r.final.h);
    states.final.push_back(r.final);
    if (outputs.size() < directions) continue;
    const Tensor all = directions == 1 ? outputs[0] : concat(outputs, -1);  // [S, B, D H]
    layer = padded ? where(real, all, Tensor(all.shape())) : all;
    states.last = directions == 1 ? lasts[0] : concat(lasts, -1);
    outputs.clear(), lasts.clear();
  }
  states.h = permute(layer, {1, 0, 2});
  return states;
}

}  // namespace lookback::inline LOOKBACK_NS
