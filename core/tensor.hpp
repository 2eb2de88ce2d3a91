// Tensor: an array of numbers that can carry a gradient.
//
// Dimensions, here and everywhere:
//   B batch    S source length    T target length    E embedding    H hidden    A alignment layer    V vocabulary
// Values:
//   h encoder states    s decoder state    e scores    alpha weights    c context    y output
// (Note II writes N for B, max_len for S or T, C for V.)
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/shape.hpp"

namespace lookback::inline LOOKBACK_NS {

// What tensors share: the values, their gradient, and how often they changed. Counts are not atomic: a handle
// belongs to the thread that made it.
struct Storage {
  std::uint32_t refs = 1;
  std::uint32_t version = 0;  // raised by every write
  std::uint32_t tape = 0;     // serial of the tape that recorded it, 0 for a leaf
  bool wants_grad = false;
  Index size = 0;
  Real* data = nullptr;
  Real* grad = nullptr;  // nullptr until the first gradient arrives
  struct Packed {        // the values once more, in the order that products of many rows read them
    Real* data = nullptr;
    Index columns = 0;
    std::uint32_t version = 0;
  } packed{};
};

// A counted handle on one storage; no shape.
class StorageRef {
 public:
  StorageRef() = default;
  StorageRef(const StorageRef& o) noexcept : storage_(o.storage_) {
    if (storage_) ++storage_->refs;
  }
  StorageRef(StorageRef&& o) noexcept : storage_(std::exchange(o.storage_, nullptr)) {}
  StorageRef& operator=(StorageRef o) noexcept {
    std::swap(storage_, o.storage_);
    return *this;
  }
  ~StorageRef() {
    if (storage_ && --storage_->refs == 0) destroy(storage_);
  }
  static StorageRef make(Index size);  // contents undefined
  Storage* operator->() const { return storage_; }
  explicit operator bool() const { return storage_ != nullptr; }
  bool operator==(const StorageRef&) const = default;

 private:
  static void destroy(Storage* storage) noexcept;
  Storage* storage_ = nullptr;
};

// A gradient buffer to fill. When fresh, its contents are undefined and every value must be assigned;
// otherwise add to what is there.
struct GradInto {
  Real* data;  // nullptr: nobody wants it
  bool fresh;

  void put(Index at, Index n, const Real* values) const {  // assigns or adds
    if (!data) return;
    Real* to = data + at;
    if (fresh) {
      for (Index i = 0; i < n; ++i) to[i] = values[i];
    } else {
      for (Index i = 0; i < n; ++i) to[i] += values[i];
    }
  }
};

// A shape and a handle on values: pass it by const reference, keep it anywhere. Copies share values and
// gradient. Row-major. `reshape` and `select` are views: the same values, the gradient lands in place,
// nothing is recorded.
class Tensor {
 public:
  Tensor() = default;  // empty: no shape, no values
  explicit Tensor(Shape shape, Real value = 0);
  Tensor(Shape shape, std::vector<Real> values);  // throws std::invalid_argument when the counts differ

  bool defined() const { return static_cast<bool>(storage_); }
  const Shape& shape() const { return shape_; }
  Index size() const { return shape_.size(); }
  int rank() const { return shape_.rank(); }
  Index cols() const { return rank() ? shape_[-1] : 1; }                            // the last axis
  Index rows() const { return cols() ? size() / cols() : size_of_leading_axes(); }  // all axes before it

  const Real* data() const { return checked()->data + offset_; }
  // The only way to change values. Call it for each change: what was derived from them is made anew after it.
  Real* write() const {
    ++checked()->version;
    return storage_->data + offset_;
  }
  // This matrix as gemm_packed takes it, made at the first call and again after a write. nullptr in double, and
  // for a view of a part.
  const Real* packed() const;
  std::span<const Real> values() const { return {data(), static_cast<std::size_t>(size())}; }
  Real item() const;                                  // the value of a tensor that has one; else throws
  Real at(std::initializer_list<Index> place) const;  // range-checked

  // dL/dx: zeros on first use, add to it. backward() fills it; an optimizer reads it and drops it.
  Real* grad() const;
  GradInto grad_into() const;  // for kernels that assign a fresh gradient
  // The same, but over the values when only the tape still holds them: the closure that calls this, and the one of
  // the op that made them. They are gone then.
  GradInto grad_over_values() const;
  bool has_grad() const { return checked()->grad != nullptr; }
  void drop_grad() const;
  Tensor grad_tensor() const;  // a copy of the gradient as a constant

  bool wants_grad() const { return storage_ && storage_->wants_grad; }
  const Tensor& want_grad() const;  // make a leaf one that gradients are kept for; returns it
  std::uint32_t version() const { return checked()->version; }
  std::uint32_t tape() const { return checked()->tape; }
  const StorageRef& storage() const { return storage_; }

  // Same values in another shape of equal size; one size may be -1: the rest. Throws naming both shapes.
  Tensor reshape(Shape shape) const;
  Tensor reshape(std::initializer_list<Index> sizes) const;
  Tensor select(Index i) const;  // x[i] along the leading axis; throws when out of range
  Tensor detach() const;         // a copy of the values as a constant

 private:
  friend class Op;
  Tensor(Shape shape, StorageRef storage, Index offset)
      : shape_(shape), storage_(std::move(storage)), offset_(offset) {}
  const StorageRef& checked() const {
    if (!storage_) [[unlikely]]
      refuse_empty();
    return storage_;
  }
  [[noreturn]] static void refuse_empty();
  Index size_of_leading_axes() const;

  Shape shape_;
  StorageRef storage_;
  Index offset_ = 0;
};

}  // namespace lookback::inline LOOKBACK_NS
