// 50 steps of a few models, first in one process on whole batches, then in a job on shares of them: the
// losses have to be the same. mpirun -n 2 ranks_losses [FAULT]: rank 1 goes wrong, and the job is to end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include "examples/kit/grammar/grammar.hpp"
#include "examples/kit/models.hpp"
#include "examples/kit/pools.hpp"
#include "examples/kit/train.hpp"
#include "nn/ranks.hpp"

namespace {

using namespace lookback;

constexpr int steps = 50;

struct Experiment {
  std::string model;
  Index size;  // of a batch: 2 are fewer than three ranks, and 1 is fewer than two
};

// A batch an epoch, so that the history has every loss.
std::vector<double> losses(const Experiment& experiment, std::span<const SentencePair> corpus,
                           std::uint64_t seed, const std::string& fault = "") {
  ModelOptions options;
  options.sizes.width = 32, options.sizes.dropout = 0;
  const auto model = make_model(experiment.model, Params(seed), Vocabulary(sources(corpus)),
                                Vocabulary(targets(corpus)), options);
  const std::vector<IdPair> pairs = model->ids(corpus.subspan(fault == "data"));
  Random order(1);
  const std::vector<Batch> batches = make_pools(pairs, experiment.size, 100, order);
  int step = 0;
  const auto loss = [&](const Batch& batch) {
    const bool wrong = ++step == 3 && !fault.empty();
    if (wrong && fault == "throw") throw std::runtime_error("a fault at step 3");
    if (wrong && fault == "kill") std::raise(SIGKILL);
    if (wrong && fault == "weight") *model->params().all()[0].value.write() += 1;  // of PAD
    const Tensor l = model->loss(batch);
    return wrong && fault == "nan" ? scale(l, std::numeric_limits<Real>::quiet_NaN()) : l;
  };
  const auto one = [&](int epoch) {
    return std::vector<Batch>{batches[static_cast<std::size_t>(epoch) % batches.size()]};
  };
  return train(model->params(), one, loss, {.title = experiment.model, .epochs = steps, .rate = Real(1e-3)})
      .loss;
}

void run(const std::string& fault) {
  const std::vector<SentencePair> corpus = make_grammar({.train = 400, .validation = 1, .test = 1}).train;
  const std::vector<Experiment> experiments{
      {"all", 32}, {"gru-additive", 32}, {"lstm-none", 5}, {"all", 2}, {"all", 1}};
  std::vector<std::vector<double>> alone;
  if (fault.empty())
    for (const Experiment& e : experiments) alone.push_back(losses(e, corpus, 1));
  const Job job;
  if (!fault.empty()) losses(experiments[0], corpus, 1, rank() == 1 ? fault : "");
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const std::uint64_t seed = rank() == 0 ? 1 : 2;  // rank 0's first weights are everybody's
    const std::vector<double> together = losses(experiments[k], corpus, seed);
    double largest = 0;
    for (std::size_t i = 0; i < steps; ++i)
      largest = std::max(largest, std::abs(together[i] - alone[k][i]) / alone[k][i]);
    fmt::print("{} ranks, {} in batches of {}: loss {:.3f} to {:.3f}, relative difference ~{:.1e}\n", ranks(),
               experiments[k].model, experiments[k].size, together.front(), together.back(), largest);
    if (!(largest < 1e-5) || together.size() != steps) throw std::runtime_error("the losses differ");
  }
}

}  // namespace

int main(int argc, char** argv) try { run(argc > 1 ? argv[1] : ""); } catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
