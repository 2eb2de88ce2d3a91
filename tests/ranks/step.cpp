// Where the time of a step goes, with the sizes of chapter 11: mpirun -n 2 ranks_step [THREADS]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/kernels/parallel.hpp"
#include "core/tape.hpp"
#include "examples/kit/models.hpp"
#include "examples/kit/pools.hpp"
#include "nn/adam.hpp"
#include "nn/clip.hpp"
#include "nn/ranks.hpp"

namespace {

using namespace lookback;
using Clock = std::chrono::steady_clock;

Vocabulary words(Index n) {
  std::vector<Tokens> all;
  for (Index i = 0; i < n; ++i) all.push_back({fmt::to_string(i)});
  return Vocabulary(all);
}

std::vector<IdPair> sentences(Index count, Index source, Index target) {
  Random random(1);
  std::vector<IdPair> pairs(static_cast<std::size_t>(count));
  for (auto& [x, y] : pairs) {
    x.resize(static_cast<std::size_t>(6 + random.below(18)));  // 14.5 in the mean, ends included
    y.resize(x.size() - 2);
    for (std::int32_t& id : x) id = static_cast<std::int32_t>(UNK + random.below(source - UNK));
    for (std::int32_t& id : y) id = static_cast<std::int32_t>(UNK + random.below(target - UNK));
  }
  return pairs;
}

double median(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const Job job;
  set_threads(argc > 1 ? std::atoi(argv[1]) : 1);
  const auto model = make_model("all", Params(1), words(7878), words(5894));  // and 4 control words
  const Params& params = model->params();
  Random order(1), dropping(static_cast<std::uint64_t>(rank()));
  const std::vector<Batch> batches = make_pools(sentences(32 * 100, 7882, 5898), 32, 100, order);
  Adam adam;
  std::vector<double> passes, sums, steps, all;
  for (const Batch& batch : batches) {
    const Batch mine = share(batch, rank(), ranks());
    from_first("");  // nobody begins before rank 0
    const Clock::time_point begin = Clock::now();
    const auto since = [](Clock::time_point then) {
      return std::chrono::duration<double, std::milli>(Clock::now() - then).count();
    };
    {
      Tape tape;
      tape.backward(model->loss(mine, &dropping));
    }
    passes.push_back(since(begin));
    const Clock::time_point summing = Clock::now();
    sum_over_ranks(params, 0);
    sums.push_back(since(summing));
    const Clock::time_point stepping = Clock::now();
    adam.step(params, clip_factor(params, 1).factor);
    steps.push_back(since(stepping));
    all.push_back(since(begin));
  }
  fmt::print(
      "{} x {} threads, {} parameters: forward and backward {:.1f} ms, sum {:.1f}, clip and Adam {:.1f}; "
      "together {:.1f}\n",
      ranks(), threads(), params.count(), median(passes), median(sums), median(steps), median(all));
}
