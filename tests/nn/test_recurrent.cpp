// Stacked and bidirectional nets: what they hand over, where they drop, what they refuse.
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/gradcheck.hpp"
#include "nn/dropout.hpp"
#include "nn/gru.hpp"
#include "nn/lstm.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

const std::vector<Index> lengths = {3, 1, 0};

}  // namespace

TEST_CASE("the last state is the top layer's, forward beside backward, and stands in h") {
  const GRU net(Params(1), 2, 4, {.layers = 2, .bidirectional = true});
  const Tensor x = random_leaf({3, 3, 2}, 1);
  const States s = net(x, lengths);
  REQUIRE(s.final.size() == 4);
  CHECK(distance(slice(s.last, -1, 0, 4), s.final[2].h) == 0);
  CHECK(distance(slice(s.last, -1, 4, 8), s.final[3].h) == 0);
  CHECK(distance(s.final[0].h, s.final[2].h) > 0);
  const Tensor forward = slice(s.h, -1, 0, 4), backward = slice(s.h, -1, 4, 8);
  for (const Index b : {0, 1}) {  // forward ends at a sentence's last token, backward at its first
    const Index end = lengths[static_cast<std::size_t>(b)] - 1;
    CHECK(distance(forward.select(b).select(end), s.final[2].h.select(b)) == 0);
    CHECK(distance(backward.select(b).select(0), s.final[3].h.select(b)) == 0);
  }
  CHECK(all_zero(s.last.select(2)));  // no token: the zero state it began with
}

TEST_CASE("dropout lies between layers, and nowhere else") {
  const Tensor x = random_leaf({1, 4, 2}, 1);
  const std::vector<Index> length = {4};
  const Params params(1);
  const LSTM two(params, 2, 3, {.layers = 2, .dropout = Real(0.5)});
  Random random(7), same(7), other(8);
  const States dropped = two(x, length, {}, &random);
  CHECK(distance(dropped.final[0].h, two(x, length).final[0].h) == 0);  // below it nothing changes
  CHECK(distance(dropped.h, two(x, length).h) > 1e-3);
  CHECK(distance(dropped.h, two(x, length, {}, &same).h) == 0);
  CHECK(distance(dropped.h, two(x, length, {}, &other).h) > 1e-3);
  const LSTM one(params["one"], 2, 3, {.dropout = Real(0.5)});  // no layer above, nothing between
  CHECK(distance(one(x, length, {}, &random).h, one(x, length).h) == 0);
}

TEST_CASE("nets refuse options and inputs that make no sense") {
  for (const Index layers : {0, -1})
    CHECK_THROWS_WITH(GRU(Params(1), 2, 3, {.layers = layers}),
                      "gru: " + std::to_string(layers) + " layers; at least one is needed");
  for (const Real p : {Real(1), Real(2), Real(-0.1), std::numeric_limits<Real>::quiet_NaN()})
    CHECK_THROWS_WITH(LSTM(Params(1), 2, 3, {.dropout = p}), ContainsSubstring("is not in [0, 1)"));
  const GRU net(Params(1), 2, 3);
  CHECK_THROWS_WITH(net(Tensor({2, 3, 2}), lengths),
                    ContainsSubstring("x needs the shape [3, S, in] of 3 lengths"));
  CHECK_THROWS_AS(net(Tensor({3, 2, 2}), lengths), std::exception);  // a length of 3 in 2 places
  CHECK_THROWS_WITH(net(Tensor({3, 3, 2}), lengths, std::vector<CellState>(2)),
                    ContainsSubstring("2 first states for 1 cells"));
}
