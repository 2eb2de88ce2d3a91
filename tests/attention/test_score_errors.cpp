// Case 14: what the registry and Attention refuse, and in what words.
#include <memory>
#include <stdexcept>
#include <string>

#include "attention/attention.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

// A score whose result has the shape of `axes` of (B, T, S).
template <int wrong>
struct Wrong : Score {
  Tensor scores(const Tensor& s, const Tensor& h) const override {
    const Index B = s.shape()[0], T = s.shape()[1], S = h.shape()[1];
    if (wrong == 0) return Tensor({B, S, 1});
    if (wrong == 1) return Tensor({S, B});
    if (wrong == 2) return Tensor({B, T, S + 1});
    if (wrong == 3) return Tensor({B, 1, S});
    return {};
  }
};

template <class T>
std::shared_ptr<const Score> make(Params, Sizes) {
  return std::make_shared<T>();
}

Attended attend(const std::string& name) {
  const Attention attention(Params(1), name, {.query = 3, .key = 3, .hidden = 2});
  return attention(Tensor({2, 4, 3}), attention.read(Tensor({2, 5, 3})));
}

}  // namespace

TEST_CASE("case 14: an unknown score lists the known ones and suggests the nearest") {
  const auto make_it = [](const std::string& name) { make_score(name, Params(1), {.query = 2, .key = 2}); };
  std::string known;  // whatever stands in attention/scores
  for (const std::string& name : score_names()) known += (known.empty() ? "" : ", ") + name;
  CHECK_THROWS_AS(make_it("adittive"), std::invalid_argument);
  CHECK_THROWS_WITH(make_it("adittive"),
                    "no score function \"adittive\"; known: " + known + "; did you mean \"additive\"?");
  CHECK_THROWS_WITH(make_it("genral"), ContainsSubstring("; did you mean \"general\"?"));
  CHECK_THROWS_WITH(make_it("0123456789"), "no score function \"0123456789\"; known: " + known);
  CHECK_THROWS_WITH(make_it(""), ContainsSubstring("no score function \"\"; known: " + known));
}

TEST_CASE("case 14: the same entry twice is one entry, another under a known name is refused") {
  register_score("twice", make<Wrong<0>>);
  register_score("twice", make<Wrong<0>>);
  CHECK_NOTHROW(make_score("twice", Params(1), {}));
  register_score("twice", make<Wrong<1>>);
  CHECK_THROWS_AS(make_score("twice", Params(1), {}), std::invalid_argument);
  CHECK_THROWS_WITH(make_score("twice", Params(1), {}),
                    "two different score functions are registered as \"twice\"; rename one");
  CHECK_NOTHROW(make_score("dot", Params(1), {.query = 2, .key = 2}));  // others are not concerned
}

TEST_CASE("case 14: a home-made score that returns the wrong shape is named with it") {
  register_score("column", make<Wrong<0>>);
  register_score("transposed", make<Wrong<1>>);
  register_score("one_too_many", make<Wrong<2>>);
  register_score("one_query", make<Wrong<3>>);
  register_score("nothing", make<Wrong<4>>);
  CHECK_THROWS_WITH(
      attend("column"),
      "attention([2, 4, 3], [2, 5, 3]): the score \"column\" returned [2, 5, 1], not [2, 4, 5]");
  CHECK_THROWS_WITH(attend("transposed"),
                    ContainsSubstring("the score \"transposed\" returned [5, 2], not [2, 4, 5]"));
  CHECK_THROWS_WITH(attend("one_too_many"),
                    ContainsSubstring("the score \"one_too_many\" returned [2, 4, 6], not [2, 4, 5]"));
  CHECK_THROWS_WITH(attend("one_query"),
                    ContainsSubstring("the score \"one_query\" returned [2, 1, 5], not [2, 4, 5]"));
  CHECK_THROWS_WITH(attend("nothing"), ContainsSubstring("the score \"nothing\" returned []"));
}

TEST_CASE("case 14: scores without a matrix name both sizes when keys have 2H and the state H") {
  for (const std::string name : {"dot", "scaled_dot", "cosine"}) {
    const auto make_it = [&] { Attention(Params(1), name, {.query = 3, .key = 6, .hidden = 2}); };
    CHECK_THROWS_AS(make_it(), std::invalid_argument);
    CHECK_THROWS_WITH(
        make_it(), name + ": a query of size 3 cannot meet keys of size 6; use general, additive or concat");
  }
  for (const std::string name : {"general", "additive", "concat"})
    CHECK_NOTHROW(Attention(Params(1), name, {.query = 3, .key = 6, .hidden = 2}));
}

TEST_CASE("additive and concat refuse an alignment layer of no size: all their scores would be 0") {
  for (const std::string name : {"additive", "concat"})
    CHECK_THROWS_WITH(Attention(Params(1), name, {.query = 3, .key = 3}),
                      name + ": the alignment layer has size 0; set Sizes::hidden");
}

TEST_CASE("attention refuses states and masks that do not fit, naming the shapes") {
  const Attention attention(Params(1), "dot", {.query = 3, .key = 3});
  const Tensor h({2, 5, 3});
  const Keys keys = attention.read(h);
  CHECK_THROWS_WITH(attention.read(Tensor({2, 5, 4})),
                    "attention.read([2, 5, 4]): the states need the shape [B, S, 3]");
  CHECK_THROWS_WITH(attention.read(Tensor({5, 3})),
                    "attention.read([5, 3]): the states need the shape [B, S, 3]");
  CHECK_THROWS_WITH(attention.read(h, Mask(Shape{5, 2}, std::vector<std::uint8_t>(10))),
                    "attention.read([2, 5, 3]): the mask [5, 2] needs the shape [2, 5]");
  CHECK_THROWS_WITH(attention(Tensor({2, 4}), keys),
                    "attention([2, 4], [2, 5, 3]): s has 4 features, the score takes 3");
  CHECK_THROWS_WITH(attention(Tensor({3, 1, 3}), keys),
                    "attention([3, 1, 3], [2, 5, 3]): s needs the shape [2, T, 3]");
  CHECK_THROWS_WITH(attention(Tensor({3, 3}), keys), ContainsSubstring("s needs the shape [2, T, 3]"));
  CHECK_THROWS_WITH(attention(Tensor(Shape{3}), keys), ContainsSubstring("s needs the shape [2, T, 3]"));
  CHECK_THROWS_WITH(attention(Tensor({2, 3}), Keys{}),
                    "attention([2, 3], empty): argument b is empty: it has no values yet");
}
