// Every registered score through Attention: shapes, masks, the notes' worked example; and what the registry
// refuses.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/attention.hpp"
#include "core/gradcheck.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct HomeMade : Score {  // as a reader would write one: e = w . s + u . h
  Tensor w, u;
  HomeMade(const Params& p, const Sizes& n)
      : w(p.add("w", {1, n.query}, glorot)), u(p.add("u", {1, n.key}, glorot)) {}
  Tensor scores(const Tensor& s, const Tensor& h) const override {
    return linear(s, w) + transpose(linear(h, u));
  }
};
SCORE(home_made, HomeMade)

}  // namespace
}  // namespace lookback::inline LOOKBACK_NS

namespace {

using namespace lookback;
using Lengths = std::vector<Index>;
using Catch::Matchers::ContainsSubstring;

const std::vector<std::string> names = score_names();  // before a test registers bad ones
constexpr Index H = 4;
constexpr Sizes sizes{.query = H, .key = H, .hidden = 3};

std::vector<Tensor> joined(std::vector<Tensor> x, const Params& params) {
  for (const Tensor& p : tensors_of(params)) x.push_back(p);
  return x;
}

// A loss that looks at weights and context, both.
Tensor loss(const Attended& a) {
  return sum(random_leaf(a.weights.shape(), 8).detach() * a.weights) +
         sum(random_leaf(a.context.shape(), 9).detach() * a.context);
}

}  // namespace

TEST_CASE("all scores are registered, those of attention/scores and the reader's own") {
  for (const char* name : {"additive", "concat", "cosine", "dot", "general", "scaled_dot", "home_made"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  CHECK(std::is_sorted(names.begin(), names.end()));
}

TEST_CASE("case 11: every score keeps every axis, ones too") {
  REQUIRE(names.size() >= 6);
  for (const std::string& name : names)
    for (const Index B : {1, 2})
      for (const Index T : {1, 3})
        for (const Index S : {1, 4})
          for (const Index n : {1, 3}) {
            INFO(name << " B " << B << " T " << T << " S " << S << " H " << n);
            const Attention attend(Params(1), name, {.query = n, .key = n, .hidden = n});
            const Tensor s = random_leaf({B, T, n}, 1), h = random_leaf({B, S, n}, 2);
            for (const Mask& mask : {Mask(), Mask::lengths(Lengths(static_cast<std::size_t>(B), S), S)}) {
              const Keys keys = attend.read(h, mask);
              const Attended all = attend(s, keys), one = attend(select(s, 1, 0), keys);
              CHECK(all.scores.shape() == Shape({B, T, S}));
              CHECK(all.weights.shape() == Shape({B, T, S}));
              CHECK(all.context.shape() == Shape({B, T, n}));
              CHECK(one.scores.shape() == Shape({B, S}));
              CHECK(one.weights.shape() == Shape({B, S}));
              CHECK(one.context.shape() == Shape({B, n}));
              CHECK(distance(one.weights, select(all.weights, 1, 0)) <= 1e-6);
              CHECK(distance(one.context, select(all.context, 1, 0)) <= 1e-6);
              CHECK(distance(sum(all.weights, -1), Tensor({B, T}, 1)) <= 1e-6);
            }
          }
}

TEST_CASE(
    "case 11: over one source word the weight is exactly 1, the gradient of every parameter exactly 0") {
  for (const std::string& name : names)
    for (const bool masked : {false, true}) {
      INFO(name);
      const Params params(1);
      const Attention attend(params, name, sizes);
      const Tensor s = random_leaf({2, 3, H}, 1, -5, 5), h = random_leaf({2, 1, H}, 2, -5, 5);
      const Mask mask = masked ? Mask({2, 1}, {1, 1}) : Mask();
      CHECK(distance(attend(s, attend.read(h, mask)).weights, Tensor({2, 3, 1}, 1)) == 0);
      const auto all = joined({s}, params);
      for (const Tensor& g : gradients(all, [&] { return loss(attend(s, attend.read(h, mask))); }))
        CHECK(all_zero(g));
    }
}

TEST_CASE("masked words weigh exactly 0, and the rest is as if they were not there") {
  for (const std::string& name : names) {
    INFO(name);
    const Params params(1);
    const Attention attend(params, name, sizes);
    const Tensor s = random_leaf({2, 3, H}, 1), h = random_leaf({2, 6, H}, 2, -3, 3);
    const Tensor s0 = s.select(0).detach().reshape({1, 3, H}),
                 h0 = slice(h.select(0), 0, 0, 4).detach().reshape({1, 4, H});
    const Mask mask = Mask::lengths(Lengths{4, 6}, 6);
    const auto of_first = [&](const Attended& a) {  // the loss of sentence 0 only
      return Attended{a.scores, slice(slice(a.weights, 0, 0, 1), 2, 0, 4), slice(a.context, 0, 0, 1)};
    };
    const Attended both = attend(s, attend.read(h, mask)), alone = attend(s0, attend.read(h0));
    CHECK(all_zero(slice(slice(both.weights, 0, 0, 1), 2, 4, 6)));
    CHECK(distance(of_first(both).weights, alone.weights) <= 1e-6);
    CHECK(distance(of_first(both).context, alone.context) <= 1e-6);
    const auto got =
        gradients(joined({s, h}, params), [&] { return loss(of_first(attend(s, attend.read(h, mask)))); });
    const auto want = gradients(joined({s0, h0}, params), [&] { return loss(attend(s0, attend.read(h0))); });
    CHECK(distance(slice(got[0], 0, 0, 1), want[0]) <= 1e-5);
    CHECK(distance(slice(slice(got[1], 0, 0, 1), 1, 0, 4), want[1]) <= 1e-5);
    CHECK(all_zero(slice(got[1].select(0), 0, 4, 6)));
    CHECK(all_zero(got[0].select(1)));
    CHECK(all_zero(got[1].select(1)));
    for (std::size_t k = 2; k < got.size(); ++k) CHECK(distance(got[k], want[k]) <= 1e-5);
  }
}

TEST_CASE("a wholly masked sentence: weights 0, context 0, gradients 0, no NaN") {
  for (const std::string& name : names)
    for (const Real size : {Real(1), Real(0)}) {  // and states that are all 0, as an encoder leaves them
      INFO(name);
      const Params params(1);
      const Attention attend(params, name, sizes);
      const Tensor s = random_leaf({2, 3, H}, 1), h = random_leaf({2, 5, H}, 2);
      if (size == 0) std::fill_n(h.write(), 5 * H, Real{0});
      const Mask mask = Mask::lengths(Lengths{0, 5}, 5);
      const Attended a = attend(s, attend.read(h, mask));
      CHECK(all_zero(a.weights.select(0)));
      CHECK(all_zero(a.context.select(0)));
      const auto all = joined({s, h}, params);
      const auto g = gradients(all, [&] { return loss(attend(s, attend.read(h, mask))); });
      CHECK(all_zero(g[0].select(0)));
      CHECK(all_zero(g[1].select(0)));
      for (const Tensor& d : g)
        for (const Real v : d.values()) CHECK(std::isfinite(v));
    }
}

TEST_CASE("case 7: huge states give weights, not NaN") {
  for (const std::string& name : names) {
    INFO(name);
    const Attention attend(Params(1), name, sizes);
    const Tensor s = scale(random_leaf({1, 2, H}, 1), 100), h = scale(random_leaf({1, 3, H}, 2), 1e4);
    const Tensor alpha = attend(s, attend.read(h)).weights;
    for (const Real v : alpha.values()) CHECK((v >= 0 && v <= 1));
  }
}

TEST_CASE("the worked example of Note I") {
  struct Row {
    std::string name;
    std::vector<Real> e, alpha, c;
  };
  const std::vector<Row> rows = {
      {"dot", {.9, .2, 1.1}, {.367919202, .182703269, .449377529}, {.817296731, .632080798}},
      {"scaled_dot",
       {.636396103, .141421356, .777817459},
       {.362122532, .220744935, .417132533},
       {.779255065, .637877468}},
      {"cosine",
       {.976187060, .216930458, .843661488},
       {.426640317, .199673734, .373685949},
       {.800326266, .573359683}},
      {"general", {.2, .9, 1.1}, {.182703269, .367919202, .449377529}, {.632080798, .817296731}},
      {"additive",
       {1.153612778, 1.549952477, 1.789892065},
       {.228529020, .339679628, .431791352},
       {.660320372, .771470980}},
      {"concat",
       {1.153612778, 1.549952477, 1.789892065},
       {.228529020, .339679628, .431791352},
       {.660320372, .771470980}},
  };
  const auto set = [](const Tensor& p, std::vector<Real> values) {
    std::copy(values.begin(), values.end(), p.write());
  };
  for (const Row& row : rows) {
    INFO(row.name);
    const Params params(1);
    const Attention attend(params, row.name, {.query = 2, .key = 2, .hidden = 2});
    for (const auto& [name, p] : params.all()) {
      if (name == "v") set(p, {1, 1});
      if (name == "W1" || name == "W2") set(p, {1, 0, 0, 1});
      if (name == "W")
        set(p, row.name == "general" ? std::vector<Real>{0, 1, 1, 0}
                                     : std::vector<Real>{1, 0, 1, 0, 0, 1, 0, 1});
    }
    const Attended a = attend(Tensor({1, 2}, {.9, .2}), attend.read(Tensor({1, 3, 2}, {1, 0, 0, 1, 1, 1})));
    CHECK(distance(a.scores, Tensor({1, 3}, row.e)) <= 1e-6);
    CHECK(distance(a.weights, Tensor({1, 3}, row.alpha)) <= 1e-6);
    CHECK(distance(a.context, Tensor({1, 2}, row.c)) <= 1e-6);
  }
}

TEST_CASE("concat is additive with W = [W1 W2]") {
  const Sizes n{.query = 3, .key = 5, .hidden = 4};
  const Params one(1), two(2);
  const Attention additive(one, "additive", n), concats(two, "concat", n);
  const Tensor W = concat(std::vector{one.find("W1"), one.find("W2")}, 1);
  std::copy_n(W.data(), W.size(), two.find("W").write());
  std::copy_n(one.find("v").data(), 4, two.find("v").write());
  const Tensor s = random_leaf({2, 3, 3}, 1), h = random_leaf({2, 4, 5}, 2);
  CHECK(distance(additive(s, additive.read(h)).scores, concats(s, concats.read(h)).scores) <= 1e-6);
}

TEST_CASE("case 9: zeroed is not masked") {
  const Attention attend(Params(1), "dot", {.query = 2, .key = 2});
  const Tensor s({1, 2}, {.9, .2}), h({1, 4, 2}, {1, 0, 0, 1, 1, 1, 0, 0});
  const Attended masked = attend(s, attend.read(h, Mask({1, 4}, {1, 1, 1, 0}))),
                 zeroed = attend(s, attend.read(h));
  CHECK(distance(masked.weights, Tensor({1, 4}, {.367919, .182703, .449378, 0})) <= 1e-6);
  CHECK(masked.weights.at({0, 3}) == 0);
  CHECK(distance(masked.context, Tensor({1, 2}, {.817297, .632081})) <= 1e-6);
  CHECK(distance(zeroed.weights, Tensor({1, 4}, {.320045, .158930, .390904, .130121})) <= 1e-6);
  CHECK(distance(zeroed.context, Tensor({1, 2}, {.710950, .549834})) <= 1e-6);
}
