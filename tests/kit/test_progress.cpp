#include <cstdio>
#include <string>
#include <vector>

#include "examples/kit/text/progress.hpp"
#include "tests/catch.hpp"

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<std::string> lines_of(std::FILE* file) {
  std::rewind(file);
  std::vector<std::string> lines(1);
  for (int c; (c = std::fgetc(file)) != EOF;) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += static_cast<char>(c);
    }
  }
  return lines;
}

std::vector<std::string> logged(std::ptrdiff_t steps, int taken) {
  std::FILE* log = std::tmpfile();
  {
    Progress progress("training", steps, log);
    for (int i = 0; i < taken; ++i) progress.step(2.34124, 64);
  }
  const std::vector<std::string> lines = lines_of(log);
  std::fclose(log);
  return lines;
}

}  // namespace

TEST_CASE("Progress in a log: the start, each tenth, the end") {
  const std::vector<std::string> lines = logged(300, 300);
  REQUIRE(lines.size() == 12);
  CHECK(lines[0] == "training: 300 steps");
  CHECK_THAT(lines[1], ContainsSubstring("training [##..................]   30/300  loss 2.3412  "));
  CHECK_THAT(lines[1], ContainsSubstring(" tokens/s  0 s left"));
  CHECK_THAT(lines[10], ContainsSubstring("[####################]  300/300  "));
  CHECK_THAT(lines[10], ContainsSubstring("in 0 s"));
  CHECK(lines[11].empty());
}

TEST_CASE("Progress: few steps, no steps, more steps than said") {
  CHECK(logged(3, 3).size() == 5);
  CHECK(logged(0, 0) == std::vector<std::string>{"training: finished before, no step is left", ""});
  CHECK(logged(1, 3).size() == 5);
}
