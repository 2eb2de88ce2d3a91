#include "core/tape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/pool.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// A bump arena: chunks are filled from the front and all reused by the next tape, so that after the first
// step recording an op asks nobody for memory.
class Arena {
 public:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    std::size_t at = (used_ + alignment - 1) / alignment * alignment;
    while (chunk_ >= chunks_.size() || at + bytes > chunks_[chunk_].bytes) {
      if (chunk_ < chunks_.size()) ++chunk_;
      at = 0;
      if (chunk_ == chunks_.size()) {
        const std::size_t size = std::max(bytes, std::size_t{1} << 18);
        chunks_.push_back({static_cast<std::byte*>(pool_allocate(size)), size});
      }
    }
    used_ = at + bytes;
    return chunks_[chunk_].data + at;
  }
  void rewind() { chunk_ = used_ = 0; }
  ~Arena() {
    for (const Chunk& c : chunks_) pool_release(c.data, c.bytes);
  }

 private:
  struct Chunk {
    std::byte* data;
    std::size_t bytes;
  };
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0, used_ = 0;
};

thread_local Arena arena;
thread_local std::uint32_t last_serial = 0;
thread_local std::vector<Tape::Node> spare_nodes;  // the last tape's list, kept for its capacity

}  // namespace

thread_local Tape* Tape::current_ = nullptr;

Tape::Tape(Options options) : options_(options), serial_(last_serial + 1) {
  if (current_) throw std::logic_error("Tape: this thread has one already; one tape at a time");
  last_serial = serial_;
  nodes_.swap(spare_nodes);
  current_ = this;
}

Tape::~Tape() {
  while (!nodes_.empty()) pop();
  arena.rewind();
  nodes_.swap(spare_nodes);
  current_ = nullptr;
}

void* Tape::arena_allocate(std::size_t bytes, std::size_t alignment) {
  return arena.allocate(bytes, alignment);
}

void Tape::pop() noexcept {
  nodes_.back().destroy(nodes_.back().closure);
  nodes_.pop_back();
}

void Tape::backward(const Tensor& root) {
  if (root.size() != 1)
    throw std::invalid_argument(
        fmt::format("backward: root {} is not a scalar; pass a seed of its shape", to_string(root.shape())));
  backward(root, Tensor(root.shape(), 1));
}

void Tape::backward(const Tensor& root, const Tensor& seed) {
  if (ran_) throw std::logic_error("backward: this tape has run; record a new one");
  if (!root.wants_grad())
    throw std::invalid_argument(
        fmt::format("backward: root {} depends on nothing that wants a gradient", to_string(root.shape())));
  if (root.tape() != serial_)
    throw std::invalid_argument(
        fmt::format("backward: root {} was not recorded on this tape", to_string(root.shape())));
  if (seed.shape() != root.shape())
    throw std::invalid_argument(fmt::format("backward: seed {} has not the shape of root {}",
                                            to_string(seed.shape()), to_string(root.shape())));
  const Real* from = seed.data();  // refuses an empty one
  ran_ = true;
  Real* grad = root.grad();
  for (Index i = 0; i < root.size(); ++i) grad[i] += from[i];
  while (!nodes_.empty()) {
    nodes_.back().run(nodes_.back().closure);
    pop();
  }
}

}  // namespace lookback::inline LOOKBACK_NS
