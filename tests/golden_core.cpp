// The ops of core/ops.hpp under the names of the golden files.
#include <fmt/format.h>

#include <span>
#include <stdexcept>

#include "core/ops.hpp"
#include "golden_case.hpp"

namespace lookback::golden {
namespace {

Run unary(Tensor (*f)(const Tensor&)) {
  return [f](Case& c) { return Outputs{{"y", f(c.tensor("x"))}}; };
}

Run binary(Tensor (*f)(const Tensor&, const Tensor&)) {
  return [f](Case& c) { return Outputs{{"y", f(c.tensor("a"), c.tensor("b"))}}; };
}

Run along_axis(Tensor (*f)(const Tensor&, int axis)) {
  return [f](Case& c) { return Outputs{{"y", f(c.tensor("x"), c.integer("axis"))}}; };
}

Run reduction(Tensor (*one_axis)(const Tensor&, int axis, bool keepdim), Tensor (*all)(const Tensor&)) {
  return [=](Case& c) {
    const Tensor& x = c.tensor("x");
    if (!c.number_or_none("axis")) return Outputs{{"y", all(x)}};
    return Outputs{{"y", one_axis(x, c.integer("axis"), c.flag("keepdim"))}};
  };
}

Run of_list(Tensor (*f)(std::span<const Tensor>, int axis)) {  // x0, x1, ..
  return [f](Case& c) {
    std::vector<Tensor> list;
    while (c.has(fmt::format("x{}", list.size()))) list.push_back(c.tensor(fmt::format("x{}", list.size())));
    return Outputs{{"y", f(list, c.integer("axis"))}};
  };
}

Run by_ids(Tensor (*f)(const Tensor&, const Ids&, int axis)) {
  return [f](Case& c) { return Outputs{{"y", f(c.tensor("x"), c.ids("ids"), c.integer("axis"))}}; };
}

Tensor permute_by(const Tensor& x, const std::vector<double>& axes) {
  const auto a = [&](std::size_t i) { return static_cast<int>(axes[i]); };
  switch (axes.size()) {
    case 1:
      return permute(x, {a(0)});
    case 2:
      return permute(x, {a(0), a(1)});
    case 3:
      return permute(x, {a(0), a(1), a(2)});
    case 4:
      return permute(x, {a(0), a(1), a(2), a(3)});
  }
  throw std::invalid_argument(fmt::format("permute by {} axes", axes.size()));
}

Shape shape_attr(const Case& c) {
  Shape shape;
  for (const double size : c.numbers("shape")) shape = shape.inserted(shape.rank(), static_cast<Index>(size));
  return shape;
}

Outputs matmul_any(Case& c) {
  const Tensor &a = c.tensor("a"), &b = c.tensor("b");
  const bool ta = c.flag("transpose_a"), tb = c.flag("transpose_b");
  if (ta && tb) return {{"y", matmul_nt(transpose(a), b)}};
  return {{"y", ta ? matmul_tn(a, b) : tb ? matmul_nt(a, b) : matmul(a, b)}};
}

Outputs max_and_place(Case& c) {
  const Tensor& x = c.tensor("x");
  const int axis = x.shape().axis(c.integer("axis"));
  std::vector<double> axes;  // argmax wants its axis last
  for (int i = 0; i < x.rank(); ++i)
    if (i != axis) axes.push_back(i);
  axes.push_back(axis);
  const Tensor y = max(x, axis, c.flag("keepdim"));
  const Ids ids = argmax(permute_by(x, axes));
  return {{"y", y}, {"indices", Tensor(y.shape(), std::vector<Real>(ids.values.begin(), ids.values.end()))}};
}

Outputs slice_step_1(Case& c) {
  if (c.integer("step") != 1) throw NotBuilt{"slice with a step"};
  return {{"y", slice(c.tensor("x"), c.integer("axis"), c.integer("start"), c.integer("stop"))}};
}

Outputs permute_attr(Case& c) { return {{"y", permute_by(c.tensor("x"), c.numbers("axes"))}}; }
Outputs reshape_attr(Case& c) { return {{"y", c.tensor("x").reshape(shape_attr(c))}}; }
Outputs permute_reshape(Case& c) {
  return {{"y", permute_by(c.tensor("x"), c.numbers("axes")).reshape(shape_attr(c))}};
}
Outputs select_attr(Case& c) { return {{"y", select(c.tensor("x"), c.integer("axis"), c.integer("index"))}}; }
Outputs broadcast_attr(Case& c) { return {{"y", broadcast_to(c.tensor("x"), shape_attr(c))}}; }
Outputs pow_attr(Case& c) { return {{"y", pow(c.tensor("x"), static_cast<Real>(c.number("exponent")))}}; }
Outputs mul_self(Case& c) { return {{"y", c.tensor("a") * c.tensor("a") + c.tensor("a")}}; }
Outputs masked_fill_attr(Case& c) {
  return {{"y", masked_fill(c.tensor("x"), c.mask("mask"), static_cast<Real>(c.number("value")))}};
}
Outputs layer_norm_named(Case& c) {
  return {{"y", layer_norm(c.tensor("x"), c.tensor_or_none("weight"), c.tensor_or_none("bias"),
                           static_cast<Real>(c.number("eps")))}};
}

Outputs masked_softmax_named(Case& c) {
  return {{"weights", masked_softmax(c.tensor("scores"), c.mask("mask"))}};
}
Outputs linear_maybe_bias(Case& c) {
  return {{"y", linear(c.tensor("x"), c.tensor("weight"), c.tensor_or_none("bias"))}};
}

}  // namespace

Table core_runs() {
  return {
      {"add", binary(add)},
      {"sub", binary(sub)},
      {"mul", binary(mul)},
      {"div", binary(div)},
      {"mul_self", mul_self},
      {"neg", unary(neg)},
      {"exp", unary(exp)},
      {"log", unary(log)},
      {"sqrt", unary(sqrt)},
      {"pow", pow_attr},
      {"tanh", unary(tanh)},
      {"sigmoid", unary(sigmoid)},
      {"relu", unary(relu)},
      {"masked_fill", masked_fill_attr},
      {"sum", reduction(sum, sum)},
      {"mean", reduction(mean, mean)},
      {"max", max_and_place},
      {"reshape", reshape_attr},
      {"permute", permute_attr},
      {"permute_reshape", permute_reshape},
      {"slice", slice_step_1},
      {"select", select_attr},
      {"concat", of_list(concat)},
      {"stack", of_list(stack)},
      {"broadcast_to", broadcast_attr},
      {"matmul", matmul_any},
      {"linear", linear_maybe_bias},
      {"gather", by_ids(gather)},
      {"index_select", by_ids(index_select)},
      {"softmax", along_axis(softmax)},
      {"log_softmax", along_axis(log_softmax)},
      {"layer_norm", layer_norm_named},
      {"masked_softmax", masked_softmax_named},
  };
}

}  // namespace lookback::golden
