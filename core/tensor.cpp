#include "core/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <type_traits>

#include "core/kernels/gemm.hpp"
#include "core/pool.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

std::size_t bytes_of(Index size) {
  constexpr Index most = static_cast<Index>(PTRDIFF_MAX / sizeof(Real));
  if (size > most) throw std::bad_alloc();
  return static_cast<std::size_t>(size) * sizeof(Real);
}

[[maybe_unused]] Index packed_size_of(const Storage& s, Index columns) {
  return packed_size(s.size / columns, columns);
}

void release_packed(Storage& s) {
  pool_release(std::exchange(s.packed.data, nullptr), bytes_of(packed_size_of(s, s.packed.columns)));
}

Real* allocate(Index size) { return static_cast<Real*>(pool_allocate(bytes_of(size))); }

}  // namespace

StorageRef StorageRef::make(Index size) {
  Real* data = allocate(size);
  StorageRef ref;
  ref.storage_ = ::new (pool_allocate(sizeof(Storage))) Storage{.size = size, .data = data};
  return ref;
}

void StorageRef::destroy(Storage* s) noexcept {
  if (s->data) pool_release(s->data, bytes_of(s->size));
  if (s->grad) pool_release(s->grad, bytes_of(s->size));
  if (s->packed.data) release_packed(*s);
  pool_release(s, sizeof(Storage));
}

Tensor::Tensor(Shape shape, Real value) : shape_(shape), storage_(StorageRef::make(shape.size())) {
  std::fill_n(storage_->data, size(), value);
}

Tensor::Tensor(Shape shape, std::vector<Real> values) : shape_(shape) {
  if (shape.size() != static_cast<Index>(values.size()))
    throw std::invalid_argument(
        fmt::format("Tensor{}: {} values were given", to_string(shape), values.size()));
  storage_ = StorageRef::make(size());
  std::copy(values.begin(), values.end(), storage_->data);
}

void Tensor::refuse_empty() { throw std::logic_error("an empty Tensor was used: it has no values yet"); }

Index Tensor::size_of_leading_axes() const {
  Index n = 1;
  for (int i = 0; i + 1 < rank(); ++i) n *= shape_[i];
  return n;
}

Real Tensor::item() const {
  if (size() != 1) throw std::invalid_argument(fmt::format("item: {} has not one value", to_string(shape_)));
  return *data();
}

Real Tensor::at(std::initializer_list<Index> place) const {
  Index offset = 0;
  int axis = 0;
  bool inside = static_cast<int>(place.size()) == rank();
  for (const Index i : place) {
    if (!inside) break;
    inside = i >= 0 && i < shape_[axis];
    offset += i * shape_.stride(axis++);
  }
  if (!inside)
    throw std::out_of_range(
        fmt::format("at: no place [{}] in {}", fmt::join(place, ", "), to_string(shape_)));
  return data()[offset];
}

const Real* Tensor::packed() const {
  if constexpr (std::is_same_v<Real, float>) {
    Storage& s = *checked().operator->();
    if (size() != s.size || rank() != 2 || s.size == 0) return nullptr;
    Storage::Packed& p = s.packed;
    if (p.data && p.columns == cols() && p.version == s.version) return p.data;
    if (p.data && p.columns != cols()) release_packed(s);
    if (!p.data) p.data = allocate(packed_size_of(s, cols()));
    pack_weight(rows(), cols(), data(), cols(), p.data);
    p.columns = cols();
    p.version = s.version;
    return p.data;
  }
  return nullptr;
}

Real* Tensor::grad() const {
  Storage& s = *checked().operator->();
  if (!s.grad) {
    s.grad = allocate(s.size);
    std::fill_n(s.grad, s.size, Real{0});
  }
  return s.grad + offset_;
}

GradInto Tensor::grad_into() const {
  Storage& s = *checked().operator->();
  if (s.grad || size() != s.size) return {grad(), false};
  s.grad = allocate(s.size);
  return {s.grad, true};
}

GradInto Tensor::grad_over_values() const {
  constexpr std::uint32_t of_the_tape = 4;  // each closure has one handle, and what Op notes of it another
  Storage& s = *checked().operator->();
  if (s.tape == 0 || s.refs != of_the_tape || s.grad || size() != s.size) return grad_into();
  s.grad = std::exchange(s.data, nullptr);
  return {s.grad, true};
}

void Tensor::drop_grad() const {
  Storage& s = *checked().operator->();
  if (s.grad) pool_release(std::exchange(s.grad, nullptr), bytes_of(s.size));
}

Tensor Tensor::grad_tensor() const {
  Tensor copy(shape_);
  if (has_grad()) std::copy_n(storage_->grad + offset_, size(), copy.storage_->data);
  return copy;
}

const Tensor& Tensor::want_grad() const {
  if (tape())
    throw std::logic_error("want_grad: only a leaf can be asked to keep a gradient, not an op's output");
  storage_->wants_grad = true;
  return *this;
}

Tensor Tensor::reshape(Shape shape) const {
  checked();
  if (shape.size() != size())
    throw std::invalid_argument(fmt::format("reshape({} -> {}): {} values do not fill {}", to_string(shape_),
                                            to_string(shape), size(), shape.size()));
  return Tensor(shape, storage_, offset_);
}

Tensor Tensor::reshape(std::initializer_list<Index> sizes) const {
  const auto rest = std::find(sizes.begin(), sizes.end(), Index{-1});
  if (rest == sizes.end()) return reshape(Shape(sizes));
  Shape known;  // with 1 for what is not
  for (const Index n : sizes) known = known.inserted(-1, n == -1 ? 1 : n);
  if (std::count(sizes.begin(), sizes.end(), Index{-1}) > 1 || known.size() == 0 ||
      size() % known.size() != 0)
    throw std::invalid_argument(fmt::format("reshape({} -> [{}]): the size for -1 cannot be found",
                                            to_string(shape_), fmt::join(sizes, ", ")));
  return reshape(known.with(static_cast<int>(rest - sizes.begin()), size() / known.size()));
}

Tensor Tensor::select(Index i) const {
  checked();
  if (rank() == 0 || i < 0 || i >= shape_[0])
    throw std::out_of_range(
        fmt::format("select: no place {} along the leading axis of {}", i, to_string(shape_)));
  return Tensor(shape_.without(0), storage_, offset_ + i * shape_.stride(0));
}

Tensor Tensor::detach() const {
  Tensor copy(shape_);
  std::copy_n(data(), size(), copy.storage_->data);
  return copy;
}

}  // namespace lookback::inline LOOKBACK_NS
