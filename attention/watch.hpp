// Watch: looking at every attention's weights without changing the model. Note I's forward hook, as a scope.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/tensor.hpp"

namespace lookback::inline LOOKBACK_NS {

// While it lives, in this thread, each attention that computes weights shows them under its parameter name:
//
//   Watch watch([&](const std::string& name, const Tensor& weights) {
//     if (name == "decoder.cross") alignment.add(weights);
//   });
//
// Weights are [B, T, S], or [B, heads, T, S] from multi-head attention. A watch inside another sees first.
class Watch {
 public:
  using See = std::function<void(const std::string& name, const Tensor& weights)>;
  explicit Watch(See see) : see_(std::move(see)), outer_(current_) { current_ = this; }
  ~Watch() { current_ = outer_; }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  static void show(const std::string& name, const Tensor& weights) {  // for attentions
    for (const Watch* w = current_; w; w = w->outer_) w->see_(name, weights);
  }

 private:
  See see_;
  Watch* outer_;
  static inline thread_local Watch* current_ = nullptr;
};

}  // namespace lookback::inline LOOKBACK_NS
