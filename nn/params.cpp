#include "nn/params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace lookback::inline LOOKBACK_NS {
namespace {

Tensor drawn(std::uint64_t seed, const std::string& name, const Shape& shape, const Init& init) {
  Random random = Random::named(seed, name);
  Tensor value(shape);
  init({value.write(), static_cast<std::size_t>(value.size())}, shape, random);
  return value;
}

Tensor copied(const std::map<std::string, Tensor>& given, const std::string& name, const Shape& shape) {
  const auto found = given.find(name);
  if (found == given.end())
    throw std::invalid_argument(fmt::format("only here: {} {}", name, to_string(shape)));
  const Tensor& there = found->second;
  if (there.shape() != shape)
    throw std::invalid_argument(
        fmt::format("{} is {} there and {} here", name, to_string(there.shape()), to_string(shape)));
  Tensor value(shape);
  std::copy_n(there.data(), there.size(), value.write());
  return value;
}

}  // namespace

void zeros(std::span<Real> values, const Shape&, Random&) {
  std::fill(values.begin(), values.end(), Real{0});
}

void ones(std::span<Real> values, const Shape&, Random&) { std::fill(values.begin(), values.end(), Real{1}); }

void glorot(std::span<Real> values, const Shape& shape, Random& random) {
  const Index in = shape.rank() ? shape[-1] : 1, out = shape.rank() > 1 ? shape[-2] : 1;
  uniform(static_cast<Real>(std::sqrt(6.0 / static_cast<double>(std::max(in + out, Index{1})))))(
      values, shape, random);
}

Init uniform(Real bound) {
  return [bound](std::span<Real> values, const Shape&, Random& random) {
    for (Real& v : values) v = static_cast<Real>(random.uniform(-bound, bound));
  };
}

Init normal(Real deviation) {
  return [deviation](std::span<Real> values, const Shape&, Random& random) {
    for (Real& v : values) v = deviation * static_cast<Real>(random.normal());
  };
}

void assign(std::span<const Param> to, std::span<const Tensor> values) {
  const auto fits = [](const Param& p, const Tensor& x) { return p.value.shape() == x.shape(); };
  if (!std::equal(to.begin(), to.end(), values.begin(), values.end(), fits))
    throw std::invalid_argument("assign: these are not as many values, of the same shapes");
  for (std::size_t k = 0; k < to.size(); ++k)
    std::copy_n(values[k].data(), values[k].size(), to[k].value.write());
}

Params::Params(std::vector<Param> given) : Params(0) {
  list_->given.emplace();
  for (Param& p : given) list_->given->emplace(std::move(p.name), std::move(p.value));
}

Tensor Params::add(std::string_view name, Shape shape, const Init& init) const {
  const std::string full = prefix_ + std::string(name);
  for (const Param& p : all())
    if (p.name == full)
      throw std::invalid_argument(
          fmt::format("a parameter named \"{}\" {} exists already", full, to_string(p.value.shape())));
  const Tensor value = list_->given ? copied(*list_->given, full, shape) : drawn(seed(), full, shape, init);
  list_->params.push_back({full, value.want_grad()});
  return value;
}

Params Params::operator[](std::string_view scope) const {
  Params inner = *this;
  inner.prefix_ += std::string(scope) + ".";
  return inner;
}

Tensor Params::find(std::string_view full_name) const {
  std::string known;
  for (const Param& p : all()) {
    if (p.name == full_name) return p.value;
    known += (known.empty() ? "" : ", ") + p.name;
  }
  throw std::out_of_range(fmt::format("no parameter \"{}\"; there are: {}", full_name, known));
}

Index Params::count() const {
  Index n = 0;
  for (const Param& p : all()) n += p.value.size();
  return n;
}

}  // namespace lookback::inline LOOKBACK_NS
