// Times, memory and arithmetic of repeated calls, and the JSON line that reports them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lookback {

double wall_ms();
double cpu_ms();  // of all threads of this process

struct Measured {
  std::vector<double> wall, cpu;      // milliseconds of each call
  double page_faults = 0, gflop = 0;  // the mean of a call
};

struct Stopwatch {  // runs from its making
  double wall = wall_ms(), cpu = cpu_ms();
  void stop(Measured& m) const {
    m.cpu.push_back(cpu_ms() - cpu);
    m.wall.push_back(wall_ms() - wall);
  }
};

struct Work {  // of this process so far
  double page_faults, flops;
  static Work now();
};

double median(std::vector<double> values);

// Calls call(i): i = 0, 1 .. to warm up, then from 0 again.
template <class F>
Measured measure(F call, int calls, int warm_up = 5) {
  for (int i = 0; i < warm_up; ++i) call(i);
  Measured m;
  m.wall.reserve(static_cast<std::size_t>(calls));
  m.cpu.reserve(static_cast<std::size_t>(calls));
  const Work before = Work::now();
  for (int i = 0; i < calls; ++i) {
    const Stopwatch watch;
    call(i);
    watch.stop(m);
  }
  const Work after = Work::now();
  m.page_faults = (after.page_faults - before.page_faults) / calls;
  m.gflop = (after.flops - before.flops) / calls / 1e9;
  return m;
}

// One line on stdout with the keys of peer/torch_bench.py and those of `more`. A call that did `inner` times what
// `name` says is divided by that.
void report(const std::string& name, const Measured& measured, const nlohmann::ordered_json& more = {},
            double inner = 1);

double rounded(double value, int digits);

}  // namespace lookback
