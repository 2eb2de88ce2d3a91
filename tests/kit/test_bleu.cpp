// BLEU by hand; the golden values are those of an independent implementation.
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "examples/kit/text/bleu.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("BLEU: one pair by hand") {
  const Words written = {"the", "cat", "sat", "on", "the", "mat"};
  const Words reference = {"the", "cat", "sat", "on", "a", "red", "mat"};
  const Bleu b = bleu(std::vector<Words>{written}, std::vector<Words>{reference});
  CHECK(b.matches == std::array<std::ptrdiff_t, 4>{5, 3, 2, 1});  // the second "the" is clipped
  CHECK(b.totals == std::array<std::ptrdiff_t, 4>{6, 5, 4, 3});
  CHECK(b.brevity_penalty == Approx(std::exp(1 - 7. / 6)));
  CHECK(b.score == Approx(b.brevity_penalty * std::pow(5. / 6 * 3 / 5 * 2 / 4 * 1 / 3, 0.25)));
}

TEST_CASE("BLEU says what it compared and how") {
  CHECK(Bleu().signature("lower-cased tokens") ==
        "BLEU-4, corpus level, lower-cased tokens, no smoothing, closest reference length, scale 0 to 1");
}

TEST_CASE("BLEU refuses translations without references") {
  const std::vector<Words> two(2), one(1);
  CHECK_THROWS_WITH(bleu(two, one), "bleu: 2 translations but 1 sets of references");
  CHECK_THROWS_WITH(bleu(one, std::vector<std::vector<Words>>(1)), "bleu: translation 0 has no reference");
}

TEST_CASE(
    "Bootstrap: the score of all sentences lies within, few sentences spread more, one seed draws once") {
  std::vector<Words> written, references;
  for (int i = 0; i < 100; ++i) {
    const std::string a = std::to_string(i),
                      b = std::to_string(i % 3);  // a third ends wrongly, a third has a hole
    references.push_back({a, "b", "c", "d", "e", "0"});
    written.push_back({a, "b", "c", i % 3 == 1 ? "x" : "d", "e", b});
  }
  const auto first = [](const std::vector<Words>& all, std::size_t n) { return std::span(all).first(n); };
  const double score = bleu(written, references).score;
  const Interval all = bootstrap(written, references, Random(1)),
                 few = bootstrap(first(written, 9), first(references, 9), Random(1));
  CHECK((all.low < score && score < all.high));
  CHECK(all.high - all.low < 0.25);
  CHECK(few.high - few.low > 2 * (all.high - all.low));
  CHECK(bootstrap(written, references, Random(1)).low == all.low);
  CHECK(bootstrap(references, references, Random(1)).low == 1);
  const Interval one = bootstrap(first(written, 1), first(references, 1), Random(1));
  CHECK((one.low == one.high && one.low == bleu(first(written, 1), first(references, 1)).score));
  CHECK_THROWS_WITH(bootstrap(written, first(references, 1), Random(1)),
                    "bootstrap: 100 translations, 1 references");
  const std::vector<Words> none;
  CHECK_THROWS_AS(bootstrap(none, none, Random(1)), std::invalid_argument);
  CHECK_THROWS_WITH(bootstrap(written, references, Random(1), 0), "bootstrap: 0 times");
}

TEST_CASE(
    "Bootstrap of two on the same sentences: a difference that each sentence has is surer than either "
    "score") {
  std::vector<Words> better, worse, references;
  for (int i = 0; i < 60; ++i) {
    references.push_back({"a", "b", "c", "d", "e", "f", "g", "h"});
    better.push_back(references.back()), worse.push_back(references.back());
    if (i % 2 == 0) better.back()[7] = "x", worse.back()[7] = "x";  // both are wrong here
    worse.back()[0] = "y";
  }
  const Interval gap = bootstrap(better, worse, references, Random(1)),
                 one = bootstrap(worse, references, Random(1));
  const double difference = bleu(better, references).score - bleu(worse, references).score;
  CHECK((gap.low < difference && difference < gap.high && gap.low > 0));
  CHECK(gap.high - gap.low < one.high - one.low);
  CHECK(bootstrap(worse, better, references, Random(1)).high == Approx(-gap.low));
  CHECK(bootstrap(worse, worse, references, Random(1)).high == 0);
}
