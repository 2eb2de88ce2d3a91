// Every operation of the engine, one a line, its formula after it. Arguments are never changed; each op is
// differentiable in its tensor arguments unless it says otherwise. Axes may be negative: -1 is the last.
// Wrong shapes throw std::invalid_argument naming op and shapes; ids out of range throw std::out_of_range.
#pragma once

#include <optional>
#include <span>

#include "core/ids.hpp"
#include "core/tensor.hpp"

namespace lookback::inline LOOKBACK_NS {

// One op a line, however long.
// clang-format off
// Element by element. Shapes broadcast: aligned at the last axis, equal or 1 (NumPy's rule).
Tensor add(const Tensor& a, const Tensor& b);                          // a + b
Tensor sub(const Tensor& a, const Tensor& b);                          // a - b
Tensor mul(const Tensor& a, const Tensor& b);                          // a b
Tensor div(const Tensor& a, const Tensor& b);                          // a / b
Tensor scale(const Tensor& x, Real factor);                            // factor x
Tensor neg(const Tensor& x);                                           // -x
Tensor exp(const Tensor& x);                                           // e^x
Tensor log(const Tensor& x);                                           // ln x
Tensor sqrt(const Tensor& x);                                          // x^(1/2)
Tensor pow(const Tensor& x, Real exponent);                            // x^exponent
Tensor tanh(const Tensor& x);                                          // (e^x - e^-x) / (e^x + e^-x)
Tensor sigmoid(const Tensor& x);                                       // 1 / (1 + e^-x)
Tensor relu(const Tensor& x);                                          // max(x, 0), gradient 0 at 0
Tensor where(const Mask& keep, const Tensor& a, const Tensor& b);      // keep ? a : b; the mask broadcasts to a's shape
Tensor masked_fill(const Tensor& x, const Mask& replace, Real value);  // replace ? value : x

// Reductions over one axis, which disappears or, with keepdim, becomes 1; without an axis over everything.
Tensor sum(const Tensor& x);                                           // sum_i x_i                          -> []
Tensor sum(const Tensor& x, int axis, bool keepdim = false);           // [.., n, ..] -> [.., ..]
Tensor mean(const Tensor& x);                                          // sum x / n; refuses n = 0
Tensor mean(const Tensor& x, int axis, bool keepdim = false);          // sum over the axis / n
Tensor max(const Tensor& x, int axis, bool keepdim = false);           // the largest; the gradient goes to the first of equals
Ids argmax(const Tensor& x);                                           // [.., n] -> [..]: place of the largest, or of the first NaN; no gradient

// Shape. Tensor::reshape and Tensor::select are views and need no op.
Tensor permute(const Tensor& x, std::initializer_list<int> axes);      // y axis i is x axis axes[i]
Tensor transpose(const Tensor& x, int i = -2, int j = -1);             // swaps two axes
Tensor slice(const Tensor& x, int axis, Index start, Index stop);      // places start .. stop-1 of one axis
Tensor select(const Tensor& x, int axis, Index i);                     // one place of an axis, which disappears
Tensor concat(std::span<const Tensor> list, int axis);                 // one after the other along an axis
Tensor stack(std::span<const Tensor> list, int axis);                  // along a new axis
Tensor broadcast_to(const Tensor& x, const Shape& shape);              // repeats axes of size 1

// Products. Leading axes are batch axes and broadcast.
Tensor matmul(const Tensor& a, const Tensor& b);                       // A B       [.., n, k], [.., k, m] -> [.., n, m]
Tensor matmul_nt(const Tensor& a, const Tensor& b);                    // A B^T     [.., n, k], [.., m, k] -> [.., n, m]
Tensor matmul_tn(const Tensor& a, const Tensor& b);                    // A^T B     [.., k, n], [.., k, m] -> [.., n, m]
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});  // x W^T + b   x [.., in], W [out, in] -> [.., out]

// Over the last axis.
Tensor normalize(const Tensor& x, Real epsilon = Real(1e-8));          // x / max(|x|, epsilon)
Tensor layer_norm(const Tensor& x, const Tensor& weight = {}, const Tensor& bias = {}, Real epsilon = Real(1e-5));  // w (x - mean) / sqrt(var + epsilon) + b

// Look-ups by id.
Tensor gather(const Tensor& x, const Ids& ids, int axis);              // y[.., i, ..] = x[.., ids[.., i, ..], ..]
Tensor index_select(const Tensor& x, const Ids& ids, int axis);        // places ids[i] of one axis; ids [n]
Tensor lookup(const Tensor& table, const Ids& ids, std::optional<std::int32_t> pad = {});  // rows: [V, E], [..] -> [.., E]; pad: no gradient

// The softmax family. A mask has the rank of x, each axis equal or 1; true = keep.
Tensor softmax(const Tensor& x, int axis = -1);                        // e^x_i / sum_j e^x_j
Tensor log_softmax(const Tensor& x, int axis = -1);                    // x_i - ln sum_j e^x_j
Tensor masked_softmax(const Tensor& x, const Mask& keep);              // softmax over the kept places of the last axis; 0 elsewhere
// clang-format on

// + - * / between tensors, and with numbers.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& x);
Tensor operator*(Real factor, const Tensor& x);
Tensor operator/(const Tensor& x, Real divisor);

}  // namespace lookback::inline LOOKBACK_NS
