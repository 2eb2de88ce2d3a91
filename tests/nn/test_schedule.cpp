// Learning rates at the steps where they turn.
#include <stdexcept>

#include "nn/schedule.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("Schedule: constant") {
  const Schedule constant{.rate = 0.5};
  for (const Index step : {1, 2, 1'000'000}) CHECK(constant.at(step) == 0.5);
}

TEST_CASE("Schedule: a warm-up rises evenly to the rate, and stays when nothing decays") {
  const Schedule warm{.rate = 0.5, .warmup = 4};
  CHECK(warm.at(1) == 0.125);
  CHECK(warm.at(2) == 0.25);
  CHECK(warm.at(4) == 0.5);
  CHECK(warm.at(5) == 0.5);
}

TEST_CASE("Schedule: inverse square root of the step, without a jump where the warm-up ends") {
  const Schedule schedule{.rate = 0.5, .warmup = 4, .decay = Decay::inverse_sqrt};
  CHECK(schedule.at(3) == 0.375);
  CHECK(schedule.at(4) == 0.5);
  CHECK(schedule.at(16) == 0.25);
  CHECK(schedule.at(400) == Approx(0.05));
  const Schedule cold{.rate = 0.5, .decay = Decay::inverse_sqrt};
  CHECK(cold.at(1) == 0.5);
  CHECK(cold.at(4) == 0.25);
}

TEST_CASE("Schedule: linear to zero, and zero for ever after") {
  const Schedule schedule{.rate = 0.5, .warmup = 10, .decay = Decay::linear, .steps = 110};
  CHECK(schedule.at(5) == 0.25);
  CHECK(schedule.at(10) == 0.5);
  CHECK(schedule.at(60) == 0.25);
  CHECK(schedule.at(110) == 0);
  CHECK(schedule.at(111) == 0);
}

TEST_CASE("Schedule: what makes no sense is refused") {
  CHECK_THROWS_WITH(Schedule().at(0),
                    "Schedule: step 0 of 0, warm-up 0: steps count from 1 and end after the warm-up");
  CHECK_THROWS_AS(Schedule{.warmup = -1}.at(1), std::invalid_argument);
  CHECK_THROWS_AS((Schedule{.decay = Decay::linear}.at(1)), std::invalid_argument);
  CHECK_THROWS_AS((Schedule{.warmup = 4, .decay = Decay::linear, .steps = 4}.at(1)), std::invalid_argument);
}
