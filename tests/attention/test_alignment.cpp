// Alignments: weights gathered step by step, and what is drawn of them.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/alignment.hpp"
#include "core/gradcheck.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

Tensor counted(Shape shape) {  // 0, 1, 2, ..
  const Tensor x(shape);
  std::iota(x.write(), x.write() + x.size(), Real{0});
  return x;
}

// Two pairs, two heads, three steps over four words; the second pair has two source words and one target
// word.
const Alignment alignment{
    {{"a", "b", "c", "d"}, {"e", "f"}}, {{"A", "B", "C"}, {"E"}}, counted({2, 2, 3, 4})};

}  // namespace

TEST_CASE("Alignment::add: steps of several heads, and of one") {
  Alignment grown;
  for (Index t = 0; t < 3; ++t) grown.add(select(alignment.weights, 2, t));
  CHECK(distance(grown.weights, alignment.weights) == 0);
  Alignment single;
  for (Index t = 0; t < 3; ++t) single.add(select(alignment.head(1), 1, t));  // [B, S]
  CHECK(single.weights.shape() == Shape({2, 1, 3, 4}));
  CHECK(distance(single.head(0), alignment.head(1)) == 0);
}

TEST_CASE("Alignment::add keeps a copy that no tape holds") {
  const Tensor leaf = random_leaf({2, 3}, 1);
  Alignment kept;
  {
    Tape tape;
    const Tensor step = scale(leaf, 2);
    kept.add(step);
    std::fill_n(step.write(), 6, Real{0});
  }
  CHECK(!kept.weights.wants_grad());
  CHECK(distance(kept.weights.reshape({2, 3}), scale(leaf, 2)) == 0);
}

TEST_CASE("Alignment: a head, and the mean of all") {
  CHECK(alignment.head(1).shape() == Shape({2, 3, 4}));
  CHECK(alignment.head(1).at({1, 2, 3}) == 47);
  CHECK(alignment.mean().shape() == Shape({2, 3, 4}));
  CHECK(alignment.mean().at({1, 2, 3}) == 41);  // of 35 and 47
  for (const Index k : {-1, 2}) {
    CHECK_THROWS_WITH(alignment.head(k), "alignment: no head " + std::to_string(k) + " in [2, 2, 3, 4]");
    CHECK_THROWS_AS(alignment.head(k), std::out_of_range);
  }
  CHECK_THROWS_WITH(Alignment().head(0), "alignment: no head 0 in []");
}

TEST_CASE("heatmap: the weights of one pair under its own tokens, no PAD") {
  const Heatmap first = heatmap(alignment, 0), second = heatmap(alignment, 1, 1);
  CHECK(first.rows == alignment.target[0]);
  CHECK(first.columns == alignment.source[0]);
  CHECK(first.weights == std::vector<float>{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17});
  CHECK(second.rows == std::vector<std::string>{"E"});
  CHECK(second.columns == std::vector<std::string>{"e", "f"});
  CHECK(second.weights == std::vector<float>{36, 37});
}

TEST_CASE("heatmap refuses a pair, a head or tokens that are not there") {
  for (const Index b : {-1, 2})
    CHECK_THROWS_WITH(heatmap(alignment, b), "alignment: no pair " + std::to_string(b) + " of 2");
  CHECK_THROWS_AS(heatmap(alignment, 2), std::out_of_range);
  CHECK_THROWS_WITH(heatmap(alignment, 0, 2), "alignment: no head 2 in [2, 2, 3, 4]");
  Alignment wide = alignment;
  wide.source[0].push_back("one more");
  CHECK_THROWS_AS(heatmap(wide, 0), std::invalid_argument);
  CHECK_THROWS_WITH(heatmap(wide, 0),
                    ContainsSubstring("alignment: 3 target and 5 source tokens do not fit weights [3, 4]"));
  wide.source.push_back({"x"});
  wide.target.push_back({"X"});
  CHECK_THROWS_WITH(heatmap(wide, 2), ContainsSubstring("no place 2"));  // tokens, but no weights
}

TEST_CASE("Alignment::add refuses steps that do not fit") {
  Alignment grown;
  grown.add(Tensor({2, 3}));
  CHECK_THROWS_AS(grown.add(Tensor({2, 4})), std::invalid_argument);
  CHECK_THROWS_AS(grown.add(Tensor({2, 2, 3})), std::invalid_argument);
  CHECK(grown.weights.shape() == Shape({2, 1, 1, 3}));
  CHECK_THROWS_WITH(Alignment().add(Tensor({2, 2, 3, 4})),
                    ContainsSubstring("a step needs the shape [B, heads, S] or [B, S]"));
  CHECK_THROWS_WITH(Alignment().add(Tensor({3})),
                    ContainsSubstring("a step needs the shape [B, heads, S] or [B, S]"));
}
