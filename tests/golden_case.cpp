#include "golden_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/ops.hpp"
#include "core/tape.hpp"

namespace lookback::golden {
namespace {

using nlohmann::json;

Shape shape_of(const json& sizes) {
  Shape shape;
  for (const Index size : sizes) shape = shape.inserted(shape.rank(), size);
  return shape;
}

Want want_of(const json& j) {
  if (j.is_number()) return {{}, {j.get<double>()}};  // a BLEU case's plain numbers and lists
  if (j.is_array()) return {{static_cast<Index>(j.size())}, j};
  Want want{shape_of(j.at("shape")), j.at("data"), j.at("dtype") == "i64" || j.at("dtype") == "bool"};
  if (want.shape.size() != static_cast<Index>(want.values.size()))
    throw std::invalid_argument(fmt::format("{} values for {}", want.values.size(), to_string(want.shape)));
  return want;
}

template <class T>
std::vector<T> cast(const std::vector<double>& values) {
  return std::vector<T>(values.begin(), values.end());
}

Tensor tensor_of(const Want& want) { return Tensor(want.shape, cast<Real>(want.values)); }

template <class T>
const T& find(const std::map<std::string, T>& map, const std::string& name, const char* kind) {
  const auto at = map.find(name);
  if (at == map.end()) throw std::out_of_range(fmt::format("the file has no {} {}", kind, name));
  return at->second;
}

std::vector<double> numbers_of(const json& j) {
  if (j.is_null()) return {};
  if (j.is_boolean()) return {j.get<bool>() ? 1.0 : 0.0};
  if (j.is_array()) return j;
  return {j.get<double>()};
}

std::string place(const Shape& shape, Index i) {  // "[1, 0, 2]"
  Shape at = shape;
  for (int axis = 0; axis < shape.rank(); ++axis) at = at.with(axis, i / shape.stride(axis) % shape[axis]);
  return to_string(at);
}

// |got - want| <= atol + rtol |want| for every value. Returns nothing, or a line about the first one off.
std::string compare(const Case& c, const std::string& what, const Want& want, const Shape& shape,
                    std::span<const Real> got) {
  if (shape != want.shape)
    return fmt::format("{}: {}: got shape {}, want {}\n", c.name, what, to_string(shape),
                       to_string(want.shape));
  std::string first;
  int off = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double allowed = want.whole ? 0 : c.atol + c.rtol * std::abs(want.values[i]);
    if (std::abs(got[i] - want.values[i]) <= allowed) continue;  // false for a NaN
    if (off++ == 0)
      first = fmt::format("at {}: got {:.9g}, want {:.9g}, allowed {:.2g}",
                          place(shape, static_cast<Index>(i)), got[i], want.values[i], allowed);
  }
  return off ? fmt::format("{}: {}: {}; {} of {} off\n", c.name, what, first, off, got.size()) : "";
}

std::string check_outputs(const Case& c, const Outputs& got) {
  std::string off;
  for (const auto& [name, want] : c.outputs) {
    const auto y = got.find(name);
    off += y == got.end() ? fmt::format("{}: output {} is missing\n", c.name, name)
                          : compare(c, "output " + name, want, y->second.shape(), y->second.values());
  }
  return off;
}

std::string check_grads(const Case& c) {
  std::string off;
  for (const auto& [name, want] : c.grads) {
    const Tensor dx = c.tensor(name).grad_tensor();  // zeros when none arrived
    off += compare(c, "gradient of " + name, want, dx.shape(), dx.values());
  }
  return off;
}

Tensor loss_of(const Case& c, const Outputs& got) {  // sum over the cotangents of sum(output cotangent)
  Tensor loss;
  for (const auto& [name, cotangent] : c.cotangents) {
    const Tensor part = sum(mul(got.at(name), cotangent));
    loss = loss.defined() ? add(loss, part) : part;
  }
  return loss;
}

std::string run_and_check(Case& c, const Run& run) {
  std::optional<Tape> tape;  // an optimizer's case has no loss and records on tapes of its own
  if (!c.cotangents.empty()) tape.emplace();
  const Outputs got = run(c);
  const std::string off = check_outputs(c, got);
  if (!off.empty() || !tape) return off;
  tape->backward(loss_of(c, got));
  return check_grads(c);
}

}  // namespace

Case::Case(std::string name, const json& file)
    : name(std::move(name)), rtol(file.at("rtol")), atol(file.at("atol")) {
  for (const auto& [key, value] : file.at("attrs").items()) {
    if (value.is_string())
      texts_[key] = value;
    else
      numbers_[key] = numbers_of(value);
  }
  for (const char* group : {"inputs", "params"})
    for (const auto& [key, value] : file.at(group).items()) {
      if (key == "hypotheses") hypotheses = value.get<decltype(hypotheses)>();
      if (key == "references") references = value.get<decltype(references)>();
      if (value.is_array()) continue;
      const Want input = want_of(value);
      const std::string dtype = value.at("dtype");
      if (dtype == "i64")
        ids_[key] = Ids(input.shape, cast<std::int32_t>(input.values));
      else if (dtype == "bool")
        masks_[key] = Mask(input.shape, cast<std::uint8_t>(input.values));
      else
        tensors_[key] = tensor_of(input);
    }
  for (const auto& [key, value] : file.at("outputs").items()) outputs[key] = want_of(value);
  for (const auto& [key, value] : file.at("cotangents").items()) cotangents[key] = tensor_of(want_of(value));
  for (const auto& [key, value] : file.at("grads").items()) {
    grads[key] = want_of(value);
    tensor(key).want_grad();
  }
}

bool Case::has(const std::string& name) const {
  return tensors_.contains(name) || ids_.contains(name) || masks_.contains(name);
}

const Tensor& Case::tensor(const std::string& name) const { return find(tensors_, name, "float tensor"); }
const Ids& Case::ids(const std::string& name) const { return find(ids_, name, "ids"); }
const Mask& Case::mask(const std::string& name) const { return find(masks_, name, "mask"); }
const std::string& Case::text(const std::string& name) const { return find(texts_, name, "text attribute"); }
const std::vector<double>& Case::numbers(const std::string& name) const {
  return find(numbers_, name, "attribute");
}
Tensor Case::tensor_or_none(const std::string& name) const { return has(name) ? tensor(name) : Tensor(); }

double Case::number(const std::string& name) const {
  if (const auto value = number_or_none(name)) return *value;
  throw std::out_of_range(fmt::format("the file has no number {}", name));
}

std::optional<double> Case::number_or_none(const std::string& name) const {
  const auto at = numbers_.find(name);
  if (at == numbers_.end() || at->second.size() != 1) return {};
  return at->second[0];
}

void Case::bind(const std::string& name, const Tensor& theirs) {
  const Tensor& ours = tensor(name);
  if (theirs.shape() != ours.shape())
    throw std::invalid_argument(fmt::format("{} is {} here but {} in the file", name,
                                            to_string(theirs.shape()), to_string(ours.shape())));
  std::copy_n(ours.data(), ours.size(), theirs.write());
  tensors_[name] = theirs;
}

Verdict judge(const std::filesystem::path& file, const Table& runs) try {
  std::ifstream stream(file);
  const json j = json::parse(stream);
  const std::string op = j.at("op");
  const auto run = runs.find(op);
  if (run == runs.end()) throw NotBuilt{op};
  Case c(file.filename().string(), j);
  const std::string off = run_and_check(c, run->second);
  return {off.empty() ? Verdict::passed : Verdict::failed, off};
} catch (const NotBuilt& missing) {
  return {Verdict::skipped, missing.what + " is not built yet"};
} catch (const std::exception& e) {
  return {Verdict::failed, fmt::format("{}: {}\n", file.filename().string(), e.what())};
}

}  // namespace lookback::golden
