#include "examples/kit/evidence.hpp"

#include "tests/catch.hpp"

using namespace lookback;

namespace {

// n sentences of 1, 2 .. n tokens, each the translation of itself.
std::vector<SentencePair> staircase(int n) {
  std::vector<SentencePair> pairs;
  for (int length = 1; length <= n; ++length) {
    SentencePair& pair = pairs.emplace_back();
    for (int i = 0; i < length + 3; ++i) pair.target.push_back(std::to_string(i));
    pair.source.assign(pair.target.begin(), pair.target.begin() + length);
  }
  return pairs;
}

// Writes the references up to `right` source tokens, and nonsense past them.
Finding finding(const std::string& name, std::span<const SentencePair> test, std::size_t right) {
  Finding f;
  f.model = name;
  f.history = {{3, 2}, {0.9, 0.75}};
  for (const SentencePair& pair : test)
    f.test.written.push_back({pair.source.size() <= right ? pair.target : Tokens{"x", "y", "z", "x"}, true});
  return f;
}

}  // namespace

TEST_CASE("BLEU by length: four parts of as many sentences, each with its mean length and its own BLEU") {
  const std::vector<SentencePair> test = staircase(12);
  const std::vector<Finding> findings{finding("all", test, 12), finding("first", test, 6)};
  const LinePlot plot = by_length(findings, test);
  CHECK(plot.x_axis == "source tokens, mean of each part of the test");
  REQUIRE(plot.lines.size() == 2);
  CHECK(plot.lines[0].name == "all");
  CHECK(plot.lines[0].x == std::vector<float>{2, 5, 8, 11});
  CHECK(plot.lines[0].y == std::vector<float>{1, 1, 1, 1});
  CHECK(plot.lines[1].y == std::vector<float>{1, 1, 0, 0});
}

TEST_CASE("BLEU by length: sentences of one length stay together, whatever becomes of the parts") {
  std::vector<SentencePair> test(8, {{"a", "b"}, {"1", "2", "3", "4"}, 1});
  CHECK(by_length(std::vector{finding("all", test, 9)}, test).lines[0].x == std::vector<float>{2});
  test[0].source = {"a"};
  CHECK(by_length(std::vector{finding("all", test, 9)}, test).lines[0].x == std::vector<float>{1, 2});
}

TEST_CASE("BLEU by epoch is what the validation said") {
  const std::vector<SentencePair> test = staircase(4);
  const LinePlot plot = by_epoch(std::vector{finding("all", test, 4)});
  CHECK(plot.lines[0].x == std::vector<float>{1, 2});
  CHECK(plot.lines[0].y[0] == Approx(0.1).epsilon(1e-5));
  CHECK(plot.lines[0].y[1] == Approx(0.25));
}
