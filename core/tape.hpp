// Tape: the record of what was computed, read backward for gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "core/tensor.hpp"

namespace lookback::inline LOOKBACK_NS {

// One recorded op, for printing and drawing.
struct TracedOp {
  const char* name;
  std::vector<Tensor> inputs;  // as the op received them, constants too; those of concat and stack one by one
  Tensor output;
};

// While a Tape lives, ops on tensors that want gradients are recorded, in the order they ran, so that
// backward is one reverse loop over a flat vector: no graph, no sort, no recursion. Without one nothing is
// recorded. One tape at a time in a thread; it runs backward once.
//
//   Tape tape;
//   Tensor loss = cross_entropy(readout(decode(batch)), batch.target);
//   tape.backward(loss);
class Tape {
 public:
  struct Options {
    bool check_numbers = false;  // stop at the first op whose output is not finite, naming it and its shapes
    bool trace = false;          // keep every op's inputs and output, and so their gradients
  };

  Tape() : Tape(Options{}) {}
  explicit Tape(Options options);  // throws std::logic_error when this thread has one already
  ~Tape();
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Adds dL/dx to every leaf x that wants a gradient, newest op first; each op frees what it kept as it goes.
  // The root is a scalar recorded on this tape, or comes with a seed of its shape. Throws
  // std::invalid_argument, or std::logic_error when the tape has run or a value that a gradient needs was
  // changed in the meantime; what newer ops had added to leaves by then stays there, to be dropped.
  void backward(const Tensor& root);
  void backward(const Tensor& root, const Tensor& seed);

  std::size_t size() const { return nodes_.size(); }  // ops recorded and not yet run
  std::uint32_t serial() const { return serial_; }
  const Options& options() const { return options_; }
  bool watches() const { return options_.check_numbers || options_.trace; }  // more to do than record
  static Tape* current() { return current_; }

  // With {.trace = true}: the ops in the order they ran, before backward and after, until this tape ends. The
  // gradient of an output that nothing came to is missing: has_grad() says so.
  std::span<const TracedOp> trace() const { return trace_; }
  void trace(TracedOp op) { trace_.push_back(std::move(op)); }  // for Op

  // For Op: `closure()` adds the gradients of one op's inputs. It lies in the arena, as do its captures.
  template <class Closure>
  void record(const char* name, Closure closure) {
    void* place = arena_allocate(sizeof(Closure), alignof(Closure));
    auto* c = ::new (place) Closure(std::move(closure));
    nodes_.push_back({name, c, [](void* p) { (*static_cast<Closure*>(p))(); },
                      [](void* p) noexcept { static_cast<Closure*>(p)->~Closure(); }});
  }

  static void* arena_allocate(std::size_t bytes, std::size_t alignment);  // valid until this tape ends

  struct Node {
    const char* name;
    void* closure;
    void (*run)(void*);
    void (*destroy)(void*) noexcept;
  };

 private:
  void pop() noexcept;

  std::vector<Node> nodes_;
  std::vector<TracedOp> trace_;
  Options options_;
  std::uint32_t serial_;
  bool ran_ = false;
  static thread_local Tape* current_;
};

}  // namespace lookback::inline LOOKBACK_NS
