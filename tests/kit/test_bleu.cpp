// BLEU by hand; the golden values are those of an independent implementation.
#include <array>
#include <cmath>
#include <stdexcept>
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
  CHECK(
      Bleu().signature() ==
      "BLEU-4, corpus level, tokens and case as given, no smoothing, closest reference length, scale 0 to 1");
}

TEST_CASE("BLEU refuses translations without references") {
  const std::vector<Words> two(2), one(1);
  CHECK_THROWS_WITH(bleu(two, one), "bleu: 2 translations but 1 sets of references");
  CHECK_THROWS_WITH(bleu(one, std::vector<std::vector<Words>>(1)), "bleu: translation 0 has no reference");
}
