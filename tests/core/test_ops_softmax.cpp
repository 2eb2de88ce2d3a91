// The softmax family: huge scores, masks, and what a mask is not.
#include <cmath>
#include <limits>
#include <vector>

#include "core/ops.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

constexpr Real inf = std::numeric_limits<Real>::infinity(), NaN = std::numeric_limits<Real>::quiet_NaN();

void check(const Tensor& y, const std::vector<double>& want, double margin) {
  REQUIRE(y.size() == static_cast<Index>(want.size()));
  for (std::size_t i = 0; i < want.size(); ++i) {
    INFO("place " << i);
    CHECK(y.values()[i] == Approx(want[i]).margin(margin));
  }
}

}  // namespace

TEST_CASE("softmax of small scores") {
  const Tensor x({2, 2}, {0, 1, 3, 1});
  check(softmax(x), {0.268941421, 0.731058579, 0.880797078, 0.119202922}, 1e-6);
  check(softmax(x, 0), {0.047425873, 0.5, 0.952574127, 0.5}, 1e-6);
  check(log_softmax(x), {-1.313261688, -0.313261688, -0.126928011, -2.126928011}, 1e-6);
  check(softmax(Tensor({3, 1}, {-5, 0, inf}).reshape({3}).select(0).reshape({1})), {1}, 0);
}

TEST_CASE("case 7: huge scores") {
  const Tensor x = Tensor({3}, {1e4, 1e4, -1e4}).want_grad(), all({3}, {1, 1, 1});
  const Mask keep({3}, {1, 1, 1});
  check(softmax(x), {0.5, 0.5, 0}, 0);
  check(masked_softmax(x, keep), {0.5, 0.5, 0}, 0);
  CHECK(log_softmax(x).at({2}) == Approx(-20000).margin(1));  // ln 2 more, which float cannot show there
  {
    Tape tape;
    tape.backward(neg(log_softmax(x).select(2)));  // the cross-entropy of the last
  }
  check(x.grad_tensor(), {0.5, 0.5, -1}, 1e-6);
  for (const Real big : {Real(1e30), Real(-1e30)}) {
    check(softmax(Tensor({3}, big)), {1. / 3, 1. / 3, 1. / 3}, 1e-7);
    check(masked_softmax(Tensor({3}, big), Mask({3}, {1, 0, 1})), {0.5, 0, 0.5}, 0);
    check(log_softmax(Tensor({3}, big)), {-std::log(3.), -std::log(3.), -std::log(3.)}, 1e-6);
    check(softmax(Tensor({2}, {big, -big})), {big > 0 ? 1. : 0., big > 0 ? 0. : 1.}, 0);
    CHECK(std::isfinite(log_softmax(Tensor({2}, {big, -big})).at({0})));
  }
}

TEST_CASE("case 9: zeroed is not masked") {
  const Tensor h({4, 2}, {1, 0, 0, 1, 1, 1, 0, 0}), s({1, 2}, {0.9f, 0.2f});
  const Tensor e = matmul_nt(s, h);
  const Tensor masked = masked_softmax(e, Mask({1, 4}, {1, 1, 1, 0})), zeroed = softmax(e);
  check(masked, {0.367919, 0.182703, 0.449378, 0}, 1e-6);
  CHECK(masked.at({0, 3}) == 0);
  check(matmul(masked, h), {0.817297, 0.632081}, 1e-6);
  check(zeroed, {0.320045, 0.158930, 0.390904, 0.130121}, 1e-6);
  check(matmul(zeroed, h), {0.710950, 0.549834}, 1e-6);
}

TEST_CASE("a fully masked row is 0, with gradient 0") {
  const Tensor x = Tensor({2, 3}, {1, 2, 3, 4, 5, 6}).want_grad();
  Tape tape;
  const Tensor y = masked_softmax(x, Mask({2, 1}, {0, 1}));
  check(y, {0, 0, 0, 0.090030573, 0.244728471, 0.665240956}, 1e-6);
  tape.backward(y, Tensor({2, 3}, {9, 8, 7, 1, 0, 0}));
  for (int i = 0; i < 3; ++i) CHECK(x.grad()[i] == 0);
  CHECK(x.grad()[3] == Approx(0.090030573 * (1 - 0.090030573)));
}

TEST_CASE("whatever stands in a masked place does not show") {
  const Tensor x = Tensor({4}, {1, NaN, inf, 1}).want_grad();
  Tape tape;
  const Tensor y = masked_softmax(x, Mask({4}, {1, 0, 0, 1}));
  check(y, {0.5, 0, 0, 0.5}, 0);
  tape.backward(y, Tensor({4}, {1, 2, 3, 4}));
  check(x.grad_tensor(), {-0.75, 0, 0, 0.75}, 1e-7);
}

TEST_CASE("a mask broadcasts over its axes of size 1") {
  const Tensor x({2, 2, 3}, 0);
  check(masked_softmax(x, Mask::lengths(std::vector<Index>{1, 2}, 3).reshape({2, 1, 3})),
        {1, 0, 0, 1, 0, 0, 0.5, 0.5, 0, 0.5, 0.5, 0}, 0);
  check(masked_softmax(x, Mask({1, 2, 3}, {1, 0, 0, 1, 1, 0})), {1, 0, 0, 0.5, 0.5, 0, 1, 0, 0, 0.5, 0.5, 0},
        0);
}

TEST_CASE("a mask [B, S] against scores [B, T, S] is refused, B = T or not") {
  const Tensor x({3, 3, 4}, 0);
  const Mask mask = Mask::lengths(std::vector<Index>{1, 2, 3}, 4);
  CHECK_THROWS_WITH(masked_softmax(x, mask),
                    "masked_softmax([3, 3, 4]): the mask [3, 4] does not fit [3, 3, 4]: it needs "
                    "the same rank, each axis equal or 1");
  CHECK_THROWS_AS(masked_fill(x, mask, 0), std::invalid_argument);
  CHECK_THROWS_AS(where(mask, x, x), std::invalid_argument);
  CHECK_NOTHROW(masked_softmax(x, mask.reshape({3, 1, 4})));
}
