// Op: the five beats of every operation: name and arguments, require, output, forward, backward.
//
//   Tensor tanh(const Tensor& x) {                          // y = tanh(x)
//     Op op("tanh", x);
//     Tensor y = op.output(x.shape());
//     vtanh(x.size(), x.data(), y.write());
//     op.reads(y);
//     return op.done(y, [=] {                               // dx += dy (1 - y^2)
//       ...
//     });
//   }
#pragma once

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <utility>

#include "core/tape.hpp"
#include "core/tensor.hpp"

template <>  // a message that is not thrown costs no text: `require` takes shapes as they are
struct fmt::formatter<lookback::Shape> : fmt::formatter<std::string> {
  auto format(const lookback::Shape& shape, format_context& context) const {
    return fmt::formatter<std::string>::format(to_string(shape), context);
  }
};

namespace lookback::inline LOOKBACK_NS {

class Op {
 public:
  // Lvalues only, so that no argument can dangle. Refuses an empty tensor and one recorded on a tape that has
  // ended.
  template <class... T>
  explicit Op(const char* name, T&... args) : name_(name) {
    static_assert(sizeof...(T) <= max_args);
    (argument(args), ...);
    admit_all();
  }
  void optional(const Tensor& arg) {  // one more argument, unless it is empty
    if (!arg.defined()) return;
    argument(arg);
    admit_all();
  }

  template <class... A>
  void require(bool ok, fmt::format_string<A...> why, A&&... a) const {
    if (!ok) [[unlikely]]
      fail(fmt::format(why, std::forward<A>(a)...));
  }

  int axis(const Tensor& x, int named) const;  // counted from the front; refuses one that x has not

  Tensor output(Shape shape) const;      // contents undefined
  static Tensor workspace(Shape shape);  // the same for what a closure keeps: a constant

  // The values the closure needs unchanged; without a call: all arguments and the output. Called once.
  template <class... T>
  void reads(const T&... values) {
    static_assert(sizeof...(T) <= max_args + 1);
    reads_all_ = false;
    (read(values.storage()), ...);
  }

  // Records `gradient`, which adds dL/d(argument) to each argument that wants it, reading y.grad().
  // It is skipped when no gradient arrives at y. Captures by value ([=]) keep tensors alive until it has run.
  template <class Gradient>
  Tensor done(const Tensor& y, Gradient gradient) {
    if (const Tape* tape = Tape::current(); tape && tape->watches()) [[unlikely]]
      inspect(y);
    if (wants_grad_)
      Tape::current()->record(name_, [reads = take_reads(y), gradient = std::move(gradient)] {
        if (!reads.output_has_grad()) return;
        reads.check();
        gradient();
      });
    return y;
  }

 private:
  static constexpr int max_args = 8;

  struct Seen {
    StorageRef storage;
    std::uint32_t version;
    char argument;  // 'a', 'b', ... or 0 for the output
  };
  // What one closure reads, with the versions it saw: a slice of the tape's arena.
  class Reads {
   public:
    Reads(const char* name, StorageRef output, std::span<Seen> seen)
        : name_(name), output_(std::move(output)), seen_(seen) {}
    Reads(Reads&& o) noexcept
        : name_(o.name_), output_(std::move(o.output_)), seen_(std::exchange(o.seen_, {})) {}
    ~Reads();
    bool output_has_grad() const { return output_->grad != nullptr; }
    void check() const;

   private:
    const char* name_;
    StorageRef output_;
    std::span<Seen> seen_;
  };

  void argument(const Tensor& arg) { args_[static_cast<std::size_t>(count_++)] = &arg; }
  void argument(std::span<const Tensor> list) { list_ = list; }
  template <class Which>
  void admit(const Tensor& arg, const char* what, Which which);
  void admit_all();  // after all are known, so that a message can show every shape
  void read(const StorageRef& storage);
  Reads take_reads(const Tensor& y);
  void inspect(const Tensor& y) const;  // what the tape's options ask for
  [[noreturn]] void fail(const std::string& why) const;

  const char* name_;
  int count_ = 0;  // arguments in args_
  std::array<const Tensor*, max_args> args_{};
  std::span<const Tensor> list_;  // or one list of them
  int read_count_ = 0;
  std::array<const StorageRef*, max_args + 1> read_{};
  bool reads_all_ = true;
  bool wants_grad_ = false;
};

// Where each argument's gradient goes. Two that share a storage add to it: what one assigned the other would
// overwrite.
template <class... T>
std::array<GradInto, sizeof...(T)> grads_into(const T&... args) {
  const auto into = [&](const Tensor& t) {
    if (!t.wants_grad()) return GradInto{nullptr, false};
    const bool alone = (int{args.storage() == t.storage()} + ...) == 1;
    return alone ? t.grad_into() : GradInto{t.grad(), false};
  };
  return {into(args)...};
}

}  // namespace lookback::inline LOOKBACK_NS
