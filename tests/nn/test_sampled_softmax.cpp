// The log-uniform sampler against its distribution, and what sampled softmax refuses.
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "nn/sampled_softmax.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

double probability(int k, Index V) {
  return std::log((k + 2.0) / (k + 1.0)) / std::log(static_cast<double>(V) + 1);
}

}  // namespace

TEST_CASE("the sampler draws each word as often as the log-uniform distribution says") {
  constexpr Index V = 7;
  constexpr int rounds = 20'000;
  Random random(1);
  std::vector<int> count(V);
  for (int i = 0; i < rounds; ++i)
    ++count[static_cast<std::size_t>(sample_log_uniform(Ids(Shape{0}), 1, V, random).words.values[0])];
  for (int k = 0; k < V; ++k) {
    const double p = probability(k, V), deviation = std::sqrt(p * (1 - p) / rounds);
    INFO("word " << k);
    CHECK(count[static_cast<std::size_t>(k)] == Approx(p * rounds).margin(5 * deviation * rounds));
  }
}

TEST_CASE("samples are distinct, and log_q is the log of their expected counts") {
  constexpr Index V = 50, K = 8;
  const Ids labels({3}, {0, 7, 49});
  std::vector<double> times(V), expected(V);
  Random random(2);
  constexpr int rounds = 4000;
  for (int i = 0; i < rounds; ++i) {
    const Sampled s = sample_log_uniform(labels, K, V, random);
    const std::set<std::int32_t> distinct(s.words.values.begin(), s.words.values.end());
    REQUIRE((s.words.size() == K && std::ssize(distinct) == K));
    for (const std::int32_t word : distinct) times[static_cast<std::size_t>(word)] += 1. / rounds;
    for (const std::size_t n : {0, 1, 2})
      expected[static_cast<std::size_t>(labels.values[n])] += std::exp(s.log_q_true[n]) / rounds;
    // Every Q follows from the number of draws, and that from any one Q: 1 - Q = (1 - P)^n.
    const double draws =
        std::log1p(-std::exp(static_cast<double>(s.log_q_true[1]))) / std::log1p(-probability(7, V));
    CHECK(draws == Approx(s.draws).margin(1e-2));
    CHECK(s.draws >= K);
    for (std::size_t k = 0; k < K; ++k)
      CHECK(s.log_q[k] ==
            Approx(std::log(-std::expm1(draws * std::log1p(-probability(s.words.values[k], V)))))
                .epsilon(1e-4));
  }
  for (const std::size_t word : {0, 7, 49})
    CHECK(times[word] == Approx(expected[word]).epsilon(0.1).margin(0.01));
}

TEST_CASE("all words of a vocabulary can be sampled, more cannot") {
  Random random(3);
  CHECK(sample_log_uniform(Ids(Shape{0}), 7, 7, random).words.size() == 7);
  for (const Index K : {0, -1, 8})
    CHECK_THROWS_WITH(sample_log_uniform(Ids(Shape{0}), K, 7, random),
                      "sample_log_uniform: " + std::to_string(K) + " distinct words of 7 cannot be drawn");
  CHECK_THROWS_AS(sample_log_uniform(Ids({1}, 7), 2, 7, random), std::out_of_range);
}

TEST_CASE("sampled softmax refuses shapes that do not fit") {
  Random random(4);
  const Ids labels({3}, {1, 6, 0});
  const Sampled s = sample_log_uniform(labels, 5, 7, random), none{Ids(Shape{0}), {}, s.log_q_true},
                short_q{s.words, {0, 0}, s.log_q_true};
  const Tensor x({3, 4}), weight({7, 4}), bias({7});
  CHECK(sampled_softmax(x, weight, bias, labels, s).shape() == Shape{3});
  CHECK_THROWS_WITH(sampled_softmax(x, weight, Tensor({40}), labels, s),
                    ContainsSubstring("weight and bias need the shapes [V, 4] and [V]"));
  CHECK_THROWS_WITH(sampled_softmax(x, Tensor({7, 5}), bias, labels, s), ContainsSubstring("[V, 4]"));
  CHECK_THROWS_WITH(sampled_softmax(x, weight, bias, Ids({2}, {1, 2}), s),
                    ContainsSubstring("labels [2] need the shape [3]"));
  CHECK_THROWS_WITH(sampled_softmax(x, weight, bias, labels, none), ContainsSubstring("0 samples"));
  CHECK_THROWS_WITH(sampled_softmax(x, weight, bias, labels, short_q),
                    ContainsSubstring("5 samples with 2 and 3 expected counts"));
}
