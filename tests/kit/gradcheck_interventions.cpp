// Gradients in the embedded source words against finite differences.
#include <array>
#include <cmath>

#include "examples/kit/copy.hpp"
#include "examples/kit/interventions.hpp"
#include "nn/loss.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

// |df/dx_j| by two-sided differences, x_j the row of a word that is there once.
double norm_by_differences(const Translator& model, std::int32_t word, const std::function<double()>& f) {
  constexpr double step = 1e-5;
  const Tensor table = model.params().find("encoder.embedding.weight");
  double squares = 0;
  for (Index k = 0; k < table.cols(); ++k) {
    const Index at = word * table.cols() + k;
    const double x = table.data()[at];
    table.write()[at] = x + step;
    const double up = f();
    table.write()[at] = x - step;
    const double down = f();
    table.write()[at] = x;
    squares += std::pow((up - down) / (2 * step), 2);
  }
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("the gradient of a word's log probability, and of a state, in each source word") {
  const Translator model(Params(1), copy_vocabulary(), copy_vocabulary(), {}, {3, 5, 4});
  const std::vector<IdPair> pairs{{{5, 9, 7, 6}, {8, 4, 9}}, {{10, 11}, {5}}};
  const Batch batch = make_batch(pairs);
  const Tensor gradients = word_gradients(model, batch), shares = word_shares(model, batch);
  for (const std::size_t b : {0, 1})
    for (std::size_t j = 0; j < pairs[b].source.size(); ++j) {
      const auto in = [&](std::size_t word, const std::function<double()>& f) {
        return norm_by_differences(model, pairs[b].source[word], f);
      };
      for (std::size_t t = 0; t <= pairs[b].target.size(); ++t)
        CHECK(gradients.at({Index(b), Index(t), Index(j)}) ==
              Approx(in(j, [&] {
                const Tensor logits = model.decoder().teach(model.read(batch), batch.inputs).logits;
                return cross_entropy(logits, batch.targets, {.reduction = Reduction::none})
                    .at({Index(b), Index(t)});
              })).epsilon(1e-6));
      double all = 0;
      const auto last = [&] {
        return sum(model.encode(batch.source, batch.lengths).last.select(Index(b))).item();
      };
      for (std::size_t k = 0; k < pairs[b].source.size(); ++k) all += in(k, last);
      CHECK(shares.at({Index(b), batch.lengths[b] - 1, Index(j)}) == Approx(in(j, last) / all).epsilon(1e-6));
    }
}
