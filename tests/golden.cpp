// Every op and module against values that PyTorch computed (tests/golden/*.json), or against those of the
// folder that the environment variable LOOKBACK_GOLDEN_DIR names. What is not built yet is skipped by name,
// and the last line of stdout counts: "golden: N passed, N failed, N skipped".
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "catch.hpp"
#include "golden_case.hpp"

namespace {

using namespace lookback::golden;

struct Tally {
  int passed = 0, failed = 0, skipped = 0;
  ~Tally() { fmt::print("golden: {} passed, {} failed, {} skipped\n", passed, failed, skipped); }
};

std::filesystem::path golden_folder() {
  const char* named = std::getenv("LOOKBACK_GOLDEN_DIR");
  return named && *named ? named : LOOKBACK_GOLDEN_DEFAULT;
}

std::vector<std::filesystem::path> json_files(
    const std::filesystem::path& folder) {  // sorted; none when it is missing
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("golden") {
  static Tally tally;  // ends with the program, so that its line comes after Catch's own summary
  const std::filesystem::path folder = golden_folder();
  const std::vector<std::filesystem::path> files = json_files(folder);
  if (files.empty()) {
    ++tally.failed;
    FAIL("no golden files in " << folder);
  }
  Table runs = core_runs();
  runs.merge(nn_runs());
  runs.merge(attention_runs());
  runs.merge(transformer_runs());
  for (const auto& file : files) {  // not sections: Catch would walk all files again for each
    const Verdict verdict = judge(file, runs);
    switch (verdict.kind) {
      case Verdict::passed:
        ++tally.passed;
        SUCCEED(file);
        break;
      case Verdict::failed:
        ++tally.failed;
        fmt::print("{}", verdict.why);  // Catch would break its lines inside a number
        FAIL_CHECK(file.filename());
        break;
      case Verdict::skipped:
        ++tally.skipped;
        fmt::print("skipped: {} ({})\n", file.stem().string(), verdict.why);
        break;
    }
  }
}
