// Params: the one list of a model's named weights, and how each begins.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "core/tensor.hpp"

namespace lookback::inline LOOKBACK_NS {

using Init = std::function<void(std::span<Real> values, const Shape& shape, Random& random)>;

void zeros(std::span<Real> values, const Shape& shape, Random& random);
void ones(std::span<Real> values, const Shape& shape, Random& random);
// U(-a, a) with a^2 = 6 / (in + out): Glorot and Bengio 2010
void glorot(std::span<Real> values, const Shape& shape, Random& random);
Init uniform(Real bound);     // U(-bound, bound)
Init normal(Real deviation);  // N(0, deviation^2)

struct Param {
  std::string name;  // "decoder.cell.weight_ih"
  Tensor value;
};

// Gives each the values beside it. Throws std::invalid_argument, and changes nothing, when numbers or shapes
// differ.
void assign(std::span<const Param> to, std::span<const Tensor> values);

// A counted handle on one list of named weights, plus a prefix: params["encoder"] is the same list, and what
// is added through it is named "encoder.weight". Optimizers, checkpoints and gradient checks walk this list.
class Params {
 public:
  explicit Params(std::uint64_t seed) : list_(std::make_shared<List>(List{seed, {}, {}})) {}
  // A list whose weights begin as copies of these, and that takes no others: of a model read from a file.
  explicit Params(std::vector<Param> given);

  // A new weight, drawn from the stream of (seed, full name): adding a module changes no other's weights.
  // Throws std::invalid_argument when the name is taken, and, before it allocates anything, when the weight
  // is not among those given, or of another shape there.
  Tensor add(std::string_view name, Shape shape, const Init& init) const;
  Params operator[](std::string_view scope) const;
  std::string name() const { return prefix_.empty() ? "" : prefix_.substr(0, prefix_.size() - 1); }

  // Of the whole list, in the order they were added.
  const std::vector<Param>& all() const { return list_->params; }
  Tensor find(std::string_view full_name) const;  // throws std::out_of_range listing the names
  Index count() const;                            // numbers in all weights together
  bool same_list(const Params& other) const { return list_ == other.list_; }  // whatever the prefixes
  std::uint64_t seed() const { return list_->seed; }

 private:
  struct List {
    std::uint64_t seed;
    std::vector<Param> params;
    std::optional<std::map<std::string, Tensor>> given;
  };
  std::shared_ptr<List> list_;
  std::string prefix_;
};

}  // namespace lookback::inline LOOKBACK_NS
