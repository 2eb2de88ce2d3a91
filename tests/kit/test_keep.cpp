// Runs that are kept in a file, stopped and gone on with.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/file.hpp"
#include "core/kernels/parallel.hpp"
#include "core/ops.hpp"
#include "examples/kit/train.hpp"
#include "nn/dropout.hpp"
#include "nn/embedding.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/stderr_text.hpp"

namespace {

using namespace lookback;

constexpr Index V = 240, E = 48;  // enough work for two threads

// Word for word, with dropout; it trains for 4 epochs of 3 batches, the last one smaller.
struct Run {
  Params params;
  Embedding embedding{params["embedding"], V, E};
  Linear readout{params["readout"], E, V};
  Random dropping{3};
  Index steps = 0;
  std::vector<std::pair<int, double>> looked;  // the epoch, and a number of the weights of then
  History history;
  std::function<void()> in_step = [] {};

  explicit Run(std::uint64_t seed) : params(seed) {}

  static std::vector<Batch> batches(Index pairs = 70) {
    Random random(1);
    std::vector<IdPair> all(static_cast<std::size_t>(pairs));
    for (IdPair& pair : all)
      for (int i = 0; i < 6; ++i)
        pair.source.push_back(static_cast<std::int32_t>(4 + random.below(V - 4))),
            pair.target.push_back(pair.source.back());
    return make_batches(all, 32);
  }
  int signal = SIGINT;
  static constexpr double validation[] = {3, 1, 2, 1};  // by epoch

  // Ctrl-C comes in step `stop`; returns what Interrupted said, or "".
  std::string train(Keep keep, Index stop = 0, int epochs = 4, const std::vector<Batch>& data = batches()) {
    keep.streams = {{"dropping", &dropping}};
    keep.validation_loss = [&] { return validation[std::min<Index>(steps / 3, 4) - 1]; };
    std::string message;
    stderr_text([&] {
      try {
        history = lookback::train(params, data,
                                  [&](const Batch& batch) {
                                    if (++steps == stop) std::raise(signal);
                                    in_step();
                                    const Tensor x = dropout(embedding(batch.inputs), Real(0.2), &dropping);
                                    return cross_entropy(readout(x), batch.targets, {.ignore = PAD});
                                  },
                                  {.epochs = epochs,
                                   .after_epoch =
                                       [&](int e) {
                                         looked.emplace_back(e, readout.weight.at({1, 1}));
                                       },
                                   .keep = std::move(keep)});
      } catch (const Interrupted& interrupted) {
        message = interrupted.what();
      }
    });
    return message;
  }
};

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a run stopped at five places ends in the bytes of one that was not, at 1 and 2 threads") {
  const TemporaryFolder folder;
  const int before = threads();
  const std::string whole = folder / "whole", stopped = folder / "stopped";
  std::string unbroken;
  for (const int n : {1, 2}) {
    set_threads(n);
    Run run(1);
    CHECK(run.train({.path = whole, .looks = {1, 3}}).empty());
    if (n == 1) unbroken = read_file(whole);
    CHECK(read_file(whole) == unbroken);
    for (const Index stop : {1, 3, 5, 9, 12}) {  // 3, 9 and 12 end an epoch, 12 the last
      INFO(stop << " steps, " << n << " threads");
      Run first(1), second(2);
      CHECK(first.train({.path = stopped, .looks = {1, 3}}, stop) ==
            fmt::format("interrupted after step {} of 12; {} keeps the run", stop, stopped));
      CHECK(first.steps == stop);
      second.steps = stop;
      CHECK(second.train({.path = stopped, .resume = true, .looks = {1, 3}}).empty());
      CHECK(second.steps == 12);
      CHECK(read_file(stopped) == unbroken);
      CHECK(second.history.loss == run.history.loss);
      for (const int epoch : {1, 3})  // seen again or for the first time, with the same weights
        CHECK(std::count(second.looked.begin(), second.looked.end(), run.looked[epoch - 1]) == 1);
      for (std::size_t i = 0; i < run.params.all().size(); ++i) {
        const auto a = run.params.all()[i].value.values(), b = second.params.all()[i].value.values();
        CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
      }
    }
  }
  set_threads(before);
}

TEST_CASE("the weights of the least validation loss are kept, the first of equals") {
  const TemporaryFolder folder;
  Run run(1), two(1);
  run.train({.path = folder / "m"});
  two.train({.path = folder / "two"}, 0, 2);
  const Checkpoint c = load_checkpoint(folder / "m");
  CHECK(c.text.at("best.epoch") == "2");
  CHECK(c.text.at("validation losses") == "3\n1\n2\n1\n");
  REQUIRE(c.best.size() == 3);
  c.restore(run.params);
  Checkpoint best{.weights = c.best};
  best.restore(run.params);
  for (std::size_t i = 0; i < c.best.size(); ++i) {
    const auto a = run.params.all()[i].value.values(), b = two.params.all()[i].value.values();
    CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
}

TEST_CASE("resuming begins without a file, goes on for more epochs, and keeps nothing without a path") {
  const TemporaryFolder folder;
  Run whole(1), parts(1), more(1), none(1);
  whole.train({.path = folder / "whole"});
  CHECK(parts.train({.path = folder / "m", .resume = true}, 0, 2).empty());
  more.steps = 6;
  more.train({.path = folder / "m", .resume = true});
  CHECK(read_file(folder / "m") == read_file(folder / "whole"));
  none.train({});
  CHECK(none.history.loss == whole.history.loss);
}

TEST_CASE(
    "after training signals do what they did before, and a job that ignores them goes on ignoring them") {
  const TemporaryFolder folder;
  static int came;
  for (const int signal : {SIGINT, SIGTERM}) {
    came = 0;
    const auto before = std::signal(signal, [](int) { ++came; });
    Run(1).train({.path = folder / "m"});
    std::raise(signal);
    CHECK(came == 1);
    std::signal(signal, SIG_IGN);
    Run run(1);
    run.signal = signal;
    CHECK(run.train({.path = folder / "m"}, 5).empty());
    CHECK(std::signal(signal, before) == SIG_IGN);
  }
}

TEST_CASE("the next signal after the first ends the program") {
  const TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    Run run(1);
    run.signal = signal;
    bool ends = false;
    run.in_step = [&] {
      if (run.steps == 3) ends = std::signal(signal, SIG_DFL) == SIG_DFL;
    };
    CHECK_FALSE(run.train({.path = folder / "m"}, 3).empty());
    CHECK(ends);
  }
}

TEST_CASE("the file is written as often as was asked") {
  const TemporaryFolder folder;
  Run always(1), seldom(1);
  std::vector<std::string> steps;
  always.in_step = [&] {
    if (always.steps > 1) steps.push_back(load_checkpoint(folder / "m").text.at("step"));
  };
  always.train({.path = folder / "m", .every = std::chrono::seconds(0)}, 0, 1);
  CHECK(steps == std::vector<std::string>{"1", "2"});
  seldom.in_step = [&] { CHECK(!std::filesystem::exists(folder / "seldom")); };
  seldom.train({.path = folder / "seldom", .every = std::chrono::hours(1)}, 0, 1);
}

TEST_CASE("a run can end where it was stopped, and one that begins says what it will replace") {
  const TemporaryFolder folder;
  const std::string path = folder / "m";
  Run first(1), second(1), whole(1);
  first.train({.path = path, .looks = {4}}, 6);
  second.steps = 6;
  CHECK(second.train({.path = path, .resume = true, .looks = {2}}, 0, 2).empty());
  CHECK(second.looked.size() == 1);
  whole.train({.path = folder / "whole", .looks = {2}}, 0, 2);
  CHECK(second.history.loss == whole.history.loss);
  CHECK(second.looked == std::vector(1, whole.looked.back()));
  Adam adam;
  CHECK(stderr_text([&] { Keeper({.path = path}, whole.params, adam).resume(12, 3, [](int) {}); }) ==
        path + " is there and will be replaced; --resume would go on with it\n");
}

TEST_CASE("another run's file is refused by what differs, and nothing changes") {
  const TemporaryFolder folder;
  const std::string path = folder / "m";
  Run(1).train({.path = path, .same = {{"score", "dot"}}}, 7);
  const std::string bytes = read_file(path);
  const auto resume = [&](const RunText& same, int epochs, const std::vector<Batch>& data) {
    Run run(2);
    const Real w = run.readout.weight.at({1, 1});
    const std::string why =
        refusal([&] { run.train({.path = path, .resume = true, .same = same}, 0, epochs, data); });
    CHECK(run.steps == 0);
    CHECK(run.readout.weight.at({1, 1}) == w);
    CHECK(read_file(path) == bytes);
    return why;
  };
  CHECK(resume({{"score", "additive"}}, 4, Run::batches()) ==
        path + ": score is \"dot\" there and \"additive\" here");
  CHECK(resume({{"heads", "1"}}, 4, Run::batches()) == path + ": it does not say what heads is");
  CHECK(
      resume({{"recipe", "note"}, {"heads", "1"}}, 4, Run::batches()) ==  // of what differs the recipe first
      path + ": it does not say what recipe is");
  CHECK(resume({{"score", "dot"}}, 2, Run::batches()) ==
        path + ": 7 steps are done there, more than the 6 of this run");
  CHECK(resume({{"score", "dot"}}, 4, Run::batches(69)).starts_with(path + ": the training data is \"3 b"));
  std::vector<Batch> translated_otherwise = Run::batches();
  std::swap(translated_otherwise[0].targets.values[0], translated_otherwise[0].targets.values[1]);
  CHECK(
      resume({{"score", "dot"}}, 4, translated_otherwise).starts_with(path + ": the training data is \"3 b"));
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"step", "-1"},
                                   {"step", "5"},  // in the epoch before
                                   {"tokens", "6x"},
                                   {"loss", "much"},
                                   {"loss", "nan"},
                                   {"losses", "1\n?\n"},
                                   {"losses", ""},
                                   {"losses", "1\n1\n1\n"},
                                   {"random.dropping", "7"},
                                   {"validation losses", "nan\n1\n"},
                                   {"validation losses", "1\n"}}) {
    Checkpoint c = load_checkpoint(path);
    c.text[name] = text;
    save_checkpoint(path, c);
    Run run(2);
    CHECK(refusal([&] { run.train({.path = path, .resume = true}); }) != "none");
    CHECK(run.steps == 0);
    write_file(path, bytes);
  }
  Checkpoint other = load_checkpoint(path);
  other.best[0].name += "x";
  save_checkpoint(path, other);
  CHECK(refusal([&] { Run(2).train({.path = path, .resume = true}); }) ==
        path + ": the weights of epoch 2 are not there");
  write_file(path, bytes);
  Checkpoint c = load_checkpoint(path);
  c.past.clear();
  save_checkpoint(path, c);
  Run run(2);
  const Real w = run.readout.weight.at({1, 1});
  CHECK(refusal([&] { run.train({.path = path, .resume = true, .looks = {1}}); }) ==
        path + ": the weights of epoch 1 are not there");
  CHECK(run.readout.weight.at({1, 1}) == w);
}

TEST_CASE(
    "a run may end with the weights of the least validation loss, kept in a file or not, resumed or not") {
  const TemporaryFolder folder;
  const std::string path = folder / "m";
  Run two(1), none(1), kept(1), stopped(1), over(2);
  two.train({}, 0, 2);
  none.train({.end_with_best = true});
  kept.train({.path = path, .end_with_best = true});
  over.train({.path = path, .resume = true, .end_with_best = true});  // nothing is left to do
  CHECK(over.steps == 0);
  CHECK_FALSE(stopped.train({.path = folder / "s"}, 8).empty());
  Run on(2);
  on.steps = 8;  // for its validation losses
  on.train({.path = folder / "s", .resume = true, .end_with_best = true});
  for (const Run* run : {&none, &kept, &over, &on}) {
    CHECK(best_epoch(run->history) == 2);
    CHECK(run->history.validation_loss == std::vector<double>{3, 1, 2, 1});
    CHECK(run->readout.weight.at({1, 1}) == two.readout.weight.at({1, 1}));
  }
  CHECK(two.history.validation_loss.empty());  // nobody wants to know
  CHECK(best_epoch(two.history) == 0);
}

TEST_CASE("a run that breaks does not write over its file") {
  const TemporaryFolder folder;
  const std::string path = folder / "m";
  Run(1).train({.path = path}, 5);
  const std::string bytes = read_file(path);
  Run run(1);
  run.steps = 5;
  stderr_text([&] {
    CHECK_THROWS_WITH(lookback::train(run.params, Run::batches(),
                                      [&](const Batch&) {
                                        return scale(sum(run.readout.weight),
                                                     std::numeric_limits<Real>::infinity());
                                      },
                                      {.epochs = 4, .keep = {.path = path, .resume = true}}),
                      Catch::Matchers::ContainsSubstring("step 6: the loss is"));
  });
  CHECK(read_file(path) == bytes);
}
