// The benchmark: times of the reference workloads, a JSON line each.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "core/kernels/parallel.hpp"
#include "examples/kit/text/options.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/micro.hpp"
#include "tests/bench/model.hpp"

using namespace lookback;

namespace {

struct Settings {
  std::string workload;
  int threads = 1, steps = 20;
  bool skip_pad = false, phases = false;
};

void train(const Workload& w, const Settings& settings) {
  Training training(w, settings.skip_pad ? Pad::skip : Pad::compute);
  std::vector<float> losses;
  std::vector<double> parts[4];
  const Measured m = measure(
      [&](int i) {
        losses.push_back(training.step(i));
        const auto& [start, forward, backward, clip, adam] = training.moments;
        const double taken[] = {forward - start, backward - forward, clip - backward, adam - clip};
        for (int k = 0; k < 4; ++k) parts[k].push_back(taken[k]);
      },
      settings.steps);
  nlohmann::ordered_json more = {{"tokens_per_step", training.tokens()},
                                 {"params", training.model().params.count()},
                                 {"first_loss", rounded(losses.front(), 5)},
                                 {"last_loss", rounded(losses.back(), 5)}};
  if (settings.skip_pad) more["skip_pad"] = true;
  const char* names[] = {"forward_ms", "backward_ms", "clip_ms", "adam_ms"};
  for (int k = 0; settings.phases && k < 4; ++k) more[names[k]] = rounded(median(parts[k]), 3);
  report(std::string(w.name), m, more);
}

void greedy(const Workload& w, const Settings& settings) {
  constexpr Index words = 20;
  const GruModel model(w);
  const Batch batch = draw_batch(w, 0);
  Ids written;
  const Measured m = measure([&](int) { written = model.greedy(batch, words); }, settings.steps);
  std::vector<std::int32_t> ids;
  for (Index t = 0; t < 8; ++t) ids.push_back(written.values[static_cast<std::size_t>(t * w.B)]);
  report(std::string(w.name), m, {{"tokens_per_step", words * w.B}, {"first_ids", ids}});
}

void run(const Settings& settings) {
  if (settings.workload == "micro") return bench_micro(settings.steps);
  if (settings.workload == "peak") return bench_peak(settings.steps);
  const Workload& w = workload(settings.workload);
  w.name.starts_with("greedy") ? greedy(w, settings) : train(w, settings);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Workload& w : workloads()) all.emplace_back(w.name);
  all.insert(all.end(), {"micro", "peak"});
  return all;
}

// Each in a process of its own, so that the peak of its memory is its own.
void run_all(Settings settings) {
  for (const std::string& name : names()) {
    const pid_t child = fork();
    if (child == 0) {
      settings.workload = name;
      return run(settings);
    }
    int status = 1;
    if (child > 0) waitpid(child, &status, 0);
    if (status != 0) throw std::runtime_error(name + " did not end well");
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Chapter chapter("bench", "times the workloads of tests/bench/peer/workloads.md");
  chapter.takes("--workload", settings.workload,
                "one of them, micro or peak; without it all, one after the other");
  chapter.takes("--threads", settings.threads, "of the kernels", 1, 256);
  chapter.takes("--steps", settings.steps, "timed after 5 to warm up", 1, 1000000);
  chapter.takes("--skip-pad", settings.skip_pad, "compute no encoder steps and no logits where PAD stands");
  chapter.takes("--phases", settings.phases, "where a training step's time goes");
  return chapter.run(argc, argv, [&] {
    set_threads(settings.threads);
    const std::vector<std::string> all = names();
    if (settings.workload.empty()) return run_all(settings);
    if (std::find(all.begin(), all.end(), settings.workload) == all.end())
      throw UsageError(fmt::format("--workload: there is no \"{}\"; there are {}", settings.workload,
                                   fmt::join(all, ", ")));
    run(settings);
  });
}
