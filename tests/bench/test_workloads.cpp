// The benchmark runs the reference workloads: losses, arithmetic and decoded words are those of the peers.
#include "core/kernels/flops.hpp"
#include "tests/bench/model.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("random numbers, batches and weights are the workloads'") {
  CHECK(random_bits(1, 0) == 6685036501382267578u);
  CHECK(random_bits(1, 1) == 3047811371739217279u);
  const Training training(workload("gru-attention"), Pad::compute);
  CHECK(training.tokens() == 757);
  CHECK(training.model().params.count() == 6309488);
  CHECK(Training(workload("gru-dot"), Pad::compute).model().params.count() == 6178160);
  CHECK(Training(workload("toy"), Pad::compute).tokens() == 151.5);
  CHECK(Training(workload("transformer"), Pad::compute).model().params.count() == 3028848);
}

TEST_CASE("first losses, those after two steps, and the arithmetic of a step") {
  struct Expected {
    const char* name;
    double first, third;  // PyTorch's
    double gflop;
  };
  for (const auto& [name, first, third, gflop] : {Expected{"gru-attention", 8.71532, 8.60934, 16.7},
                                                  {"gru-dot", 8.69362, 8.58800, 15.9},
                                                  {"transformer", 8.91359, 8.61136, 15.2},
                                                  {"toy", 4.39437, 4.39048, 0.0241}})
    for (const Pad pad : {Pad::compute, Pad::skip}) {
      INFO(name << (pad == Pad::skip ? " --skip-pad" : ""));
      Training training(workload(name), pad);
      const std::int64_t before = product_flops();
      CHECK(static_cast<double>(training.step(0)) == Approx(first).epsilon(1e-5));
      const auto done = static_cast<double>(product_flops() - before) / 1e9;
      if (pad == Pad::compute) CHECK(done == Approx(gflop).epsilon(0.03));
      training.step(1);
      CHECK(static_cast<double>(training.step(2)) == Approx(third).epsilon(1e-5));
    }
}

TEST_CASE("greedy decoding writes the peers' words") {
  for (const char* name : {"greedy-1", "greedy-64"}) {
    const Workload& w = workload(name);
    const Ids written = GruModel(w).greedy(draw_batch(w, 0), 20);
    REQUIRE(written.shape == Shape({20, w.B}));
    for (Index t = 0; t < 8; ++t)
      CHECK(written.values[static_cast<std::size_t>(t * w.B)] == (t < 2 ? 3694 : 2823));
  }
}
