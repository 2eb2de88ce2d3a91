// Multi-head attention's two ops, computed in place: against finite differences and against their twins, which
// set each head apart first; in double.
#include <algorithm>
#include <array>
#include <vector>

#include "attention/heads.hpp"
#include "core/gradcheck.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;
using In = std::vector<Tensor>;

// Keeps about two places of three, and in every second sentence nothing at all for one query.
Mask some(const Shape& shape) {
  Mask keep(shape, std::vector<std::uint8_t>(static_cast<std::size_t>(shape.size())));
  for (std::size_t i = 0; i < keep.values.size(); ++i) keep.values[i] = i % 3 != 1;
  for (Index i = 0; i < std::min(shape[-1], shape.size()); ++i) keep.values[static_cast<std::size_t>(i)] = 0;
  return keep;
}

void same(const In& x, Tensor (*fused)(const In&, const Mask&), Tensor (*composed)(const In&, const Mask&),
          const Mask& keep) {
  const Tensor y = composed(x, keep), w = random_leaf(y.shape(), 9).detach();
  CHECK(fused(x, keep).shape() == y.shape());
  CHECK(distance(fused(x, keep), y) <= 1e-12);
  CHECK(distance(gradients(x, [&] { return sum(w * fused(x, keep)); }),
                 gradients(x, [&] { return sum(w * composed(x, keep)); })) <= 1e-12);
}

template <Index heads>
Tensor weights(const In& x, const Mask& keep) {
  return head_weights(x[0], x[1], heads, keep);
}
template <Index heads>
Tensor weights_composed(const In& x, const Mask& keep) {
  return head_weights_composed(x[0], x[1], heads, keep);
}
Tensor contexts(const In& x, const Mask&) { return head_contexts(x[0], x[1]); }
Tensor contexts_composed(const In& x, const Mask&) { return head_contexts_composed(x[0], x[1]); }

}  // namespace

TEST_CASE("head_weights and head_contexts: fused equals composed") {
  for (const auto& [B, T, S] : {std::array<Index, 3>{2, 3, 5}, {1, 1, 1}, {3, 4, 2}, {2, 0, 3}, {2, 3, 0}}) {
    CAPTURE(B, T, S);
    const In qk = {random_leaf({B, T, 6}, 1, -2, 2), random_leaf({B, S, 6}, 2, -2, 2)};
    for (const Mask& keep : {Mask{}, some({B, 1, 1, S}), some({B, 1, T, S}), some({1, 1, T, S})}) {
      same(qk, weights<1>, weights_composed<1>, keep);
      same(qk, weights<3>, weights_composed<3>, keep);
    }
    same({random_leaf({B, 3, T, S}, 3), random_leaf({B, S, 6}, 4)}, contexts, contexts_composed, {});
  }
  const Tensor x = random_leaf({2, 3, 4}, 5);  // queries and keys of one storage
  same({x, x}, weights<2>, weights_composed<2>, {});
  const Tensor mix = random_leaf({3, 1, 3, 3}, 6);
  same({mix, mix.reshape({3, 3, 3})}, contexts, contexts_composed, {});
}

TEST_CASE("case 6: head_weights and head_contexts") {
  const Mask keep = some({2, 1, 3, 5});
  const In qk = {random_leaf({2, 3, 6}, 1), random_leaf({2, 5, 6}, 2)};
  const Gradcheck weights =
      gradcheck("head_weights", qk, [&] { return head_weights(qk[0], qk[1], 3, keep); });
  CHECK(weights.failure.empty());  // checked twice: fresh and added to
  CHECK(weights.checked == 2 * 2 * (3 + 5) * 6);
  const In av = {random_leaf({2, 3, 4, 5}, 1), random_leaf({2, 5, 6}, 2)};
  const Gradcheck contexts = gradcheck("head_contexts", av, [&] { return head_contexts(av[0], av[1]); });
  CHECK(contexts.failure.empty());
  CHECK(contexts.checked == 2 * 2 * 5 * (3 * 4 + 6));
}

TEST_CASE("head_weights and head_contexts name what does not fit") {
  const Tensor q({2, 3, 6}), k({2, 5, 6});
  CHECK_THROWS_WITH(head_weights(q, k, 4),
                    "head_weights([2, 3, 6], [2, 5, 6]): 6 features cannot be cut into 4 heads");
  CHECK_THROWS_WITH(head_weights(q, Tensor({3, 5, 6}), 2),
                    "head_weights([2, 3, 6], [3, 5, 6]): q [B, T, E] and k [B, S, E] need the same B and E");
  CHECK_THROWS_WITH(head_weights(q, k, 2, Mask({2, 1, 5, 5}, std::vector<std::uint8_t>(50))),
                    ContainsSubstring("the mask [2, 1, 5, 5] needs the shape [1 or 2, 1, 1 or 3, 5]"));
  CHECK_THROWS_WITH(
      head_contexts(Tensor({2, 3, 4, 4}), k),
      "head_contexts([2, 3, 4, 4], [2, 5, 6]): alpha [B, heads, T, S] and v [B, S, E] need the same B and S");
  CHECK_THROWS_WITH(head_contexts(Tensor({2, 4, 3, 5}), k), ContainsSubstring("cannot be cut into 4 heads"));
}
