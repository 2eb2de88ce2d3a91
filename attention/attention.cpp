#include "attention/attention.hpp"

#include "attention/watch.hpp"
#include "core/op.hpp"

namespace lookback::inline LOOKBACK_NS {

Keys Attention::read(const Tensor& h, const Mask& mask) const {
  Op op("attention.read", h);
  op.require(h.rank() == 3 && h.cols() == sizes_.key, "the states need the shape [B, S, {}]", sizes_.key);
  const Index B = h.shape()[0], S = h.shape()[1];
  op.require(mask.empty() || mask.shape == Shape({B, S}), "the mask {} needs the shape [{}, {}]",
             to_string(mask.shape), B, S);
  return {h, score_->keys(h), mask.empty() ? mask : mask.reshape({B, 1, S})};
}

// [attend]
Attended Attention::operator()(const Tensor& s, const Keys& keys) const {
  Op op("attention", s, keys.h);
  op.require(s.cols() == sizes_.query, "s has {} features, the score takes {}", s.cols(), sizes_.query);
  const Index B = keys.h.shape()[0], S = keys.h.shape()[1];
  if (s.rank() == 2) {  // one step
    const Attended a = (*this)(s.reshape({s.shape()[0], 1, s.cols()}), keys);
    return {a.scores.reshape({B, S}), a.weights.reshape({B, S}), a.context.reshape({B, keys.h.cols()})};
  }
  op.require(s.rank() == 3 && s.shape()[0] == B, "s needs the shape [{}, T, {}]", B, sizes_.query);

  const Tensor e = score_->scores(s, keys.projected);  // [B, T, S]
  op.require(e.shape() == Shape({B, s.shape()[1], S}), "the score \"{}\" returned {}, not [{}, {}, {}]",
             score_name_, to_string(e.shape()), B, s.shape()[1], S);
  const Tensor alpha = keys.mask.empty() ? softmax(e) : masked_softmax(e, keys.mask);  // [B, T, S]
  Watch::show(name_, alpha);
  const Tensor c = matmul(alpha, keys.h);  // [B, T, key]
  return {e, alpha, c};
}
// [/attend]

}  // namespace lookback::inline LOOKBACK_NS
