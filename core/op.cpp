#include "core/op.hpp"

#include <cassert>
#include <cmath>
#include <new>
#include <stdexcept>

namespace lookback::inline LOOKBACK_NS {

template <class Which>
void Op::admit(const Tensor& arg, const char* what, Which which) {
  require(arg.defined(), "{} {} is empty: it has no values yet", what, which);
  const Tape* tape = Tape::current();
  if (!arg.wants_grad() || !tape) return;  // without a tape everything is a constant
  require(arg.tape() == 0 || arg.tape() == tape->serial(),
          "{} {} was recorded on a tape that has ended; detach() it", what, which);
  wants_grad_ = true;
}

void Op::admit_all() {
  for (int i = 0; i < count_; ++i)
    admit(*args_[static_cast<std::size_t>(i)], "argument", static_cast<char>('a' + i));
  for (std::size_t i = 0; i < list_.size(); ++i) admit(list_[i], "tensor", i);
}

int Op::axis(const Tensor& x, int named) const {
  const int axis = named < 0 ? named + x.rank() : named;
  require(0 <= axis && axis < x.rank(), "there is no axis {}", named);
  return axis;
}

Tensor Op::output(Shape shape) const {
  Tensor y(shape, StorageRef::make(shape.size()), 0);
  if (wants_grad_) {
    y.storage_->wants_grad = true;
    y.storage_->tape = Tape::current()->serial();
  }
  return y;
}

Tensor Op::workspace(Shape shape) { return {shape, StorageRef::make(shape.size()), 0}; }

void Op::read(const StorageRef& storage) { read_[static_cast<std::size_t>(read_count_++)] = &storage; }

Op::Reads Op::take_reads(const Tensor& y) {
  if (reads_all_) {
    assert(list_.empty());  // an op over a list says what it reads
    for (int i = 0; i < count_; ++i) read(args_[static_cast<std::size_t>(i)]->storage());
    read(y.storage());
  }
  const auto n = static_cast<std::size_t>(read_count_);
  auto* seen = static_cast<Seen*>(Tape::arena_allocate(n * sizeof(Seen), alignof(Seen)));
  for (std::size_t i = 0; i < n; ++i) {
    const StorageRef& s = *read_[i];
    char letter = 0;
    for (int k = count_; k-- > 0;)
      if (args_[static_cast<std::size_t>(k)]->storage() == s) letter = static_cast<char>('a' + k);
    ::new (seen + i) Seen{s, s->version, letter};
  }
  return Reads(name_, y.storage(), {seen, n});
}

Op::Reads::~Reads() {
  for (Seen& s : seen_) s.~Seen();
}

void Op::Reads::check() const {
  for (const Seen& s : seen_)
    if (s.storage->version != s.version) [[unlikely]]
      throw std::logic_error(
          fmt::format("backward: {}'s {} changed after the forward pass (version {}, now {}); step the "
                      "optimizer after backward",
                      name_, s.argument ? fmt::format("argument {}", s.argument) : "output", s.version,
                      s.storage->version));
}

void Op::inspect(const Tensor& y) const {
  Tape* tape = Tape::current();
  if (tape->options().check_numbers)
    for (Index i = 0; i < y.size(); ++i)
      require(std::isfinite(y.data()[i]), "the output {} holds {} at place {}", y.shape(), y.data()[i], i);
  if (tape->options().trace && wants_grad_) {
    std::vector<Tensor> inputs;
    for (int i = 0; i < count_; ++i) inputs.push_back(*args_[static_cast<std::size_t>(i)]);
    inputs.insert(inputs.end(), list_.begin(), list_.end());
    tape->trace({name_, std::move(inputs), y});
  }
}

void Op::fail(const std::string& why) const {
  std::string args;
  const auto add = [&](const Tensor& t) {
    args += (args.empty() ? "" : ", ") + (t.defined() ? to_string(t.shape()) : std::string("empty"));
  };
  for (int i = 0; i < count_; ++i) add(*args_[static_cast<std::size_t>(i)]);
  for (const Tensor& t : list_) add(t);
  throw std::invalid_argument(fmt::format("{}({}): {}", name_, args, why));
}

}  // namespace lookback::inline LOOKBACK_NS
