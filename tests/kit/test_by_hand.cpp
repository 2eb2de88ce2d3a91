// The GRU step that chapter 06 writes out.
#include "examples/kit/by_hand.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("the step by hand is the cell's, in every component") {
  const GRUCell cell(Params(3), 4, 3);
  const Tensor x({1, 4}, {0.5, -1, 0.3, 2}), h({1, 3}, {0.6, -0.2, 0.9});
  const ByHand step = gru_by_hand(cell, x, h);
  const Tensor next = cell(x, h);
  REQUIRE(step.h.size() == 3);
  for (Index k = 0; k < 3; ++k) CHECK(std::abs(step.h[k] - next.at({0, k})) < 1e-6);
  CHECK(step.lines.size() == 12);
}

TEST_CASE("a step is written out with weights, signs and gates in their places") {
  const GRUCell cell(Params(1), 2, 1);
  const auto set = [](const Tensor& x, std::vector<Real> values) {
    std::copy(values.begin(), values.end(), x.write());
  };
  set(cell.weight_ih, {0.1, -0.2, 0.3, 0.4, -0.5, 0.6});  // rows r, z, n
  set(cell.weight_hh, {0.7, -0.8, 0.9});
  set(cell.bias_ih, {1, -1.1, 0});
  set(cell.bias_hh, {-0.3, 0.2, 0.1});
  const ByHand step = gru_by_hand(cell, Tensor({1, 2}, {1, 0.5}), Tensor({1, 1}, 0.6));
  REQUIRE(step.lines.size() == 4);
  CHECK(step.lines[0] ==
        "r_1 = sigmoid(0.1*1.0 - 0.2*0.5 + 1.0 + (0.7*0.6 - 0.3)) = sigmoid(1.120000) = 0.753989");
  CHECK(step.lines[1] ==
        "z_1 = sigmoid(0.3*1.0 + 0.4*0.5 - 1.1 + (-0.8*0.6 + 0.2)) = sigmoid(-0.880000) = 0.293178");
  CHECK(step.lines[2] ==
        "n_1 = tanh(-0.5*1.0 + 0.6*0.5 + 0.0 + 0.753989*(0.9*0.6 + 0.1)) = tanh(0.282553) = 0.275266");
  CHECK(step.lines[3] == "h'_1 = 0.706822*0.275266 + 0.293178*0.6 = 0.370471");
}
