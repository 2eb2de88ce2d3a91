// Chapter 15's score, tests/consumer/mlp.cpp, in double: its gradient, and in what words a wrong one is told.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "attention/score.hpp"
#include "core/gradcheck.hpp"
#include "core/op.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

// [check]
Gradcheck check(const char* name, const Score& score, const Params& params, const Sizes& n) {
  const Tensor s = random_leaf({2, 3, n.query}, 1), h = random_leaf({2, 4, n.key}, 2);
  std::vector<Tensor> x{s, h};
  for (const Param& p : params.all()) x.push_back(p.value);
  return gradcheck(name, x, [&] { return score.scores(s, score.keys(h)); });
}

TEST_CASE("mlp: the gradient in s, h and each parameter") {
  for (const Sizes n : {Sizes{.query = 3, .key = 3, .hidden = 4}, Sizes{.query = 2, .key = 5, .hidden = 3},
                        Sizes{.query = 1, .key = 1, .hidden = 1}}) {
    const Params params(1);
    const Gradcheck g = check("mlp", *make_score("mlp", params, n), params, n);
    CHECK(g.failure == "");
    CHECK(g.checked == 2 * (6 * n.query + 8 * n.key + params.count()));
  }
}
// [/check]

// [wrong]
Tensor hasty_tanh(const Tensor& x) {  // its gradient lacks the factor 1 - y^2
  Op op("hasty_tanh", x);
  const Tensor y = op.output(x.shape());
  std::transform(x.data(), x.data() + x.size(), y.write(), [](Real v) { return std::tanh(v); });
  return op.done(y, [=] {
    for (Index i = 0; i < x.size(); ++i) x.grad()[i] += y.grad()[i];
  });
}

struct Hasty : Score {
  Tensor scores(const Tensor& s, const Tensor& h) const override { return hasty_tanh(matmul_nt(s, h)); }
};

struct Deaf : Score {  // detach() copies values: for the tape h ends there
  Tensor keys(const Tensor& h) const override { return h.detach(); }
  Tensor scores(const Tensor& s, const Tensor& keys) const override { return matmul_nt(s, keys); }
};

TEST_CASE("a wrong gradient is told with its place") {
  const Sizes n{.query = 3, .key = 3, .hidden = 4};
  const std::string hasty = check("hasty", Hasty(), Params(1), n).failure;
  const std::string deaf = check("deaf", Deaf(), Params(1), n).failure;
  CHECK_THAT(hasty, ContainsSubstring("hasty: argument 0 [2, 3, 3], place 0: backward says 0.07535"));
  CHECK_THAT(hasty, ContainsSubstring(", finite differences -0.06444"));
  CHECK_THAT(deaf, ContainsSubstring("deaf: argument 1 [2, 4, 3], place 0: backward says 0, "));
  CHECK_THAT(deaf, ContainsSubstring("finite differences 0.2200"));
}
// [/wrong]

}  // namespace
