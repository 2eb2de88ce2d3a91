// GRU over true lengths: nothing past a sentence's end, and no batch mate, changes anything.
#include <algorithm>
#include <vector>

#include "core/gradcheck.hpp"
#include "nn/gru.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Lengths = std::vector<Index>;
using Start = std::vector<CellState>;

const Params params(1);
const GRU gru(params, 3, 4);

// Sentence b of x alone, its first n tokens.
Tensor alone(const Tensor& x, Index b, Index n) {
  return slice(x.select(b), 0, 0, n).detach().reshape({1, n, x.cols()}).want_grad();
}

// A loss that looks at one sentence's first n states and its last one, and its gradients in x and all
// weights.
struct Seen {
  Tensor h, last;
  std::vector<Tensor> dparams;
  Tensor dx;
};
Seen look(const Tensor& x, const Lengths& lengths, Index b, Index n) {
  const Tensor w = random_leaf({n, 4}, 7).detach(), u = random_leaf({4}, 8).detach();
  Seen seen;
  std::vector<Tensor> of = tensors_of(params);
  of.push_back(x);
  seen.dparams = gradients(of, [&] {
    const States states = gru(x, lengths);
    const Tensor h = slice(select(states.h, 0, b), 0, 0, n), last = select(states.last, 0, b);
    seen.h = h.detach();
    seen.last = last.detach();
    return sum(w * h) + sum(u * last);
  });
  seen.dx = seen.dparams.back();
  seen.dparams.pop_back();
  return seen;
}

}  // namespace

TEST_CASE("case 6: the stated GRU resets after the matrix, and z keeps the old state") {
  const Params one(1);
  const GRUCell cell(one, 1, 1);
  for (const Param& p : one.all()) std::fill_n(p.value.write(), 3, Real(p.name[0] == 'w' ? 1 : 0));
  one.find("bias_hh").write()[2] = 1;
  const Tensor x({1, 1}, 1), h({1, 1}, 0.5);
  CHECK(cell(x, h).item() == Approx(0.5870123346).margin(1e-6));
  one.find("bias_ih").write()[1] = -100;  // z = 0: the candidate itself
  CHECK(cell(x, h).item() == Approx(0.9769745638).margin(1e-6));
  one.find("bias_ih").write()[1] = 100;  // z = 1
  CHECK(cell(x, h).item() == 0.5);
}

TEST_CASE("the GRU's last state is that of the last token, and states past it are 0") {
  const Tensor x = random_leaf({4, 5, 3}, 1), first = random_leaf({4, 4}, 2);
  const Lengths lengths = {2, 5, 0, 1};
  for (const bool given : {false, true}) {
    const States states = gru(x, lengths, given ? Start{{first, {}}} : Start{});
    CHECK(states.h.shape() == Shape({4, 5, 4}));
    CHECK(states.last.shape() == Shape({4, 4}));
    for (Index b = 0; b < 4; ++b) {
      const Index n = lengths[static_cast<std::size_t>(b)];
      if (n > 0) CHECK(distance(states.last.select(b), states.h.select(b).select(n - 1)) == 0);
      for (Index i = n; i < 5; ++i) CHECK(all_zero(states.h.select(b).select(i)));
    }
    CHECK(distance(states.last.select(2), given ? first.select(2) : Tensor({4})) == 0);
  }
}

TEST_CASE("a sentence alone equals the same beside longer mates and with extra PAD columns") {
  const Tensor x = random_leaf({3, 6, 3}, 3);
  const Lengths lengths = {2, 6, 4};
  for (Index b = 0; b < 3; ++b) {
    const Index n = lengths[static_cast<std::size_t>(b)];
    const Seen want = look(alone(x, b, n), {n}, 0, n), mates = look(x, lengths, b, n);
    Tensor longer({1, n + 100, 3}, 1000);  // what stands in PAD's place does not matter
    std::copy_n(x.select(b).data(), n * 3, longer.write());
    const Seen padded = look(longer, {n}, 0, n);
    for (const Seen* seen : {&mates, &padded}) {
      CHECK(distance(seen->h, want.h) <= 1e-6);
      CHECK(distance(seen->last, want.last) <= 1e-6);
      CHECK(distance(seen->dparams, want.dparams) <= 1e-5);
    }
    CHECK(distance(slice(mates.dx.select(b), 0, 0, n), want.dx.select(0)) <= 1e-5);
    CHECK(distance(slice(padded.dx, 1, 0, n), want.dx) <= 1e-5);
    CHECK(all_zero(slice(padded.dx, 1, n, n + 100)));
    for (Index mate = 0; mate < 3; ++mate)
      if (mate != b) CHECK(all_zero(mates.dx.select(mate)));
  }
}

TEST_CASE("a GRU over no step at all, and over no sentence") {
  const Tensor first = random_leaf({2, 4}, 2);
  const States none = gru(Tensor({2, 0, 3}), Lengths{0, 0}, Start{{first, {}}});
  CHECK(none.h.shape() == Shape({2, 0, 4}));
  CHECK(distance(none.last, first) == 0);
  CHECK(gru(Tensor({0, 3, 3}), Lengths{}).h.shape() == Shape({0, 3, 4}));
}

TEST_CASE("a GRU refuses what does not fit") {
  const Tensor x({2, 3, 3});
  CHECK_THROWS_WITH(gru(x, Lengths{3}), "gru([2, 3, 3]): x needs the shape [1, S, in] of 1 lengths");
  CHECK_THROWS_WITH(gru(Tensor({2, 3}), Lengths{3, 3}),
                    "gru([2, 3]): x needs the shape [2, S, in] of 2 lengths");
  CHECK_THROWS_WITH(gru(x, Lengths{3, 4}), "Mask::lengths: length 4 of row 1 is not in 0 .. 3");
  CHECK_THROWS_WITH(gru(x, Lengths{3, -1}), "Mask::lengths: length -1 of row 1 is not in 0 .. 3");
  CHECK_THROWS_WITH(gru(Tensor({2, 3, 5}), Lengths{3, 3}),
                    "linear([3, 2, 5], [12, 3], [12]): x has 5 features but the weight takes 3");
  CHECK_THROWS_WITH(gru(x, Lengths{3, 3}, Start{{Tensor({1, 4}), {}}}),
                    "gru_gates([2, 12], [1, 12], [1, 4]): both halves of the gates need the shape [1, 12]");
  CHECK_THROWS_WITH(gru_gates(Tensor({2, 12}), Tensor({2, 12}), Tensor({2, 4}), Mask({2}, {1, 1})),
                    "gru_gates([2, 12], [2, 12], [2, 4]): the mask [2] needs the shape [2, 1]");
}
