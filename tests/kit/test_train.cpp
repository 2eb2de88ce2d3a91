// The training loop.
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/ops.hpp"
#include "examples/kit/train.hpp"
#include "tests/catch.hpp"
#include "tests/stderr_text.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

constexpr Real NaN = std::numeric_limits<Real>::quiet_NaN();
const std::vector<Batch> batches =
    make_batches(std::vector<IdPair>{{{4}, {5}}, {{4, 5}, {5, 6, 7}}}, 1);  // 2 and 4 tokens

struct Model {  // loss = (w - 3)^2 + u^2
  Params params{1};
  Tensor w = params["one"].add("w", {}, zeros), u = params["two"].add("u", {2}, ones);
  Tensor loss() const { return sum((w - Tensor({}, 3)) * (w - Tensor({}, 3))) + sum(u * u); }
};

std::string what(const std::function<void()>& f) {
  std::string message;
  stderr_text([&] {
    try {
      f();
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
  });
  return message;
}

}  // namespace

TEST_CASE("training goes down, calls after each epoch, and shows its progress on stderr") {
  const Model model;
  std::vector<int> epochs;
  std::vector<double> losses;
  const std::string said = stderr_text([&] {
    losses = train(model.params, batches, [&](const Batch&) { return model.loss(); },
                   {.title = "learning",
                    .epochs = 200,
                    .rate = Real(0.05),
                    .after_epoch = [&](int e) { epochs.push_back(e); }})
                 .loss;
  });
  CHECK(losses.size() == 200);
  CHECK(losses.back() < 1e-2);
  CHECK(model.w.item() == Approx(3).margin(0.1));
  REQUIRE(epochs.size() == 200);
  CHECK((epochs.front() == 1 && epochs.back() == 200));
  CHECK(said.find("learning") == 0);
}

TEST_CASE("an epoch's loss is the mean over its tokens, not over its batches") {
  const Model model;
  std::vector<double> losses;
  stderr_text([&] {  // 1 on the batch of 2 tokens, 4 on that of 4
    losses = train(model.params, batches,
                   [&](const Batch& batch) {
                     return scale(sum(model.u * Tensor({2}, 0)) + Tensor({}, 1), batch.tokens == 2 ? 1 : 4);
                   },
                   {.epochs = 1})
                 .loss;
  });
  CHECK(losses == std::vector<double>{(2 * 1 + 4 * 4) / 6.});
}

TEST_CASE("case 8: a NaN in a parameter stops training at that step, by its name") {
  const Model model;
  Index step = 0;
  const auto loss = [&](const Batch&) {
    if (++step == 3) model.u.write()[1] = NaN;
    return model.loss();
  };
  CHECK(what([&] { train(model.params, batches, loss, {.epochs = 10}); }) ==
        "step 3: two.u holds nan; training stops");
  CHECK(step == 3);
}

TEST_CASE("case 8: a NaN that the loss does not feel, and one that the last step makes") {
  const Model model;
  const auto half = [&](const Batch&) { return sum((model.w - Tensor({}, 3)) * slice(model.u, 0, 0, 1)); };
  model.u.write()[1] = NaN;
  CHECK(what([&] { train(model.params, batches, half, {}); }) == "step 0: two.u holds nan; training stops");
  model.u.write()[1] = 1;
  CHECK(what([&] {
          train(model.params, std::span(batches).first(1), half,
                {.rate = std::numeric_limits<Real>::infinity()});
        }) == "step 1: one.w holds -inf; training stops");
}

TEST_CASE("case 8: a loss or a gradient that is not finite stops training too, and nothing moves") {
  const Model model;
  const auto infinite = [&](const Batch&) { return model.loss() + log(Tensor({}, 0)); };
  CHECK(what([&] { train(model.params, batches, infinite, {}); }) ==
        "step 1: the loss is -inf; training stops");
  const auto steep = [&](const Batch&) { return sum(sqrt(model.w)) + sum(model.u); };  // sqrt'(0)
  CHECK(what([&] { train(model.params, batches, steep, {}); }) ==
        "step 1: the gradient of one.w is not finite; training stops");
  CHECK(model.w.item() == 0);
  CHECK(distance(model.u, Tensor({2}, 1)) == 0);
}

TEST_CASE("a linear decay takes the rate from its first value to 0 just past the last step") {
  Params params(1);
  const Tensor w = params.add("w", {}, zeros);
  std::vector<Real> at;
  stderr_text([&] {  // on a constant gradient Adam moves by the rate
    train(params, batches, [&](const Batch&) { return at.push_back(w.item()), sum(w); },
          {.epochs = 2, .rate = Real(0.5), .decay = Decay::linear});
  });
  REQUIRE(at.size() == 4);
  const Real rates[] = {Real(0.4), Real(0.3), Real(0.2), Real(0.1)};
  for (std::size_t k = 0; k < 3; ++k) CHECK(at[k] - at[k + 1] == Approx(rates[k]).margin(1e-5));
  CHECK(at[3] - w.item() == Approx(rates[3]).margin(1e-5));
}

TEST_CASE("training on nothing") {
  const Model model;
  stderr_text([&] {
    CHECK(
        train(model.params, batches, [&](const Batch&) { return model.loss(); }, {.epochs = 0}).loss.empty());
    CHECK_THROWS_WITH(
        train(model.params, std::vector<Batch>{}, [&](const Batch&) { return model.loss(); }, {}),
        "train: there are no batches");
    CHECK_THROWS_WITH(
        train(model.params, std::vector<Batch>(2), [&](const Batch&) { return model.loss(); }, {}),
        "train: no batch holds a target token");
  });
}
