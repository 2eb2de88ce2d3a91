#include "examples/kit/worked_example.hpp"

#include <algorithm>
#include <map>

namespace lookback::inline LOOKBACK_NS {
namespace {

// [given]
// By score and parameter.
const std::map<std::string, std::map<std::string, std::vector<Real>>>& given() {
  static const std::map<std::string, std::map<std::string, std::vector<Real>>> all = {
      {"general", {{"W", {0, 1, 1, 0}}}},
      {"additive", {{"W1", {1, 0, 0, 1}}, {"W2", {1, 0, 0, 1}}, {"v", {1, 1}}}},
      {"concat", {{"W", {1, 0, 1, 0, 0, 1, 0, 1}}, {"v", {1, 1}}}}};
  return all;
}
// [/given]

}  // namespace

Tensor example_h() { return Tensor({1, 3, 2}, {1, 0, 0, 1, 1, 1}); }

Tensor example_s() { return Tensor({1, 2}, {Real(0.9), Real(0.2)}); }

bool has_example_parameters(const std::string& name) { return given().count(name) > 0; }

Attention example_score(const std::string& name, const Params& params) {
  const Attention attend(params, name, {.query = 2, .key = 2, .hidden = 2});
  if (has_example_parameters(name))
    for (const auto& [parameter, values] : given().at(name))
      std::copy(values.begin(), values.end(), params.find(parameter).write());
  return attend;
}

}  // namespace lookback::inline LOOKBACK_NS
