// A file that keeps a run, to go on with: two weights, 2 steps an epoch, looks after epochs 1 and 2.
#include <fmt/format.h>

#include <vector>

#include "examples/kit/keep.hpp"
#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {
namespace {

struct Run {
  Params params{1};
  Random dropping = Random::named(1, "dropout");
  Adam adam;

  Run() {
    params.add("W", {2, 3}, glorot);
    params.add("b", {3}, zeros);
  }

  // All that a file can change, in writing.
  std::string state() {
    std::string text = random_to_text(dropping);
    for (const auto& list : {params.all(), adam.state(params)})
      for (const Param& p : list)
        text.append(reinterpret_cast<const char*>(p.value.data()), p.value.values().size_bytes());
    return text;
  }
};

}  // namespace

std::string read_resume(std::string_view bytes) {
  Run run;
  const std::string before = run.state(), path = folder().write("m.safetensors", mended(bytes));
  Keeper keeper({.path = path,
                 .resume = true,
                 .same = {{"score", "dot"}},
                 .streams = {{"dropout", &run.dropping}},
                 .looks = {1, 2},
                 .validation_loss = [] { return 1.0; }},
                run.params, run.adam);
  try {
    int looks = 0;
    const Place place = keeper.resume(10, 2, [&](int) { ++looks; });
    expect(place.step >= 0 && place.step <= 10, "steps are counted");
    expect(std::ssize(place.history.loss) == place.step / 2, "every epoch has its loss");
    keeper.after_step(place, place.step);  // writes it
    return fmt::format("step {}, {} looks", place.step, looks);
  } catch (...) {
    expect(run.state() == before, "what is refused changes nothing");
    throw;
  }
}

}  // namespace lookback::fuzz
