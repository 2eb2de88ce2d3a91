// Every layer of nn/ against finite differences, and every fused op against its slow twin; in double.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/gradcheck.hpp"
#include "core/ops.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using In = std::vector<Tensor>;

Tensor leaf(Shape shape, Real low = -1, Real high = 1) {
  static std::uint64_t seed = 0;
  return random_leaf(shape, ++seed, low, high);
}

void check(const std::string& name, const In& x, const std::function<Tensor()>& f) {
  Index values = 0;
  for (const Tensor& t : x) values += t.size();
  const Gradcheck g = gradcheck(name, x, f);
  CHECK(g.failure == "");
  CHECK(g.checked == 2 * values);
}

void check_same(const In& x, const std::function<Tensor()>& fused, const std::function<Tensor()>& composed) {
  const Tensor w = random_leaf(fused().shape(), 99).detach();
  CHECK(distance(fused(), composed()) <= 1e-12);
  CHECK(distance(gradients(x, [&] { return sum(w * fused()); }),
                 gradients(x, [&] { return sum(w * composed()); })) <= 1e-12);
}

In with(In x, const Params& params) {
  for (const Tensor& w : tensors_of(params)) x.push_back(w);
  return x;
}

const std::vector<Mask> gru_masks = {Mask(), Mask({3, 1}, {1, 0, 1}), Mask({3, 1}, {0, 0, 0})};

struct CrossEntropyRow {
  Shape logits;
  std::vector<std::int32_t> targets;
};
const std::vector<CrossEntropyRow> cross_entropy_rows = {
    {{4, 5}, {3, 0, 0, 4}},
    {{2, 3, 5}, {1, 0, 4, 2, 2, 0}},
    {{5}, {2}},
    {{3, 1}, {0, 0, 0}},
    {{2, 2}, {0, 0}},
    {{0, 5}, {}},
};

void for_each_cross_entropy(
    const std::function<void(const CrossEntropyRow&, const Ids&, CrossEntropyOptions)>& f) {
  for (const CrossEntropyRow& row : cross_entropy_rows)
    for (const Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none})
      for (const std::optional<std::int32_t> ignore :
           {std::optional<std::int32_t>{}, std::optional<std::int32_t>{0}})
        for (const Real smoothing : {0., 0.1})
          f(row, Ids(row.logits.without(-1), row.targets), {ignore, reduction, smoothing});
}

}  // namespace

// [linear]
TEST_CASE("case 6: linear, with and without a bias, on one to four axes") {
  for (const Shape& s : {Shape{5}, Shape{1}, Shape{3, 5}, Shape{2, 1, 5}, Shape{2, 1, 3, 5}, Shape{0, 5}})
    for (const bool bias : {false, true}) {
      const Params params(1);
      const Linear layer(params, s[-1], 2, bias);
      const Tensor x = leaf(s);
      CHECK(params.all().size() == (bias ? 2 : 1));
      check("linear", with({x}, params), [&] { return layer(x); });
    }
}
// [/linear]

TEST_CASE("case 6: embedding, and none for the row of PAD") {
  const Params params(1);
  const Embedding embed(params, 5, 3);
  check("embedding", tensors_of(params), [&] { return embed(Ids({2, 2}, {4, 1, 4, 4})); });
  const Tensor w = leaf({2, 3}).detach();
  const auto loss = [&] { return sum(w * embed(Ids({2}, {PAD, 4}))); };
  const Tensor dweight = gradients(tensors_of(params), loss)[0];
  CHECK(all_zero(dweight.select(PAD)));
  CHECK(distance(dweight.select(4), w.select(1)) == 0);
}

TEST_CASE("case 6: GRU cell") {
  struct Row {
    Index B, in, H;
  };
  for (const Row& n : {Row{2, 3, 4}, Row{1, 1, 1}, Row{3, 1, 2}}) {
    const Params params(1);
    const GRUCell cell(params, n.in, n.H);
    const Tensor x = leaf({n.B, n.in}), h = leaf({n.B, n.H});
    check("gru cell", with({x, h}, params), [&] { return cell(x, h); });
    check("gru cell that reads its own state", with({h}, params),
          [&] { return cell(slice(h, 1, 0, n.in), h); });
  }
}

TEST_CASE("case 6: GRU over lengths 0, 1 and S") {
  using Start = std::vector<CellState>;
  struct Row {
    Index S, in, H;
    std::vector<Index> lengths;
  };
  for (const Row& row : {Row{4, 3, 2, {0, 1, 4}}, Row{3, 2, 3, {3, 3}}, Row{1, 1, 1, {1}}, Row{1, 1, 1, {0}},
                         Row{2, 1, 2, {0, 0}}})
    for (const bool given : {false, true}) {
      const Params params(1);
      const GRU gru(params, row.in, row.H);
      const Index B = std::ssize(row.lengths);
      const Tensor x = leaf({B, row.S, row.in}), first = leaf({B, row.H});
      const auto run = [&] {
        const States states = gru(x, row.lengths, given ? Start{{first, {}}} : Start{});
        return concat(In{states.h.reshape({B, row.S * row.H}), states.last}, 1);
      };
      check("gru", with(given ? In{x, first} : In{x}, params), run);
    }
}

TEST_CASE("gru_gates: fused equals composed, and finite differences") {
  for (const Mask& keep : gru_masks)
    for (const Index H : {1, 4, 5}) {
      const Tensor gi = leaf({3, 3 * H}, -2, 2), gh = leaf({3, 3 * H}, -2, 2), h = leaf({3, H});
      check_same(
          {gi, gh, h}, [&] { return gru_gates(gi, gh, h, keep); },
          [&] { return gru_gates_composed(gi, gh, h, keep); });
      check("gru_gates", {gi, gh, h}, [&] { return gru_gates(gi, gh, h, keep); });
      check("gru_gates, halves alike", {gi, h}, [&] { return gru_gates(gi, gi, h, keep); });
      for (const In& x : {In{gi}, In{gh}, In{h}}) {  // the others are constants
        const auto constant = [&](const Tensor& t) { return x[0].storage() == t.storage() ? t : t.detach(); };
        check("gru_gates of one", x,
              [&] { return gru_gates(constant(gi), constant(gh), constant(h), keep); });
      }
      const Tensor steps = leaf({2, 3, 3 * H}), state = leaf({2, 3, H});
      check("gru_gates of views", {steps, state},
            [&] { return gru_gates(steps.select(1), steps.select(0), state.select(1), keep); });
    }
}

TEST_CASE("case 6: the stated GRU, to nine digits") {
  const Params params(1);
  const GRUCell cell(params, 1, 1);
  for (const char* name : {"weight_ih", "weight_hh"}) std::fill_n(params.find(name).write(), 3, 1);
  for (const char* name : {"bias_ih", "bias_hh"}) std::fill_n(params.find(name).write(), 3, 0);
  params.find("bias_hh").write()[2] = 1;
  CHECK(cell(Tensor({1, 1}, 1), Tensor({1, 1}, 0.5)).item() == Approx(0.5870123346).margin(1e-10));
}

TEST_CASE("case 6: cross_entropy, every reduction, ignored targets, smoothing") {
  for_each_cross_entropy([](const CrossEntropyRow& row, const Ids& targets,
                            const CrossEntropyOptions& options) {
    const Tensor logits = leaf(row.logits, -2, 2), two = leaf(row.logits.inserted(0, 2), -2, 2);
    check("cross_entropy", {logits}, [&] { return cross_entropy(logits, targets, options); });
    check("cross_entropy of a view", {two}, [&] { return cross_entropy(two.select(1), targets, options); });
  });
}

TEST_CASE("cross_entropy: fused equals composed") {
  for_each_cross_entropy(
      [](const CrossEntropyRow& row, const Ids& targets, const CrossEntropyOptions& options) {
        const Tensor logits = leaf(row.logits, -5, 5);
        check_same(
            {logits}, [&] { return cross_entropy(logits, targets, options); },
            [&] { return cross_entropy_composed(logits, targets, options); });
      });
}
