// A golden case: one JSON file of inputs, and of the outputs and gradients that PyTorch computed from them.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/tensor.hpp"

namespace lookback::golden {

struct Want {  // a tensor to arrive at, in the file's precision
  Shape shape;
  std::vector<double> values;
  bool whole = false;  // ids: no tolerance
};

// What a run may ask for. A name that the file lacks throws std::out_of_range, and the case fails.
class Case {
 public:
  Case(std::string name, const nlohmann::json& file);  // throws std::exception when it is not a golden file

  std::string name;
  double rtol = 0, atol = 0;
  std::map<std::string, Want> outputs, grads;
  std::map<std::string, Tensor> cotangents;

  // Of a BLEU case: translations, and the references of each.
  std::vector<std::vector<std::string>> hypotheses;
  std::vector<std::vector<std::vector<std::string>>> references;

  // Inputs and parameters. Those with a gradient in the file want one.
  bool has(const std::string& name) const;
  const Tensor& tensor(const std::string& name) const;
  Tensor tensor_or_none(const std::string& name) const;  // empty when the file has none
  const Ids& ids(const std::string& name) const;
  const Mask& mask(const std::string& name) const;
  // `theirs`, a parameter that a module made, takes the values of the file's `name` and stands for it from
  // now on.
  void bind(const std::string& name, const Tensor& theirs);

  // Attributes: true is 1, null is no number, a list is several.
  double number(const std::string& name) const;
  std::optional<double> number_or_none(const std::string& name) const;  // null or absent
  int integer(const std::string& name) const { return static_cast<int>(number(name)); }
  bool flag(const std::string& name) const { return number(name) != 0; }
  const std::vector<double>& numbers(const std::string& name) const;
  const std::string& text(const std::string& name) const;

 private:
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, Ids> ids_;
  std::map<std::string, Mask> masks_;
  std::map<std::string, std::vector<double>> numbers_;
  std::map<std::string, std::string> texts_;
};

using Outputs = std::map<std::string, Tensor>;
using Run = std::function<Outputs(Case&)>;
using Table = std::map<std::string, Run>;  // from `op`

struct NotBuilt {  // thrown by a run that has not learnt these attributes yet
  std::string what;
};

Table core_runs();
Table nn_runs();
Table attention_runs();
Table transformer_runs();

struct Verdict {
  enum Kind { passed, failed, skipped } kind;
  std::string why;  // one line a tensor that is off
};

Verdict judge(const std::filesystem::path& file, const Table& runs);

}  // namespace lookback::golden
