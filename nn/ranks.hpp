// Data parallelism: several processes train one model, each on its share of every batch. Before a step the
// gradients are added up, so that each takes the step that one process would take on the whole batch.
//
// The processes are the ranks of a job of MPI's: cmake -DLOOKBACK_MPI=ON, mpirun -n 2 PROGRAM. Built without,
// or started alone, a process is rank 0 of 1, and nothing below changes anything.          docs/scaling.md
#pragma once

#include <string>

#include "nn/optimizer.hpp"

namespace lookback::inline LOOKBACK_NS {

// [job]
// The job, as long as this lives; one in a process. stdout is rank 0's: what the others print there goes
// nowhere, and they leave it to rank 0 to end when SIGINT or SIGTERM comes. An exception that leaves the job
// ends all of its ranks, once main has said why. Throws std::runtime_error for a program that mpirun started
// and that was built without LOOKBACK_MPI.
class Job {
 public:
  Job();
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
};

int rank();   // 0 .. ranks() - 1
int ranks();  // 1 without a job

// All ranks call these, in the same order.

// Rank 0's text, for everyone.
std::string from_first(const std::string& text);
// Weights, what the optimizer remembers and the number of steps become those of rank 0.
void start_as_first(const Params& params, Optimizer& optimizer, Index& step);
// Gradients become their sums over the ranks, by one allreduce; so does the loss, which is returned. A
// parameter that has a gradient on any rank has one on all.
double sum_over_ranks(const Params& params, double loss);
// [/job]

}  // namespace lookback::inline LOOKBACK_NS
