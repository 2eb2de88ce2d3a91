// How far a training loop has come, on stderr: stdout holds only what a seed decides.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace lookback {

// On a terminal one line, redrawn ten times a second:
//
//   training [######..............]  90/300  loss 2.3412  8100 tokens/s  12 s left
//
// Elsewhere, in a log, the same as a plain line at each tenth of the steps.
class Progress {
 public:
  Progress(std::string title, std::ptrdiff_t steps, std::FILE* to = stderr);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Once a step, with the tokens it trained on.
  void step(double loss, std::ptrdiff_t tokens);
  // Takes the bar away, so that something else can be printed on the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  std::string line(double loss) const;

  std::string title_;
  std::ptrdiff_t steps_, done_ = 0, tokens_ = 0;
  std::FILE* to_;
  bool terminal_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_drawn_;
};

}  // namespace lookback
