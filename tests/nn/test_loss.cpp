// Cross-entropy: huge logits, and a mean over real tokens only.
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/gradcheck.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

const double ln2 = std::log(2.), ln3 = std::log(3.);

// A small language model: reads words, says how likely each next one is.
struct Model {
  Params params{1};
  Embedding embed{params["embed"], 9, 4};
  GRU gru{params["gru"], 4, 5};
  Linear readout{params["readout"], 5, 9};

  // Words [B, T] and what follows each, PAD after the end.
  Tensor loss(const Ids& words, const Ids& next, Reduction reduction = Reduction::mean) const {
    std::vector<Index> lengths(static_cast<std::size_t>(next.shape[0]), 0);
    for (std::size_t i = 0; i < next.values.size(); ++i)
      lengths[i / static_cast<std::size_t>(next.shape[1])] += next.values[i] != PAD;
    return cross_entropy(readout(gru(embed(words), lengths).h), next,
                         {.ignore = PAD, .reduction = reduction});
  }
};

// The same rows with more PAD columns.
Ids widened(const Ids& ids, Index T) {
  Ids wide({ids.shape[0], T}, PAD);
  for (Index i = 0; i < ids.size(); ++i)
    wide.values[static_cast<std::size_t>(i / ids.shape[1] * T + i % ids.shape[1])] =
        ids.values[static_cast<std::size_t>(i)];
  return wide;
}

Ids row(const Ids& ids, Index b) {
  const auto first = ids.values.begin() + b * ids.shape[1];
  return Ids({1, ids.shape[1]}, {first, first + ids.shape[1]});
}

const Ids words = widened(Ids({2, 5}, {GO, 4, 5, 6, 7, GO, 8, PAD, PAD, PAD}), 10);
const Ids next = widened(Ids({2, 5}, {4, 5, 6, 7, EOS, 8, EOS, PAD, PAD, PAD}), 10);

}  // namespace

TEST_CASE("case 7: cross-entropy of huge logits") {
  const auto check = [](const Tensor& logits, std::int32_t target, double want,
                        const std::vector<Real>& gradient) {
    for (const auto& loss : {cross_entropy, cross_entropy_composed}) {
      CHECK(loss(logits, Ids({}, target), {}).item() == Approx(want).epsilon(1e-6).margin(1e-6));
      const Tensor d = gradients(std::vector{logits}, [&] { return loss(logits, Ids({}, target), {}); })[0];
      CHECK(distance(d, Tensor({3}, gradient)) <= 1e-6);
    }
  };
  const Tensor x({3}, {1e4, 1e4, -1e4});
  check(x, 0, ln2, {-0.5, 0.5, 0});
  check(x, 2, 20000 + ln2, {0.5, 0.5, -1});
  for (const Real big : {Real(1e30), Real(-1e30)}) {
    const auto third = Real(1. / 3);
    check(Tensor({3}, big), 1, ln3, {third, third - 1, third});
  }
  check(Tensor({3}, {1e30, 0, 0}), 0, 0, {0, 0, 0});
  check(Tensor({3}, {-1e30, 0, 0}), 0, 1e30, {-1, 0.5, 0.5});
}

TEST_CASE("case 7: label smoothing of huge logits") {
  const CrossEntropyOptions smooth{.label_smoothing = Real(0.3)};
  for (const auto& loss : {cross_entropy, cross_entropy_composed}) {
    CHECK(loss(Tensor({3}, 1e30), Ids({}, 1), smooth).item() == Approx(ln3).epsilon(1e-6));
    CHECK(loss(Tensor({3}, {1e4, 1e4, 1e4 + 1}), Ids({}, 1), smooth).item() ==
          Approx(1.451444714).epsilon(1e-6));
  }
}

TEST_CASE("case 12: loss over real tokens") {
  const Model model;
  double total = 0;
  for (Index b = 0; b < 2; ++b)
    for (Index t = 0; t < 10; ++t)
      if (next.values[static_cast<std::size_t>(b * 10 + t)] != PAD) {
        const Ids one = row(next, b).column(t);
        std::vector<Index> lengths{t + 1};
        const Tensor logits = model.readout(model.gru(model.embed(row(words, b)), lengths).last);
        total += cross_entropy(logits, one).item();
      }
  CHECK(model.loss(words, next).item() == Approx(total / 7).epsilon(1e-5));
  CHECK(model.loss(words, next, Reduction::sum).item() == Approx(total).epsilon(1e-5));
}

TEST_CASE("case 12: 100 more PAD columns change neither loss nor any gradient") {
  const Model model;
  const Ids more_words = widened(words, 110), more_next = widened(next, 110);
  CHECK(model.loss(more_words, more_next).item() == Approx(model.loss(words, next).item()).epsilon(1e-6));
  const auto all = tensors_of(model.params);
  CHECK(distance(gradients(all, [&] { return model.loss(more_words, more_next); }),
                 gradients(all, [&] { return model.loss(words, next); })) <= 1e-6);
}

TEST_CASE("case 12: two micro-batches weighted by their tokens give the joined gradient") {
  const Model model;
  const auto all = tensors_of(model.params);
  const auto joined = gradients(all, [&] { return model.loss(words, next); });
  const auto first =
      gradients(all, [&] { return scale(model.loss(row(words, 0), row(next, 0)), Real(5. / 7)); });
  const auto second =
      gradients(all, [&] { return scale(model.loss(row(words, 1), row(next, 1)), Real(2. / 7)); });
  for (std::size_t k = 0; k < all.size(); ++k) {
    INFO(model.params.all()[k].name);
    CHECK(distance(first[k] + second[k], joined[k]) <= 1e-6);
    CHECK(!all_zero(joined[k]));
  }
}

TEST_CASE("all targets ignored: the loss and its gradient are 0") {
  const Tensor logits = random_leaf({2, 3}, 1);
  const Ids targets({2}, {PAD, PAD});
  for (const Reduction reduction : {Reduction::mean, Reduction::sum}) {
    CHECK(cross_entropy(logits, targets, {.ignore = PAD, .reduction = reduction}).item() == 0);
    CHECK(all_zero(gradients(std::vector{logits}, [&] {
      return cross_entropy(logits, targets, {.ignore = PAD, .reduction = reduction});
    })[0]));
  }
  CHECK(all_zero(cross_entropy(logits, targets, {.ignore = PAD, .reduction = Reduction::none})));
  CHECK(cross_entropy(Tensor({0, 3}), Ids(Shape{0})).item() == 0);
}

TEST_CASE("case 16: targets out of range are named, and the ignored id may lie outside") {
  const Tensor logits({2, 3});
  for (const std::int32_t id : {-1, 3, INT32_MAX}) {
    const Ids targets({2}, {2, id});
    CHECK_THROWS_WITH(cross_entropy(logits, targets), "cross_entropy: id " + std::to_string(id) +
                                                          " at place 1 of [2] is not in 0 .. 2 (V = 3)");
    CHECK_THROWS_AS(cross_entropy(logits, targets), std::out_of_range);
    CHECK(cross_entropy(logits, targets, {.ignore = id}).item() == Approx(ln3));
  }
}

TEST_CASE("cross_entropy refuses what does not fit") {
  const Tensor logits({2, 3});
  CHECK_THROWS_WITH(cross_entropy(logits, Ids(Shape{3})),
                    "cross_entropy([2, 3]): targets [3] are not logits' shape without the last axis");
  CHECK_THROWS_WITH(cross_entropy(Tensor(Shape{}), Ids(Shape{})),
                    "cross_entropy([]): targets [] are not logits' shape without the last axis");
  CHECK_THROWS_WITH(cross_entropy(logits, Ids(Shape{2}), {.label_smoothing = 1}),
                    "cross_entropy([2, 3]): label smoothing 1 is not in [0, 1)");
}

TEST_CASE("the gradient may come over the logits, but not over logits that somebody still holds") {
  const Tensor x = random_leaf({3, 4}, 1), W = random_leaf({5, 4}, 2);
  const Ids targets({3}, {1, 4, 0});
  const std::vector<Tensor> leaves = {x, W};
  const auto alone = gradients(leaves, [&] { return cross_entropy(linear(x, W), targets, {.ignore = 0}); });
  Tensor held;
  const auto kept = gradients(leaves, [&] {
    held = linear(x, W);
    return cross_entropy(held, targets, {.ignore = 0});
  });
  CHECK(distance(alone, kept) == 0);
  CHECK(distance(held, linear(x, W)) == 0);
  const auto twice = gradients(leaves, [&] {  // both read the logits, newest first
    const Tensor logits = linear(x, W);
    return sum(logits * logits) + cross_entropy(logits, targets, {.ignore = 0});
  });
  const auto square = gradients(leaves, [&] {
    const Tensor logits = linear(x, W);
    return sum(logits * logits);
  });
  for (std::size_t k = 0; k < leaves.size(); ++k) CHECK(distance(twice[k], square[k] + alone[k]) <= 1e-6);
}

TEST_CASE("the gradient may come over what an op of one number made, whatever that op reads") {
  const std::vector<Tensor> x = {random_leaf({2, 3}, 1, Real(0.5), 2)};
  const Ids targets({2}, {0, 2});
  const std::vector<Tensor (*)(const Tensor&)> ops = {
      [](const Tensor& v) { return scale(v, 2); }, [](const Tensor& v) { return -v; },
      [](const Tensor& v) { return relu(v); },     [](const Tensor& v) { return log(v); },
      [](const Tensor& v) { return tanh(v); },     [](const Tensor& v) { return pow(v, 3); }};
  for (const auto op : ops) {
    const auto gone = gradients(x, [&] { return cross_entropy(op(x[0]), targets); });
    const auto kept = gradients(x, [&] { return cross_entropy_composed(op(x[0]), targets); });
    CHECK(distance(gone, kept) <= 1e-6);
  }
}
