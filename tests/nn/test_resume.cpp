// A run that is interrupted, or killed while it saves, and goes on.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/file.hpp"
#include "core/kernels/parallel.hpp"
#include "core/tape.hpp"
#include "nn/adam.hpp"
#include "nn/checkpoint.hpp"
#include "nn/clip.hpp"
#include "nn/dropout.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "nn/schedule.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

using namespace lookback;

// The readout is enough work for two threads.
constexpr Index V = 240, E = 16, H = 48, B = 32, S = 6, steps = 8;

// A language model with dropout in two places; every step draws a batch of its own.
struct Run {
  Params params;
  Embedding embedding{params["embedding"], V, E};
  GRU gru{params["gru"], E, H, {.layers = 2, .dropout = Real(0.2)}};
  Linear readout{params["readout"], H, V};
  Adam adam;
  Random data{1}, dropping{2};
  Index step = 0;

  explicit Run(std::uint64_t seed) : params(seed) {}

  void train_to(Index end) {
    const Schedule rate{.rate = 1e-2, .warmup = 3, .decay = Decay::inverse_sqrt};
    while (step < end) {
      Ids ids({B, S});
      for (std::int32_t& id : ids.values) id = static_cast<std::int32_t>(data.below(V));
      Tape tape;
      const Tensor h =
          gru(dropout(embedding(ids), Real(0.1), &dropping), std::vector<Index>(B, S), {}, &dropping).h;
      tape.backward(cross_entropy(readout(h), ids, {.ignore = PAD}));
      clip_grad_norm(params, 1);
      adam.options.rate = static_cast<Real>(rate.at(++step));
      adam.step(params);
    }
  }
  // [save]
  void save(const std::string& path) {
    save_checkpoint(path, {.weights = params.all(),
                           .optimizer = adam.state(params),
                           .text = {{"step", fmt::to_string(step)},
                                    {"data", fmt::to_string(data.position())},
                                    {"dropping", fmt::to_string(dropping.position())}}});
  }
  void load(const std::string& path) {
    const Checkpoint c = load_checkpoint(path);
    c.restore(params, &adam);
    step = std::stol(c.text.at("step"));
    data = Random(data.seed(), std::stoull(c.text.at("data")));
    dropping = Random(dropping.seed(), std::stoull(c.text.at("dropping")));
  }
  // [/save]
};

}  // namespace

TEST_CASE(
    "case 18: a run interrupted at five places ends in the same bytes as one that was not, at 1 and 2 "
    "threads") {
  const TemporaryFolder folder;
  const int before = threads();
  std::string unbroken;
  for (const int n : {1, 2}) {
    set_threads(n);
    Run whole(1), interrupted(1);
    whole.train_to(steps);
    whole.save(folder / "whole");
    if (n == 1) unbroken = read_file(folder / "whole");
    CHECK(read_file(folder / "whole") == unbroken);
    for (const Index stop : {0, 1, 3, 5, 7}) {
      interrupted.train_to(stop);
      interrupted.save(folder / "stopped");
      Run resumed(2);
      resumed.load(folder / "stopped");
      resumed.train_to(steps);
      resumed.save(folder / "resumed");
      INFO(stop << " steps, " << n << " threads");
      CHECK(read_file(folder / "resumed") == unbroken);
    }
  }
  set_threads(before);
}

#ifndef _WIN32

TEST_CASE("case 18: kill -9 during a save leaves the file before it whole, 50 times") {
  const TemporaryFolder folder;
  const std::string path = folder / "m.safetensors";
  const Params params(1);
  const Tensor w = params.add("w", {300, 300}, zeros);
  const auto save = [&](Real value) {
    std::fill_n(w.write(), w.size(), value);
    save_checkpoint(path, {.weights = params.all(), .text = {{"value", fmt::to_string(value)}}});
  };
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  save(0);
  const auto one_save = Clock::now() - start;
  Random random(1);
  int saved = 0, left_behind = 0;
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      alarm(60);  // should the parent be gone
      try {
        for (Real value = 1;; ++value) save(value);
      } catch (...) {
        _exit(1);
      }
    }
    std::this_thread::sleep_for(4 * random.uniform() * one_save);
    REQUIRE(kill(child, SIGKILL) == 0);
    REQUIRE(waitpid(child, nullptr, 0) == child);
    const Checkpoint c = load_checkpoint(path);
    CHECK(fmt::to_string(c.weights[0].value.values().back()) == c.text.at("value"));
    saved += c.text.at("value") != "0";
    for (const auto& entry : std::filesystem::directory_iterator(folder.path))
      if (entry.path() != path) left_behind += std::filesystem::remove(entry.path());
  }
  CHECK(saved > 0);
  CHECK(left_behind > 0);  // so it was killed in the middle, too
}

#endif
