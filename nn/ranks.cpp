#include "nn/ranks.hpp"

#ifdef LOOKBACK_MPI
#include <mpi.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "core/tell.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

int rank_ = 0, ranks_ = 1;

#ifdef LOOKBACK_MPI

void join() {
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);  // the threads of a rank never call MPI
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}
void leave() { MPI_Finalize(); }
void end_all() { MPI_Abort(MPI_COMM_WORLD, 1); }
void broadcast(void* bytes, std::size_t n) {
  MPI_Bcast(bytes, static_cast<int>(n), MPI_BYTE, 0, MPI_COMM_WORLD);
}
// [add_up]
void add_up(std::vector<Real>& values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                sizeof(Real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
// [/add_up]

#else

void join() {
  for (const char* size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})  // of Open MPI and of MPICH
    if (const char* n = std::getenv(size); n && std::atoi(n) > 1)
      throw std::runtime_error(
          "one of several ranks, but built without LOOKBACK_MPI: each would train a model of its own");
}
void leave() {}
void end_all() {}
void broadcast(void*, std::size_t) {}
void add_up(std::vector<Real>&) {}

#endif

void broadcast(const Tensor& x) { broadcast(x.write(), sizeof(Real) * static_cast<std::size_t>(x.size())); }

}  // namespace

Job::Job() {
  join();
  if (rank_ == 0) return;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);
  if (!std::freopen("/dev/null", "w", stdout))
    throw std::system_error(errno, std::generic_category(), "/dev/null");
}

Job::~Job() {
  if (ranks_ > 1 && std::uncaught_exceptions() > 0) {
    tell("rank {} ends the job:\n", rank_);  // main says why
    std::atexit(end_all);
  } else {
    leave();
    rank_ = 0, ranks_ = 1;
  }
}

int rank() { return rank_; }
int ranks() { return ranks_; }

std::string from_first(const std::string& text) {
  if (ranks_ == 1) return text;
  std::string first = text;
  std::size_t size = text.size();
  broadcast(&size, sizeof(size));
  first.resize(size);
  broadcast(first.data(), size);
  return first;
}

void start_as_first(const Params& params, Optimizer& optimizer, Index& step) {
  if (ranks_ == 1) return;
  broadcast(&step, sizeof(step));
  for (const Param& p : params.all()) broadcast(p.value);
  std::vector<Tensor> memory;
  for (const Param& p : optimizer.state(params)) broadcast(memory.emplace_back(p.value.detach()));
  optimizer.restore(params, memory);
}

// [sum]
double sum_over_ranks(const Params& params, double loss) {
  if (ranks_ == 1) return loss;
  const std::vector<Param>& all = params.all();
  // The loss; for each parameter, on how many ranks it has a gradient; the gradients.
  static std::vector<Real> sums;
  sums.resize(1 + all.size() + static_cast<std::size_t>(params.count()));
  Real *counts = sums.data() + 1, *g = counts + all.size();
  sums[0] = static_cast<Real>(loss);
  for (const auto& [name, p] : all) {
    *counts++ = p.has_grad();
    g = p.has_grad() ? std::copy_n(p.grad(), p.size(), g) : std::fill_n(g, p.size(), Real{0});
  }
  add_up(sums);
  counts = sums.data() + 1, g = counts + all.size();
  for (const auto& [name, p] : all) {
    if (*counts++ > 0) std::copy_n(g, p.size(), p.grad());
    g += p.size();
  }
  return static_cast<double>(sums[0]);
}
// [/sum]

}  // namespace lookback::inline LOOKBACK_NS
