// Watch: looking at every attention's weights without changing the model. Note I's forward hook, as a scope.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/tensor.hpp"

namespace lookback::inline LOOKBACK_NS {

// While it lives, in this thread, each attention that computes weights shows them under its parameter name:
//
//   Attention attend(params["decoder.cross"], "additive", sizes);
//   Watch watch([&](const std::string& name, const Tensor& weights) {
//     if (name == "decoder.cross") alignment.add(weights);  // a step: [B, 1, S]
//   });
//
// An AttentionDecoder made with params["decoder"] has "decoder.attn0", a head each, a TransformerDecoder
// "decoder.layers.0.self_attn" and "decoder.layers.0.multihead_attn". Weights are [B, T, S], or [B, heads, T, S]
// from multi-head attention; they are the model's own, not a copy: read them, do not write. A watch inside
// another sees first. What `see` throws comes out of the attention; an attention that runs inside `see` is not
// shown.
class Watch {
 public:
  using See = std::function<void(const std::string& name, const Tensor& weights)>;
  explicit Watch(See see) : see_(std::move(see)), outer_(current_) { current_ = this; }
  ~Watch() { current_ = outer_; }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  static void show(const std::string& name, const Tensor& weights) {  // for attentions
    const struct Hidden {
      Watch* all = std::exchange(current_, nullptr);
      ~Hidden() { current_ = all; }
    } watches;
    for (const Watch* w = watches.all; w; w = w->outer_) w->see_(name, weights);
  }

 private:
  See see_;
  Watch* outer_;
  static inline thread_local Watch* current_ = nullptr;
};

}  // namespace lookback::inline LOOKBACK_NS
