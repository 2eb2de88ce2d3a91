// What reaches the encoder's states, against finite differences: the encoder runs cell by cell, and one of its states is
// moved.
#include <algorithm>
#include <array>
#include <cmath>

#include "examples/kit/copy.hpp"
#include "examples/kit/gradient_path.hpp"
#include "nn/loss.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr Index S = 5, H = 4;

struct Mover {
  Translator model;
  Batch batch;
  Tensor logits = {};  // of the last call

  // L_t when h_i is `by` away from where it was. `along`: the states after it, which come from it, move with it.
  double loss(Index t, Index i, const Tensor& by, bool along) {
    const Params params(0);
    const GRUCell cell(params["encoder.gru"], 3, H, "_l0");
    for (const Param& p : params.all())
      std::copy_n(model.params().find(p.name).data(), p.value.size(), p.value.write());
    const Tensor x = lookup(model.params().find("encoder.embedding.weight"), batch.source);  // [1, S, 3]
    std::vector<Tensor> read;  // h as the attention reads it
    Tensor h({1, H});
    for (Index k = 0; k < S; ++k) {
      h = cell(select(x, 1, k), h);
      read.push_back(k == i ? h + by : h);
      if (along) h = read.back();
    }
    const Memory memory = model.decoder().read({stack(read, 1), h, batch.mask});
    State state = model.decoder().start(memory);
    for (Index k = 0; k <= t; ++k)
      logits = model.decoder().step(memory, batch.inputs.column(k), state).logits;
    return cross_entropy(logits, batch.targets.column(t)).item();
  }

  // |dL_t/dh_i| / |dL_t/dlogits_t| by two-sided differences.
  double arrives(Index t, Index i, bool along) {
    constexpr double step = 1e-5;
    double squares = 0;
    for (Index j = 0; j < H; ++j) {
      const Tensor up({1, H}), down({1, H});
      up.write()[j] = step, down.write()[j] = -step;
      squares += std::pow((loss(t, i, up, along) - loss(t, i, down, along)) / (2 * step), 2);
    }
    loss(t, i, Tensor({1, H}), along);
    Tensor error = softmax(logits).detach();  // p - y
    error.write()[batch.targets.column(t).values[0]] -= 1;
    return std::sqrt(squares / sum(error * error).item());
  }
};

}  // namespace

TEST_CASE("what reaches h_i is what finite differences find, of all ways and of those through the contexts") {
  for (const char* score : {"none", "dot", "additive"}) {
    INFO(score);
    Random random(2);
    Mover mover{{Params(1), copy_vocabulary(), copy_vocabulary(), {.score = score}, {3, H, 2}},
                copy_batch(CopyTask::copy, S, 1, random)};
    const GradientPaths paths = gradient_paths(mover.model, mover.batch, 3);
    for (Index t = 0; t < 3; ++t)
      for (Index i = 0; i < S; ++i) {
        CHECK(paths.total.at({t, i}) == Approx(mover.arrives(t, i, true)).epsilon(1e-6).margin(1e-9));
        CHECK(paths.attended.at({t, i}) == Approx(mover.arrives(t, i, false)).epsilon(1e-6).margin(1e-9));
      }
  }
}

TEST_CASE("of a batch it is the mean over the sentences") {
  const Translator model(Params(1), copy_vocabulary(), copy_vocabulary(), {.score = "dot"}, {3, H, 2});
  Random random(2);
  const Batch two = copy_batch(CopyTask::copy, S, 2, random);
  double sum = 0;
  for (const Index b : {0, 1}) {
    IdPair pair;
    pair.source.assign(two.source.values.begin() + b * S, two.source.values.begin() + (b + 1) * S);
    pair.target = pair.source;
    sum += Mover{model, make_batch({&pair, 1})}.arrives(1, 2, true);
  }
  CHECK(gradient_paths(model, two, 2).total.at({1, 2}) == Approx(sum / 2).epsilon(1e-6));
}
