#include "nn/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/nearest_name.hpp"
#include "nn/safetensors.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

const std::string version = "1", optimizer_prefix = "optimizer.", best_prefix = "best.",
                  past_prefix = "past.";

bool reserved(const std::string& name) {
  return name.starts_with(optimizer_prefix) || name.starts_with(best_prefix) || name.starts_with(past_prefix);
}

template <class... A>
void require(const std::string& path, bool good, fmt::format_string<A...> why, A&&... a) {
  if (!good) throw std::runtime_error(path + ": " + fmt::format(why, std::forward<A>(a)...));
}

// The list with another beginning of its names; those that do not begin so are left out.
std::vector<Param> renamed(const std::vector<Param>& list, const std::string& from, const std::string& to) {
  std::vector<Param> all;
  for (const auto& [name, value] : list)
    if (name.starts_with(from)) all.push_back({to + name.substr(from.size()), value});
  return all;
}

std::string some(const std::vector<std::string>& names) {  // "a, b, c and 4 more"
  if (names.empty()) return "none";
  const std::size_t shown = std::min<std::size_t>(names.size(), 3);
  const std::string more = shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<Index>(shown), ", "), more);
}

// The values there in the order of those here.
std::vector<Tensor> matched(const std::string& path, const std::vector<Param>& here,
                            const std::vector<Param>& there) {
  std::map<std::string, Tensor> rest;
  for (const auto& [name, value] : there) rest.emplace(name, value);
  std::vector<std::string> only_here, only_there, sizes;
  std::vector<Tensor> values;
  for (const auto& [name, value] : here) {
    const auto found = rest.extract(name);
    if (found.empty()) {
      only_here.push_back(name);
      continue;
    }
    values.push_back(found.mapped());
    const std::string ours = to_string(value.shape()), theirs = to_string(values.back().shape());
    if (ours != theirs) sizes.push_back(fmt::format("{} is {} there and {} here", name, theirs, ours));
  }
  for (const auto& [name, value] : rest) only_there.push_back(name);
  const std::string like = only_here.empty() ? "" : nearest_name(only_here[0], only_there);
  const std::string hint = like.empty() ? "" : fmt::format("; is {} meant for {}?", like, only_here[0]);
  require(path, only_here.empty() && only_there.empty(), "only here: {}; only there: {}{}", some(only_here),
          some(only_there), hint);
  require(path, sizes.empty(), "{}", some(sizes));
  return values;
}

void require_finite(const std::string& what, const std::vector<Param>& tensors) {
  for (const auto& [name, x] : tensors)
    for (const Real v : x.values()) require(what, std::isfinite(v), "{} holds {}", name, v);
}

// Any program's file: another's holds weights alone.
Checkpoint read(const std::string& path) {
  TensorFile file = read_safetensors(path);
  require_finite(path, file.tensors);
  Checkpoint c;
  c.path = path;
  c.text = std::move(file.text);
  if (c.text["format"] != "lookback") {
    c.weights = std::move(file.tensors);
    return c;
  }
  require(path, c.text["version"] == version, "a checkpoint of version \"{}\"; this program reads \"{}\"",
          c.text["version"], version);
  require(path, c.text.contains("checksum"), "damaged: the checksum is missing");
  c.optimizer = renamed(file.tensors, optimizer_prefix, "");
  c.best = renamed(file.tensors, best_prefix, "");
  c.past = renamed(file.tensors, past_prefix, "");
  for (Param& p : file.tensors)
    if (!reserved(p.name)) c.weights.push_back(std::move(p));
  return c;
}

}  // namespace

void Checkpoint::restore(const Params& params, Optimizer* here) const try {
  const std::vector<Tensor> values = matched(path, params.all(), weights);
  if (here)
    here->restore(params, matched(path, renamed(here->state(params), "", optimizer_prefix),
                                  renamed(optimizer, "", optimizer_prefix)));
  assign(params.all(), values);
} catch (const std::invalid_argument& error) {  // of the optimizer's
  throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
}

void save_checkpoint(const std::string& path, const Checkpoint& run) {
  const std::string what = "cannot write " + path;
  TensorFile file{run.weights, run.text};
  for (const Param& p : run.weights) require(what, !reserved(p.name), "no weight can be named {}", p.name);
  for (const Param& p : renamed(run.optimizer, "", optimizer_prefix)) file.tensors.push_back(p);
  for (const Param& p : renamed(run.best, "", best_prefix)) file.tensors.push_back(p);
  for (const Param& p : renamed(run.past, "", past_prefix)) file.tensors.push_back(p);
  require_finite(what, file.tensors);
  file.text["format"] = "lookback";
  file.text["version"] = version;
  write_safetensors(path, file);
}

Checkpoint load_checkpoint(const std::string& path) {
  Checkpoint c = read(path);
  require(path, c.text["format"] == "lookback",
          "weights alone, from another program: there is no run to go on with");
  return c;
}

void load_weights(const std::string& path, const Params& params, const std::string& from) {
  std::string scope = params.name(), prefix = from;
  for (std::string* name : {&scope, &prefix})
    if (!name->empty()) *name += '.';
  const std::vector<Param> here = renamed(params.all(), scope, prefix);
  require(path, !here.empty(), "no parameter's name begins with \"{}\"", scope);
  assign(here, matched(path, here, renamed(read(path).weights, prefix, prefix)));
}

}  // namespace lookback::inline LOOKBACK_NS
