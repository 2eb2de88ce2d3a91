#include "attention/multi_head.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "attention/heads.hpp"
#include "attention/watch.hpp"
#include "core/op.hpp"
#include "nn/dropout.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// Positions at which both the padding mask [B, 1, 1, S] (or none) and the order of time keep something.
Mask causal_mask(const Mask& mask, Index T, Index S) {
  const Index B = mask.empty() ? 1 : mask.shape[0];
  Mask both({B, 1, T, S}, std::vector<std::uint8_t>(static_cast<std::size_t>(B * T * S)));
  auto to = both.values.begin();
  for (Index b = 0; b < B; ++b)
    for (Index t = 0; t < T; ++t)
      for (Index i = 0; i < S; ++i)
        *to++ = i <= t + S - T && (mask.empty() || mask.values[static_cast<std::size_t>(b * S + i)]);
  return both;
}

Index checked(Index heads, Index E, const std::string& name) {
  if (heads < 1 || E % heads)
    throw std::invalid_argument(fmt::format("{}: {} features cannot be cut into {} heads", name, E, heads));
  return heads;
}

}  // namespace

MultiHead::MultiHead(Params params, Index E, Index heads)
    : name_(params.name()),
      heads_(checked(heads, E, name_)),
      // each of the three as glorot has it
      weight_(params.add("in_proj_weight", {3 * E, E}, uniform(std::sqrt(Real(3) / static_cast<Real>(E))))),
      bias_(params.add("in_proj_bias", {3 * E}, zeros)),
      out_(params["out_proj"], E, E) {}

Tensor MultiHead::project(const Tensor& x, Index part) const {
  const Index E = weight_.cols();
  return linear(x, weight_.reshape({3, E, E}).select(part), bias_.reshape({3, E}).select(part));  // of views
}

Keys MultiHead::read(const Tensor& memory, const Mask& mask) const {
  Op op("multi_head.read", memory);
  op.require(memory.rank() == 3 && memory.cols() == weight_.cols(), "the memory needs the shape [B, S, {}]",
             weight_.cols());
  const Index B = memory.shape()[0], S = memory.shape()[1];
  op.require(mask.empty() || mask.shape == Shape({B, S}), "the mask {} needs the shape [{}, {}]",
             to_string(mask.shape), B, S);
  return {project(memory, 2), project(memory, 1), mask.empty() ? mask : mask.reshape({B, 1, 1, S})};
}

MultiHeaded MultiHead::operator()(const Tensor& x, const Keys& keys, bool causal, Real p,
                                  Random* dropout) const {
  const Op op("multi_head", x, keys.h, keys.projected);
  op.require(x.rank() == 3 && x.cols() == weight_.cols(), "x needs the shape [B, T, {}]", weight_.cols());
  const Index B = x.shape()[0], T = x.shape()[1], E = x.cols(), S = keys.h.shape()[1];
  const Shape read({B, S, E});
  op.require(keys.h.shape() == read && keys.projected.shape() == read,
             "this x needs keys and values of the shape [{}, S, {}]", B, E);
  op.require(keys.mask.empty() || keys.mask.shape == Shape({B, 1, 1, S}),
             "the keys' mask {} needs the shape [{}, 1, 1, {}]", keys.mask.shape, B, S);
  const Mask mask = causal ? causal_mask(keys.mask, T, S) : keys.mask;
  const Tensor alpha = head_weights(project(x, 0), keys.projected, heads_, mask);
  Watch::show(name_, alpha);
  return {out_(head_contexts(lookback::dropout(alpha, p, dropout), keys.h)), alpha};
}

}  // namespace lookback::inline LOOKBACK_NS
