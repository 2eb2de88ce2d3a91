// The list of named weights.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/ops.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"
#include "nn/params.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

std::vector<std::string> names(const Params& params) {
  std::vector<std::string> all;
  for (const Param& p : params.all()) all.push_back(p.name);
  return all;
}

Tensor drawn(const Init& init, Shape shape) { return Params(3).add("w", shape, init).detach(); }

}  // namespace

TEST_CASE("parameters are named after their modules, in the order they were added") {
  const Params params(1);
  const GRU gru(params["encoder"]["gru"], 2, 3);
  const Linear readout(params["readout"], 3, 5), plain(params, 3, 5, false);
  CHECK(names(params) == std::vector<std::string>{"encoder.gru.weight_ih_l0", "encoder.gru.weight_hh_l0",
                                                  "encoder.gru.bias_ih_l0", "encoder.gru.bias_hh_l0",
                                                  "readout.weight", "readout.bias", "weight"});
  CHECK(params.count() == 9 * 2 + 9 * 3 + 9 + 9 + 15 + 5 + 15);
  CHECK(params["readout"].all().size() == 7);  // a scope is the same list
  CHECK(params.find("readout.weight").storage() == readout.weight.storage());
  CHECK(params["encoder"].find("readout.bias").shape() == Shape{5});  // by full name, whatever the scope
  CHECK(params.find("encoder.gru.weight_ih_l0").wants_grad());
}

TEST_CASE("a name that is taken is refused, and one that is not there lists the others") {
  const Params params(1);
  params["a"].add("b", {2, 3}, zeros);
  CHECK_THROWS_WITH(params.add("a.b", {2}, zeros), "a parameter named \"a.b\" [2, 3] exists already");
  CHECK_THROWS_AS(params["a"].add("b", {2, 3}, zeros), std::invalid_argument);
  CHECK(params.count() == 6);
  params.add("c", {}, ones);
  CHECK_THROWS_WITH(params.find("b"), "no parameter \"b\"; there are: a.b, c");
  CHECK_THROWS_AS(params.find("b"), std::out_of_range);
}

TEST_CASE("weights of a file take the place of drawn ones, and no others are taken") {
  const std::vector<Param> file{{"a.weight", Tensor({2, 3}, 7)}, {"a.bias", Tensor({2}, 8)}};
  const Params params(file);
  const Linear a(params["a"], 3, 2);
  CHECK(distance(a.weight, Tensor({2, 3}, 7)) == 0);
  CHECK(a.weight.wants_grad());
  CHECK(a.weight.storage() != file[0].value.storage());
  CHECK_THROWS_WITH(params["b"].add("bias", {2}, zeros), "only here: b.bias [2]");
  const Index huge = Index{1} << 30;  // refused before it is made
  CHECK_THROWS_WITH(Params(file)["a"].add("weight", {huge, huge}, zeros),
                    "a.weight is [2, 3] there and [1073741824, 1073741824] here");
  CHECK_THROWS_AS(Params(std::vector<Param>{}).add("a", {1}, zeros), std::invalid_argument);
}

TEST_CASE("adding a module changes no other's weights") {
  const Params one(7), two(7), other(8);
  const Linear a(one["a"], 4, 4);
  const Embedding before(two["new"], 9, 4);
  const Linear b(two["a"], 4, 4), c(two["c"], 4, 4), d(other["a"], 4, 4);
  CHECK(distance(a.weight, b.weight) == 0);
  CHECK(distance(a.weight, c.weight) > 0.1);  // another name,
  CHECK(distance(a.weight, d.weight) > 0.1);  // another seed: other weights
}

TEST_CASE("copies of a module share its weights") {
  const Params params(1);
  const Linear a(params, 2, 2), b = a;
  *a.weight.write() = 42;
  CHECK(b.weight.at({0, 0}) == 42);
}

TEST_CASE("how weights begin") {
  CHECK(all_zero(drawn(zeros, {3, 4})));
  CHECK(distance(drawn(ones, {3}), Tensor({3}, 1)) == 0);
  const auto largest = [](const Tensor& x) {
    Real most = 0;
    for (const Real v : x.values()) most = std::max(most, std::abs(v));
    return most;
  };
  const auto deviation = [](const Tensor& x) {
    return std::sqrt(mean(x * x).item() - std::pow(mean(x).item(), 2));
  };
  for (const Real bound :
       {largest(drawn(glorot, {100, 50})), largest(drawn(uniform(Real(0.2)), {100, 50}))}) {
    CHECK(bound <= Real(0.2));  // sqrt(6 / 150)
    CHECK(bound > Real(0.199));
  }
  CHECK(largest(drawn(glorot, {23})) <= Real(0.5));  // sqrt(6 / 24)
  CHECK(deviation(drawn(normal(Real(0.1)), {100, 50})) == Approx(0.1).epsilon(0.05));
  CHECK(drawn(glorot, {0, 0}).size() == 0);
}
