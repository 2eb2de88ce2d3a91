#include "tests/bench/measure.hpp"

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>

#include "core/kernels/flops.hpp"

namespace lookback {
namespace {

// Since this program began: what getrusage says includes the process that started it.
double peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  return 0;  // not known on this system
}

}  // namespace

double wall_ms() {
  const std::chrono::duration<double, std::milli> t = std::chrono::steady_clock::now().time_since_epoch();
  return t.count();
}

double cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

Work Work::now() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return {static_cast<double>(used.ru_minflt), static_cast<double>(product_flops())};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

double rounded(double value, int digits) {
  const double scale = std::pow(10, digits);
  return std::round(value * scale) / scale;
}

void report(const std::string& name, const Measured& measured, const nlohmann::ordered_json& more,
            double inner) {
  const auto least = [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); };
  const double wall = median(measured.wall) / inner;
  nlohmann::ordered_json row = {{"peer", "lookback"},
                                {"workload", name},
                                {"median_ms", rounded(wall, 6)},
                                {"min_ms", rounded(least(measured.wall) / inner, 6)},
                                {"cpu_median_ms", rounded(median(measured.cpu) / inner, 6)},
                                {"cpu_min_ms", rounded(least(measured.cpu) / inner, 6)}};
  for (const auto& [key, value] : more.items()) row[key] = value;
  if (row.contains("tokens_per_step"))
    row["tokens_per_s"] = rounded(row["tokens_per_step"].get<double>() / wall * 1e3, 1);
  row["peak_rss_mib"] = rounded(peak_mib(), 1);
  row["page_faults_per_step"] = rounded(measured.page_faults / inner, 2);
  row["gflop_per_step"] = rounded(measured.gflop / inner, 6);
  std::cout << row << std::endl;
}

}  // namespace lookback
