// Every op of core/ops.hpp against finite differences, in double, at points away from kinks.
#include <algorithm>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/gradcheck.hpp"
#include "core/ops.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;
using In = std::vector<Tensor>;

struct Row {
  std::string op;
  In x;
  std::function<Tensor(const In&)> f;
};
struct Table : std::vector<Row> {
  void operator()(std::string op, In x, std::function<Tensor(const In&)> f) { push_back({op, x, f}); }
};

Tensor leaf(Shape shape, Real low = -1, Real high = 1) {
  static std::uint64_t seed = 0;
  return random_leaf(shape, ++seed, low, high);
}
Tensor positive(Shape shape) { return leaf(shape, 0.5, 2); }
Tensor off_zero(Shape shape) {  // 0.1 <= |x| < 1.1
  const Tensor x = leaf(shape);
  std::transform(x.data(), x.data() + x.size(), x.write(), [](Real v) { return v < 0 ? v - 0.1 : v + 0.1; });
  return x;
}

void add_elementwise(Table& row) {
  const auto f_add = [](auto& x) { return add(x[0], x[1]); };
  const auto f_sub = [](auto& x) { return sub(x[0], x[1]); };
  const auto f_mul = [](auto& x) { return mul(x[0], x[1]); };
  const auto f_div = [](auto& x) { return div(x[0], x[1]); };
  const std::vector<std::pair<Shape, Shape>> pairs = {
      {{3, 5}, {3, 5}},          {{2, 3, 5}, {5}},       {{4, 1}, {1, 3}},
      {{1}, {2, 1, 3}},          {{}, {2, 3}},           {{}, {}},
      {{1, 1}, {1, 1}},          {{3, 1, 2}, {3, 1, 2}}, {{2, 3, 5}, {3, 1}},
      {{2, 1, 3, 1}, {5, 1, 2}}, {{0, 3}, {1, 3}},       {{1}, {0}},
  };
  for (const auto& [a, b] : pairs) {
    row("add", {leaf(a), leaf(b)}, f_add);
    row("sub", {leaf(a), leaf(b)}, f_sub);
    row("mul", {leaf(a), leaf(b)}, f_mul);
    row("div", {leaf(a), positive(b)}, f_div);
  }
  for (const Shape& s : {Shape{3, 5}, Shape{1}, Shape{}, Shape{2, 1, 3, 1}, Shape{0, 3}}) {
    row("scale", {leaf(s)}, [](auto& x) { return scale(x[0], -1.5); });
    row("neg", {leaf(s)}, [](auto& x) { return neg(x[0]); });
    row("exp", {leaf(s)}, [](auto& x) { return exp(x[0]); });
    row("log", {positive(s)}, [](auto& x) { return log(x[0]); });
    row("sqrt", {positive(s)}, [](auto& x) { return sqrt(x[0]); });
    row("pow", {positive(s)}, [](auto& x) { return pow(x[0], -1.7); });
    row("pow", {off_zero(s)}, [](auto& x) { return pow(x[0], 3); });
    row("tanh", {leaf(s, -3, 3)}, [](auto& x) { return tanh(x[0]); });
    row("sigmoid", {leaf(s, -3, 3)}, [](auto& x) { return sigmoid(x[0]); });
    row("relu", {off_zero(s)}, [](auto& x) { return relu(x[0]); });
  }
  row("add", {leaf({3})}, [](auto& x) { return add(x[0], x[0]); });
  row("sub", {leaf({3})}, [](auto& x) { return sub(x[0], x[0]); });
  row("mul", {leaf({3})}, [](auto& x) { return mul(x[0], x[0]); });
  row("mul", {leaf({2, 3})}, [](auto& x) { return mul(x[0], x[0].select(1)); });  // and its own row
  row("div", {positive({3})}, [](auto& x) { return div(x[0], x[0]); });
  row("operator+", {leaf({3}), leaf({2, 1})}, [](auto& x) { return x[0] + x[1]; });
  row("operator-", {leaf({3}), leaf({2, 1})}, [](auto& x) { return -(x[0] - x[1]); });
  row("operator*", {leaf({3}), leaf({2, 1})}, [](auto& x) { return 0.3 * (x[0] * x[1]); });
  row("operator/", {leaf({3}), positive({2, 1})}, [](auto& x) { return x[0] / x[1] / 0.3; });

  const Mask rows_of({2, 1, 1}, {1, 0}), every({2, 3, 2}, {1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1});
  for (const Mask& mask : {rows_of, every}) {
    row("where", {leaf({2, 3, 2}), leaf({2, 3, 2})}, [=](auto& x) { return where(mask, x[0], x[1]); });
    row("where", {leaf({2, 3, 2})}, [=](auto& x) { return where(mask, x[0], x[0]); });
    row("masked_fill", {leaf({2, 3, 2})}, [=](auto& x) { return masked_fill(x[0], mask, -7); });
  }
}

void add_reductions(Table& row) {
  for (const Shape& s : {Shape{3, 5}, Shape{1}, Shape{}, Shape{2, 1, 3, 1}, Shape{0, 3}})
    row("sum", {leaf(s)}, [](auto& x) { return sum(x[0]); });
  for (const Shape& s : {Shape{3, 5}, Shape{1}, Shape{}, Shape{2, 1, 3, 1}})
    row("mean", {leaf(s)}, [](auto& x) { return mean(x[0]); });
  for (const bool keepdim : {false, true})
    for (const int axis : {0, 1, 2, -1, -2, -3})
      for (const Shape& s : {Shape{2, 3, 5}, Shape{1, 4, 1}, Shape{3, 1, 2}}) {
        row("sum", {leaf(s)}, [=](auto& x) { return sum(x[0], axis, keepdim); });
        row("mean", {leaf(s)}, [=](auto& x) { return mean(x[0], axis, keepdim); });
        row("max", {leaf(s)}, [=](auto& x) { return max(x[0], axis, keepdim); });
      }
  row("sum", {leaf({0, 3})}, [](auto& x) { return sum(x[0], 0); });
  row("sum", {leaf({3, 0})}, [](auto& x) { return sum(x[0], 0); });
  row("mean", {leaf({0, 3})}, [](auto& x) { return mean(x[0], 1); });
  row("max", {leaf({0, 3})}, [](auto& x) { return max(x[0], 1); });
}

void add_shape_ops(Table& row) {
  const auto concat_all = [](int axis) { return [axis](auto& x) { return concat(x, axis); }; };
  const auto stack_all = [](int axis) { return [axis](auto& x) { return stack(x, axis); }; };
  row("permute", {leaf({2, 3, 5})}, [](auto& x) { return permute(x[0], {2, 0, 1}); });
  row("permute", {leaf({2, 1, 3, 5})}, [](auto& x) { return permute(x[0], {-1, 1, 0, -2}); });
  row("permute", {leaf({})}, [](auto& x) { return permute(x[0], {}); });
  row("permute", {leaf({2, 0})}, [](auto& x) { return permute(x[0], {1, 0}); });
  row("transpose", {leaf({3, 5})}, [](auto& x) { return transpose(x[0]); });
  row("transpose", {leaf({2, 3, 1, 5})}, [](auto& x) { return transpose(x[0], 1, -1); });
  row("transpose", {leaf({3, 0})}, [](auto& x) { return transpose(x[0], -1, 0); });
  row("slice", {leaf({2, 5, 3})}, [](auto& x) { return slice(x[0], 1, 1, 4); });
  row("slice", {leaf({2, 5})}, [](auto& x) { return slice(x[0], -2, 1, 2); });
  row("slice", {leaf({2, 5})}, [](auto& x) { return slice(x[0], 1, 5, 5); });  // nothing of it
  row("select", {leaf({2, 5, 3})}, [](auto& x) { return select(x[0], 1, 4); });
  row("select", {leaf({2, 5, 3})}, [](auto& x) { return scale(select(x[0], -3, 1), 2); });
  row("concat", {leaf({2, 3}), leaf({1, 3}), leaf({0, 3})}, concat_all(0));
  row("concat", {leaf({2, 1, 3}), leaf({2, 4, 3}), leaf({2, 0, 3})}, concat_all(-2));
  row("concat", {leaf({2, 3})}, [](auto& x) { return concat(In{x[0], x[0]}, -1); });
  row("concat", {leaf({0}), leaf({0})}, concat_all(0));
  row("stack", {leaf({2, 3}), leaf({2, 3})}, stack_all(0));
  row("stack", {leaf({2, 3}), leaf({2, 3})}, stack_all(-1));
  row("stack", {leaf({})}, [](auto& x) { return stack(In{x[0], x[0], x[0]}, 0); });
  row("broadcast_to", {leaf({3, 1})}, [](auto& x) { return broadcast_to(x[0], {2, 3, 5}); });
  row("broadcast_to", {leaf({})}, [](auto& x) { return broadcast_to(x[0], {2, 3}); });
  row("broadcast_to", {leaf({2, 3})}, [](auto& x) { return broadcast_to(x[0], {2, 3}); });
  row("broadcast_to", {leaf({1})}, [](auto& x) { return broadcast_to(x[0], {0}); });
}

void add_products(Table& row) {
  const auto swapped = [](const Shape& s) { return s.with(-1, s[-2]).with(-2, s[-1]); };
  const std::vector<std::pair<Shape, Shape>> pairs = {
      {{3, 5}, {5, 2}},
      {{1, 1}, {1, 1}},
      {{1, 5}, {5, 1}},
      {{5, 1}, {1, 3}},
      {{4, 3, 5}, {4, 5, 2}},
      {{4, 3, 5}, {5, 2}},
      {{3, 5}, {4, 5, 2}},
      {{1, 3, 5}, {4, 5, 2}},
      {{4, 3, 5}, {1, 5, 2}},
      {{2, 1, 3, 5}, {4, 5, 2}},
      {{2, 4, 1, 5}, {5, 2}},
      {{3, 5}, {2, 1, 5, 2}},
      {{2, 1, 3, 2}, {1, 4, 2, 3}},
      {{2, 4, 3, 5}, {2, 1, 5, 1}},
      {{2, 0}, {0, 3}},
      {{0, 3}, {3, 2}},
      {{4, 2, 0}, {0, 3}},
      {{0, 2, 3}, {1, 3, 2}},
  };
  for (const auto& [a, b] : pairs) {
    row("matmul", {leaf(a), leaf(b)}, [](auto& x) { return matmul(x[0], x[1]); });
    row("matmul_nt", {leaf(a), leaf(swapped(b))}, [](auto& x) { return matmul_nt(x[0], x[1]); });
    row("matmul_tn", {leaf(swapped(a)), leaf(b)}, [](auto& x) { return matmul_tn(x[0], x[1]); });
  }
  row("matmul", {leaf({3, 3})}, [](auto& x) { return matmul(x[0], x[0]); });
  row("matmul", {leaf({2, 3, 3})}, [](auto& x) { return matmul(x[0], x[0].select(1)); });
  row("matmul_nt", {leaf({2, 3, 5})}, [](auto& x) { return matmul_nt(x[0], x[0]); });
  row("matmul_tn", {leaf({2, 3, 5})}, [](auto& x) { return matmul_tn(x[0], x[0]); });
  for (const Shape& s : {Shape{3, 5}, Shape{5}, Shape{2, 1, 5}, Shape{2, 1, 3, 5}, Shape{0, 5}}) {
    row("linear", {leaf(s), leaf({2, 5}), leaf({2})}, [](auto& x) { return linear(x[0], x[1], x[2]); });
    row("linear", {leaf(s), leaf({2, 5})}, [](auto& x) { return linear(x[0], x[1]); });
  }
  row("linear", {leaf({3, 0}), leaf({2, 0}), leaf({2})}, [](auto& x) { return linear(x[0], x[1], x[2]); });
  row("linear", {leaf({3, 2}), leaf({0, 2}), leaf({0})}, [](auto& x) { return linear(x[0], x[1], x[2]); });
  row("linear", {leaf({3, 5})}, [](auto& x) { return linear(x[0], x[0]); });
  row("linear", {leaf({1, 1})}, [](auto& x) { return linear(x[0], x[0], x[0].reshape({1})); });
  for (const Shape& s : {Shape{3, 5}, Shape{1}, Shape{2, 1, 3, 5}, Shape{5, 1}, Shape{0, 5}, Shape{5, 0}}) {
    row("normalize", {off_zero(s)}, [](auto& x) { return normalize(x[0]); });
    row("normalize", {leaf(s)}, [](auto& x) { return normalize(x[0], 9); });  // all shorter than epsilon
  }
  for (const Shape& s : {Shape{3, 5}, Shape{2, 1, 3, 5}, Shape{2}, Shape{0, 5}, Shape{3, 1}}) {
    row("layer_norm", {leaf(s)}, [](auto& x) { return layer_norm(x[0]); });
    row("layer_norm", {leaf(s), leaf({s[-1]}), leaf({s[-1]})},
        [](auto& x) { return layer_norm(x[0], x[1], x[2]); });
    row("layer_norm", {leaf(s), leaf({s[-1]})}, [](auto& x) { return layer_norm(x[0], x[1], x[1]); });
  }
}

void add_lookups(Table& row) {
  const Ids picks({2, 2, 3}, {0, 1, 1, 3, 3, 3, 2, 0, 2, 0, 1, 3});
  row("gather", {leaf({2, 4, 3})}, [=](auto& x) { return gather(x[0], picks, -2); });
  row("gather", {leaf({3, 4})}, [](auto& x) { return gather(x[0], Ids({3, 1}, {3, 0, 3}), 1); });
  row("gather", {leaf({3})}, [](auto& x) { return gather(x[0], Ids({5}, {2, 2, 0, 2, 1}), 0); });
  row("gather", {leaf({3, 4})}, [](auto& x) { return gather(x[0], Ids(Shape{3, 0}), 1); });
  row("index_select", {leaf({2, 4, 3})}, [](auto& x) { return index_select(x[0], Ids({3}, {3, 0, 3}), 1); });
  row("index_select", {leaf({4, 3})}, [](auto& x) { return index_select(x[0], Ids(Shape{1}, 2), -1); });
  row("index_select", {leaf({4, 3})}, [](auto& x) { return index_select(x[0], Ids(Shape{0}), 0); });
  row("lookup", {leaf({5, 3})}, [](auto& x) { return lookup(x[0], Ids({2, 2}, {4, 0, 4, 4})); });
  row("lookup", {leaf({1, 1})}, [](auto& x) { return lookup(x[0], Ids(Shape{1}, 0)); });
  row("lookup", {leaf({5, 3})}, [](auto& x) { return lookup(x[0], Ids(Shape{}, 2)); });
  row("lookup", {leaf({5, 3})}, [](auto& x) { return lookup(x[0], Ids(Shape{0, 2})); });
}

void add_softmaxes(Table& row) {
  for (const Shape& s : {Shape{3, 5}, Shape{2, 1, 4}, Shape{3, 1}, Shape{0, 3}, Shape{3, 0}})
    for (const int axis : {-1, -2, 0}) {
      row("softmax", {leaf(s, -2, 2)}, [=](auto& x) { return softmax(x[0], axis); });
      row("log_softmax", {leaf(s, -2, 2)}, [=](auto& x) { return log_softmax(x[0], axis); });
    }
  row("softmax", {leaf({1})}, [](auto& x) { return softmax(x[0]); });
  row("log_softmax", {leaf({2, 3, 2, 2})}, [](auto& x) { return log_softmax(x[0], 1); });
  const std::vector<Mask> masks = {
      Mask({2, 1, 4}, {1, 1, 0, 0, 1, 1, 1, 1}),  // lengths, as attention has them
      Mask({1, 3, 4}, {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0}),
      Mask({2, 3, 1}, {1, 0, 1, 1, 1, 0}),  // whole rows: softmax of nothing is 0
      Mask({1, 1, 1}, {1}),
      Mask({2, 3, 4}, {1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1}),
  };
  for (const Mask& mask : masks)
    row("masked_softmax", {leaf({2, 3, 4}, -2, 2)}, [=](auto& x) { return masked_softmax(x[0], mask); });
  row("masked_softmax", {leaf({3})}, [](auto& x) { return masked_softmax(x[0], Mask({3}, {0, 1, 1})); });
  row("masked_softmax", {leaf({2, 0})}, [](auto& x) { return masked_softmax(x[0], Mask({2, 1}, {1, 1})); });
}

Table table() {
  Table rows;
  for (const auto add :
       {add_elementwise, add_reductions, add_shape_ops, add_products, add_lookups, add_softmaxes})
    add(rows);
  return rows;
}

void check(const std::string& name, const In& x, const std::function<Tensor()>& f) {
  Index values = 0;
  for (const Tensor& t : x) values += t.size();
  const Gradcheck g = gradcheck(name, x, f);
  CHECK(g.failure == "");
  CHECK(g.checked == 2 * values);  // on fresh gradients and on prefilled ones
}

}  // namespace

TEST_CASE("case 6: the gradient of every op equals finite differences") {
  for (const Row& row : table()) check(row.op, row.x, [&] { return row.f(row.x); });
}

TEST_CASE("the gradient of every op lands in the place of a view it read") {
  for (const Row& row : table()) {
    if (std::any_of(row.x.begin(), row.x.end(), [](const Tensor& x) { return x.rank() == Shape::max_rank; }))
      continue;
    In whole;
    for (const Tensor& x : row.x) {
      whole.push_back(leaf(x.shape().inserted(0, 3)));
      std::copy_n(x.data(), x.size(), whole.back().select(1).write());
    }
    check(row.op + " of views", whole, [&] {
      In middle;
      for (const Tensor& w : whole) middle.push_back(w.select(1));
      return row.f(middle);
    });
  }
}

TEST_CASE("an argument that wants no gradient gets none") {
  for (const Row& row : table())
    for (std::size_t wanting = 0; wanting < row.x.size(); ++wanting) {
      INFO(row.op);
      In x;
      for (const Tensor& t : row.x) x.push_back(t.detach());
      x[wanting].want_grad();
      Tape tape;
      const Tensor y = row.f(x);
      tape.backward(y, Tensor(y.shape(), 1));
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i].has_grad() == (i == wanting));
    }
}

TEST_CASE("case 6: every op declared in core/ops.hpp has a row") {
  std::set<std::string> checked;
  for (const Row& row : table()) checked.insert(row.op);
  std::ifstream header(LOOKBACK_ROOT "/core/ops.hpp");
  const std::string returns = "Tensor ";  // ops that return Ids have no gradient
  int declared = 0;
  for (std::string line; std::getline(header, line);) {
    if (line.rfind(returns, 0) != 0) continue;
    ++declared;
    INFO(line);
    CHECK(checked.count(line.substr(returns.size(), line.find('(') - returns.size())) == 1);
  }
  CHECK(declared > 40);  // the file was found and read
}
