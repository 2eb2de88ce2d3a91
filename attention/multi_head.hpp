// Multi-head attention.                                        Vaswani et al. 2017, section 3.2.2; PyTorch's names
//
//   q = W_q x + b_q    k = W_k m + b_k    v = W_v m + b_v      each cut into heads of E / heads features
//   alpha = softmax(q k^T / sqrt(E / heads))                   y = W_o [alpha_1 v_1; ..; alpha_heads v_heads] + b_o
#pragma once

#include <string>

#include "attention/attention.hpp"
#include "nn/linear.hpp"

namespace lookback::inline LOOKBACK_NS {

struct MultiHeaded {
  Tensor output;   // [B, T, E]
  Tensor weights;  // [B, heads, T, S]; mean(weights, 1) is what Note I draws
};

class MultiHead {
 public:
  // Throws std::invalid_argument unless heads divides E; then no parameter is added.
  MultiHead(Params params, Index E, Index heads);

  // Keys and values of a memory [B, S, E], once a sentence: any source will do. mask [B, S], true = keep.
  // In Keys: projected k and h v, both [B, S, E], the heads side by side, mask [B, 1, 1, S].
  // Throws std::invalid_argument naming both shapes when memory and mask do not fit.
  Keys read(const Tensor& memory, const Mask& mask = {}) const;
  // x [B, T, E]. causal: the last position of x stands at the last of the keys, and none looks ahead of itself.
  // Where a random stream is passed, the output is made from weights dropped with probability p; those that are
  // returned are whole. Throws std::invalid_argument naming the shapes when x and keys do not fit.
  MultiHeaded operator()(const Tensor& x, const Keys& keys, bool causal = false, Real p = 0,
                         Random* dropout = nullptr) const;
  MultiHeaded self(const Tensor& x, const Mask& mask = {}, bool causal = false, Real p = 0,
                   Random* dropout = nullptr) const {
    return (*this)(x, read(x, mask), causal, p, dropout);
  }

 private:
  Tensor project(const Tensor& x, Index part) const;  // q, k or v: [B, T, E]

  std::string name_;
  Index heads_;
  Tensor weight_, bias_;  // [3E, E], [3E]: rows of W_q, W_k, W_v
  Linear out_;
};

}  // namespace lookback::inline LOOKBACK_NS
