// The command line of a chapter: it takes some of the common options and some of its own, and refuses all
// others by naming those it takes.
//
//   int main(int argc, char** argv) {
//     Options options{.epochs = 300, .out = "out/08"};
//     std::vector<std::string> sentences;
//     Chapter chapter("08_translate", "trains on 20 sentence pairs and draws where the decoder looks");
//     chapter.takes(options, {"--score", "--seed", "--epochs", "--out", "--quick"});
//     chapter.takes("--sentence", sentences, "your own sentence, as often as you like");
//     return chapter.run(argc, argv, [&] { ... });
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "examples/kit/text/text.hpp"

namespace CLI {
class App;  // CLI11, included by options.cpp only
}

namespace lookback {

// The common options. A chapter sets its defaults before it hands them to Chapter::takes.
struct Options {
  std::string score = "additive";
  std::uint64_t seed = 1;
  int epochs = 10;
  int threads = 0;  // 0: one for each core
  std::string out = "out";
  std::string data = "toy";
  std::string save = "", load = "";  // "": not asked for
  bool resume = false;
  bool quick = false;
};

// A command line the chapter cannot follow: run() prints what() and returns 2. A chapter may throw its own.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// SIGINT or SIGTERM ended a run that is kept in a file: run() prints what(), how to go on, and returns 130.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Shows what has been printed: before a long work, which a closed or full stdout would make vain. Throws
// std::system_error when it is.
void flush_output();

// The sentences given with option `name`, as tokenize_short has them. Throws UsageError for one without a word, not
// in UTF-8 or too long.
std::vector<std::vector<std::string>> tokenize_all(const char* name, std::span<const std::string> sentences,
                                                   TokenizeOptions options = {});

class Chapter {
 public:
  Chapter(std::string name, std::string about);

  // The variable holds the default, receives the value, and outlives the chapter.
  void takes(Options& options, std::initializer_list<std::string_view> names);
  void takes(const char* name, bool& flag, const char* help);                       // --quick
  void takes(const char* name, std::uint64_t& number, const char* help);            // --seed 7
  void takes(const char* name, std::string& text, const char* help);                // --out out/03
  void takes(const char* name, std::vector<double>& numbers, const char* help);     // --state 0.2,0.9
  void takes(const char* name, std::vector<std::string>& texts, const char* help);  // again for each text
  void takes(const char* name, int& number, const char* help, int least, int most);
  void takes(const char* name, double& number, const char* help, double least, double most);
  void takes_names(const char* name, std::vector<std::string>& names,
                   const char* help);  // --models all,first last

  // Fills the variables from --name value, --name=value and --flag; false when --help was asked for. Throws
  // UsageError:
  //   03_one_step does not take --epochs; it takes --help, --state, --out
  //   --epochs: -1 is not a whole number from 1 to 1000000
  //   --out needs a value
  bool parse(std::span<const std::string> arguments);
  bool given(std::string_view name) const;  // on the command line; throws for a name that is not taken
  std::string help() const;

  // What main returns: 0 after --help or the body, 2 after a UsageError, 130 after Interrupted, 1 after any
  // other exception. The folders of --out and --save are made, or refused, and --threads is set before the
  // body begins. Of --save and --load one can be given, --resume with --save only. With --save, SIGINT says how
  // to go on before it ends the program.
  int run(int argc, char** argv, const std::function<void()>& body);

 private:
  std::shared_ptr<CLI::App> app_;
  const std::string *out_ = nullptr, *save_ = nullptr, *load_ = nullptr;
  const bool* resume_ = nullptr;
  const int* threads_ = nullptr;
};

}  // namespace lookback
