// Random streams: the same numbers everywhere, in the right proportions.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("stream 1 begins as it always has") {
  Random random(1);
  CHECK(random.bits() == 6685036501382267578u);
  CHECK(random.bits() == 3047811371739217279u);
  CHECK(random.position() == 2);
}

TEST_CASE("a stream is a value: copied, stored and gone on with") {
  Random random(7);
  for (int i = 0; i < 5; ++i) random.bits();
  Random copy = random, restored(random.seed(), random.position());
  const std::uint64_t next = random.bits();
  CHECK(copy.bits() == next);
  CHECK(restored.bits() == next);
  CHECK(random_bits(7, 5) == next);
}

TEST_CASE("uniform draws lie from 0 up to 1 around one half") {
  Random random(1);
  double sum = 0, least = 1, most = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = random.uniform();
    sum += u, least = std::min(least, u), most = std::max(most, u);
  }
  CHECK(sum / 100000 == Approx(0.5).margin(0.005));
  CHECK((least >= 0 && least < 1e-3));
  CHECK((most < 1 && most > 0.999));
  const double v = random.uniform(-3, -2);
  CHECK((v >= -3 && v < -2));
}

TEST_CASE("below draws each number as often") {
  Random random(1);
  std::array<int, 7> count{};
  for (int i = 0; i < 70000; ++i) {
    const Index n = random.below(7);
    REQUIRE((n >= 0 && n < 7));
    ++count[static_cast<std::size_t>(n)];
  }
  for (const int c : count) CHECK(std::abs(c - 10000) < 500);  // five standard deviations
  CHECK(random.below(1) == 0);
  // A plain remainder of 64 bits would fall into the lower half of this range 9 times in 16.
  const Index large = Index{3} << (sizeof(Index) * 8 - 3);
  int low = 0;
  for (int i = 0; i < 10000; ++i) low += random.below(large) < large / 2;
  CHECK(std::abs(low - 5000) < 250);
}

TEST_CASE("below refuses an empty range") {
  Random random(1);
  CHECK_THROWS_WITH(random.below(0), "Random::below(0): there is no such number");
  CHECK_THROWS_AS(random.below(-3), std::invalid_argument);
  CHECK(random.position() == 0);
}

TEST_CASE("shuffle is a permutation, and every place can be reached") {
  Random random(1);
  std::vector<int> order(100);
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> shuffled = order;
  random.shuffle(shuffled);
  CHECK(shuffled != order);
  CHECK(std::is_permutation(shuffled.begin(), shuffled.end(), order.begin()));
  std::set<std::vector<int>> seen;
  for (int i = 0; i < 200; ++i) {
    std::vector<int> three{1, 2, 3};
    random.shuffle(three);
    seen.insert(three);
  }
  CHECK(seen.size() == 6);
  std::vector<int> none;
  random.shuffle(none);
  CHECK(none.empty());
}

TEST_CASE("streams of different names or seeds differ") {
  std::set<std::uint64_t> first;
  for (const char* name : {"", "a", "b", "encoder.weight_ih_l0", "encoder.weight_hh_l0"})
    for (const std::uint64_t seed : {0, 1, 2}) first.insert(Random::named(seed, name).bits());
  CHECK(first.size() == 15);
  CHECK(Random::named(1, "a").bits() == Random::named(1, "a").bits());
}

TEST_CASE("normal draws have mean 0, variance 1 and both tails") {
  Random random(1);
  constexpr int n = 100000;
  double sum = 0, squares = 0;
  int over_2 = 0, under_2 = 0;
  for (int i = 0; i < n; ++i) {
    const double z = random.normal();
    REQUIRE(std::isfinite(z));
    sum += z, squares += z * z, over_2 += z > 2, under_2 += z < -2;
  }
  CHECK(sum / n == Approx(0).margin(0.015));
  CHECK(squares / n == Approx(1).margin(0.02));
  CHECK(over_2 == Approx(0.02275 * n).margin(250));
  CHECK(under_2 == Approx(0.02275 * n).margin(250));
}
