// Every registered score against finite differences: in s, in h and in each of its parameters; in double. A
// new file in attention/scores is checked here without any edit.
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/additive_scores.hpp"
#include "attention/attention.hpp"
#include "core/gradcheck.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using In = std::vector<Tensor>;

struct Case {
  Index B, T, S;
  Sizes sizes;
};
const std::vector<Case> square = {
    {2, 3, 4, {.query = 3, .key = 3, .hidden = 2}},
    {1, 2, 1, {.query = 2, .key = 2, .hidden = 3}},
    {3, 1, 2, {.query = 1, .key = 1, .hidden = 1}},
    {1, 1, 1, {.query = 1, .key = 1, .hidden = 1}},
};
const Case oblong = {2, 3, 4, {.query = 2, .key = 5, .hidden = 3}};

// No mask, sentences of different lengths (the first has no word at all), a hole in the middle.
std::vector<Mask> masks(Index B, Index S) {
  std::vector<Index> lengths;
  for (Index b = 0; b < B; ++b) lengths.push_back(b == 0 && B > 1 ? 0 : S - b % S);
  Mask hole(Shape{B, S}, std::vector<std::uint8_t>(static_cast<std::size_t>(B * S), 1));
  hole.values[static_cast<std::size_t>(S / 2)] = 0;
  return {Mask(), Mask::lengths(lengths, S), hole};
}

void check(const std::string& name, const Params& params, const Attention& attend, const Case& n,
           std::uint64_t seed) {
  const Tensor s = random_leaf({n.B, n.T, n.sizes.query}, 2 * seed),
               h = random_leaf({n.B, n.S, n.sizes.key}, 2 * seed + 1);
  for (const Mask& mask : masks(n.B, n.S))
    for (const bool one_step : {false, true}) {
      In x{s, h};
      for (const Tensor& p : tensors_of(params)) x.push_back(p);
      const Gradcheck g = gradcheck(name, x, [&] {  // all that Attention returns
        const Attended a = attend(one_step ? select(s, 1, 0) : s, attend.read(h, mask));
        const In flat = {a.scores.reshape({-1}), a.weights.reshape({-1}), a.context.reshape({-1})};
        return concat(flat, 0);
      });
      CHECK(g.failure == "");
      CHECK(g.checked >= 2 * (s.size() + h.size() + params.count()));
    }
}

const std::vector<std::string> names = score_names();

}  // namespace

TEST_CASE("case 6: every registered score, in s, h and each parameter") {
  REQUIRE(names.size() >= 6);  // over an empty registry this would pass
  for (const std::string& name : names)
    for (std::size_t i = 0; i < square.size(); ++i) {
      const Params params(i + 1);
      check(name, params, Attention(params, name, square[i].sizes), square[i], i);
    }
}

TEST_CASE("case 6: every score with a matrix, keys and query of different sizes") {
  int with_a_matrix = 0;
  for (const std::string& name : names) {
    const Params params(1);
    std::optional<Attention> attend;
    try {
      attend.emplace(params, name, oblong.sizes);
    } catch (
        const std::invalid_argument&) {  // tests/attention/test_scores.cpp: which ones, and in what words
      continue;
    }
    ++with_a_matrix;
    check(name, params, *attend, oblong, 5);
  }
  CHECK(with_a_matrix >= 3);
}

TEST_CASE("case 6: additive with a bias inside the tanh") {
  for (Case n : {square[0], square[3], oblong}) {
    n.sizes.bias = true;
    const Params params(1);
    const Attention attend(params, "additive", n.sizes);
    CHECK(params.find("b").shape() == Shape{n.sizes.hidden});
    check("additive with b", params, attend, n, 6);
  }
}

TEST_CASE("additive_scores: fused equals composed") {
  for (const auto& [B, T, S, A] :
       {std::array<Index, 4>{2, 3, 4, 5}, {1, 1, 1, 1}, {2, 1, 3, 8}, {2, 0, 3, 2}, {2, 3, 0, 2}}) {
    const In x = {random_leaf({B, T, A}, 1, -2, 2), random_leaf({B, S, A}, 2, -2, 2), random_leaf({A}, 3)};
    const Tensor w = random_leaf({B, T, S}, 4).detach();
    CHECK(distance(additive_scores(x[0], x[1], x[2]), additive_scores_composed(x[0], x[1], x[2])) <= 1e-12);
    CHECK(distance(gradients(x, [&] { return sum(w * additive_scores(x[0], x[1], x[2])); }),
                   gradients(x, [&] { return sum(w * additive_scores_composed(x[0], x[1], x[2])); })) <=
          1e-12);
  }
}
