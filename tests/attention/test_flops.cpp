// A fused op counts the products inside it as its slow twin does.
#include "attention/additive_scores.hpp"
#include "core/kernels/flops.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("additive scores count as many operations fused as composed, forward and backward") {
  const Tensor q({2, 3, 5}, 1), k({2, 4, 5}, 1), v({5}, 1), seed({2, 3, 4}, 1);
  for (const Tensor& x : {q, k, v}) x.want_grad();
  const auto counted = [&](auto scores) {
    const std::int64_t start = product_flops();
    Tape tape;
    const Tensor e = scores(q, k, v);
    const std::int64_t forward = product_flops() - start;
    tape.backward(e, seed);
    return std::pair(forward, product_flops() - start - forward);
  };
  const auto composed = counted(additive_scores_composed);
  CHECK(composed == std::pair<std::int64_t, std::int64_t>(240, 480));  // 2 * 2 * 3 * 4 * 5, and twice that
  CHECK(counted(additive_scores) == composed);
}
