// A command line, an argument a line.
#include "examples/kit/text/options.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {
namespace {

using Strings = std::vector<std::string>;

// Any text is a value as it stands, or refused.
void expect_kept(const std::string& text) {
  for (const Strings& arguments : {Strings{"--sentence", text}, Strings{"--sentence=" + text}}) {
    Chapter chapter("08_translate", "");
    Strings sentences;
    chapter.takes("--sentence", sentences, "");
    try {
      if (chapter.parse(arguments)) expect(sentences == Strings{text}, "a text is kept as it is");
    } catch (const UsageError&) {}
  }
}

}  // namespace

std::string read_options(std::string_view bytes) {
  Strings arguments;
  for (std::string_view rest = bytes; !rest.empty();) {
    const auto [line, more] = split(rest, "\n");
    arguments.emplace_back(line.substr(0, line.find('\0')));  // where an argument of main() ends
    rest = more;
  }
  for (const std::string& argument : arguments) expect_kept(argument);

  Chapter chapter("08_translate", "learns 20 sentence pairs");
  Options o;
  std::vector<double> state;
  Strings sentences, models;
  bool html = false;
  int heads = 1;
  chapter.takes(o, {"--score", "--seed", "--epochs", "--threads", "--out", "--data", "--save", "--resume",
                    "--load", "--quick"});
  chapter.takes("--state", state, "");
  chapter.takes("--sentence", sentences, "");
  chapter.takes_names("--models", models, "");
  chapter.takes("--html", html, "");
  chapter.takes("--heads", heads, "", 1, 8);
  if (!chapter.parse(arguments)) return "help";
  expect(o.epochs >= 1 && o.epochs <= 1'000'000 && o.threads >= 0 && o.threads <= 256 && heads >= 1 &&
             heads <= 8,
         "numbers are in range");
  expect(std::all_of(state.begin(), state.end(), [](double x) { return std::isfinite(x); }),
         "numbers are finite");
  return "taken";
}

}  // namespace lookback::fuzz
