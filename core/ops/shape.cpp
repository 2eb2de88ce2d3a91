// Operations that move values without changing them; each gradient moves back the way its value came.
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/op.hpp"
#include "core/ops.hpp"
#include "core/ops/broadcast.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// Calls f(to, from, n, step) for each row of `shape`: n places from `to` on, where `from` advances by `step`, and
// by stride[i] along axis i.
template <class F>
void for_each_row(const Shape& shape, const std::array<Index, 4>& stride, F f) {
  std::array<Index, 4> n{1, 1, 1, 1}, s{};
  for (int i = 0; i < shape.rank(); ++i) {
    const auto at = static_cast<std::size_t>(4 - shape.rank() + i);
    n[at] = shape[i];
    s[at] = stride[static_cast<std::size_t>(i)];
  }
  Index to = 0;
  for (Index i = 0; i < n[0]; ++i)
    for (Index j = 0; j < n[1]; ++j)
      for (Index k = 0; k < n[2]; ++k) {
        f(to, i * s[0] + j * s[1] + k * s[2], n[3], s[3]);
        to += n[3];
      }
}

Tensor permuted(const char* name, const Tensor& x, std::span<const int> axes) {
  Op op(name, x);
  op.require(static_cast<int>(axes.size()) == x.rank(), "{} axes are named for {}", axes.size(), x.rank());
  Shape shape = x.shape();
  std::array<Index, 4> stride{};
  std::array<bool, 4> used{};
  int i = 0;
  for (const int named : axes) {
    const int axis = op.axis(x, named);
    op.require(!std::exchange(used[static_cast<std::size_t>(axis)], true), "axis {} is named twice", named);
    stride[static_cast<std::size_t>(i)] = x.shape().stride(axis);
    shape = shape.with(i++, x.shape()[axis]);
  }
  Tensor y = op.output(shape);
  Real* out = y.write();
  const Real* in = x.data();
  for_each_row(shape, stride, [=](Index to, Index from, Index n, Index step) {
    if (step == 1) {
      std::copy_n(in + from, n, out + to);
    } else {
      for (Index i = 0; i < n; ++i) out[to + i] = in[from + i * step];
    }
  });
  op.reads();
  return op.done(y, [=] {
    const Real* dy = y.grad();
    const GradInto dx = x.grad_into();  // each place once
    for_each_row(shape, stride, [=](Index to, Index from, Index n, Index step) {
      if (step == 1) return dx.put(from, n, dy + to);
      for (Index i = 0; i < n; ++i) dx.put(from + i * step, 1, dy + to + i);
    });
  });
}

}  // namespace

Tensor permute(const Tensor& x, std::initializer_list<int> axes) {
  return permuted("permute", x, {axes.begin(), axes.size()});
}

Tensor transpose(const Tensor& x, int i, int j) {
  const Op op("transpose", x);
  std::array<int, 4> axes{0, 1, 2, 3};
  std::swap(axes[static_cast<std::size_t>(op.axis(x, i))], axes[static_cast<std::size_t>(op.axis(x, j))]);
  return permuted("transpose", x, {axes.data(), static_cast<std::size_t>(x.rank())});
}

Tensor slice(const Tensor& x, int axis, Index start, Index stop) {
  Op op("slice", x);
  const int a = op.axis(x, axis);
  const Index n = x.shape()[a], inner = x.shape().stride(a);
  op.require(0 <= start && start <= stop && stop <= n, "places {} to {} are not all in 0 .. {} of axis {}",
             start, stop, n, axis);
  Tensor y = op.output(x.shape().with(a, stop - start));
  const Index block = (stop - start) * inner, jump = n * inner, skip = start * inner;
  const Index outer = block ? y.size() / block : 0;
  Real* out = y.write();
  for (Index o = 0; o < outer; ++o) std::copy_n(x.data() + o * jump + skip, block, out + o * block);
  op.reads();
  return op.done(y, [=] {
    const Real* dy = y.grad();
    Real* dx = x.grad() + skip;
    for (Index o = 0; o < outer; ++o)
      for (Index i = 0; i < block; ++i) dx[o * jump + i] += dy[o * block + i];
  });
}

Tensor select(const Tensor& x, int axis, Index i) {
  const Op op("select", x);
  const int a = op.axis(x, axis);
  op.require(0 <= i && i < x.shape()[a], "no place {} along axis {}", i, axis);
  if (a == 0) return x.select(i);
  return slice(x, a, i, i + 1).reshape(x.shape().without(a));
}

Tensor concat(std::span<const Tensor> list, int axis) {
  Op op("concat", list);
  op.require(!list.empty(), "there is nothing to join");
  const int a = op.axis(list[0], axis);
  Index total = 0;
  for (const Tensor& x : list) {
    op.require(x.rank() == list[0].rank() && x.shape().with(a, 0) == list[0].shape().with(a, 0),
               "{} and {} differ in more than axis {}", list[0].shape(), x.shape(), axis);
    total += x.shape()[a];
  }
  Tensor y = op.output(list[0].shape().with(a, total));
  const Index inner = y.shape().stride(a), jump = total * inner, outer = jump ? y.size() / jump : 0;
  Real* out = y.write();
  for (const Tensor& x : list) {
    const Index block = x.shape()[a] * inner;
    for (Index o = 0; o < outer; ++o) std::copy_n(x.data() + o * block, block, out + o * jump);
    out += block;
  }
  op.reads();
  return op.done(y, [y, jump, outer, a, inner, parts = std::vector<Tensor>(list.begin(), list.end())] {
    const Real* dy = y.grad();
    for (const Tensor& x : parts) {
      const Index block = x.shape()[a] * inner;
      const auto [dx] = grads_into(x);
      for (Index o = 0; o < outer; ++o) dx.put(o * block, block, dy + o * jump);
      dy += block;
    }
  });
}

Tensor stack(std::span<const Tensor> list, int axis) {
  Op op("stack", list);
  op.require(!list.empty(), "there is nothing to join");
  std::vector<Tensor> parts;
  const int rank = list[0].rank(), place = axis < 0 ? axis + rank + 1 : axis;
  op.require(0 <= place && place <= rank && rank < Shape::max_rank, "no axis can be inserted at {}", axis);
  for (const Tensor& x : list) {
    op.require(x.shape() == list[0].shape(), "{} and {} differ", list[0].shape(), x.shape());
    parts.push_back(x.reshape(x.shape().inserted(place, 1)));
  }
  return concat(parts, place);
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  Op op("broadcast_to", x);
  op.require(broadcasts_to(x.shape(), shape), "x does not broadcast to {}", shape);
  const Broadcast walk(shape, x.shape(), shape);
  const Index step = walk.a_step();
  Tensor y = op.output(shape);
  Real* out = y.write();
  const Real* in = x.data();
  walk.for_each_row([=](Index at, Index from, Index, Index n) {
    for (Index i = 0; i < n; ++i) out[at + i] = in[from + i * step];
  });
  op.reads();
  return op.done(y, [=] {
    const Real* dy = y.grad();
    Real* dx = x.grad();
    walk.for_each_row([=](Index at, Index from, Index, Index n) {
      for (Index i = 0; i < n; ++i) dx[from + i * step] += dy[at + i];
    });
  });
}

}  // namespace lookback::inline LOOKBACK_NS
