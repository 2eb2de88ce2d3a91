#include "examples/kit/text/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "core/tell.hpp"

namespace lookback {
namespace {

std::string in_words(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

Progress::Progress(std::string title, std::ptrdiff_t steps, std::FILE* to)
    : title_(std::move(title)), steps_(std::max<std::ptrdiff_t>(steps, 1)), to_(to) {
  terminal_ = isatty(fileno(to)) != 0;
  if (steps <= 0)
    tell(to_, "{}: finished before, no step is left\n", title_);
  else if (!terminal_)
    tell(to_, "{}: {} steps\n", title_, steps_);
}

std::string Progress::line(double loss) const {
  constexpr std::ptrdiff_t width = 20;
  const std::string bar(static_cast<std::size_t>(std::min(width * done_ / steps_, width)), '#');
  const std::string total = fmt::to_string(steps_);
  const double elapsed = std::max(Seconds(Clock::now() - start_).count(), 1e-9);
  const double left = elapsed * static_cast<double>(steps_ - done_) / static_cast<double>(done_);
  const std::string time = done_ < steps_ ? in_words(left) + " left" : "in " + in_words(elapsed);
  return fmt::format("{} [{:.<{}}]  {:>{}}/{}  loss {:.4f}  {:.0f} tokens/s  {}", title_, bar, width, done_,
                     total.size(), total, loss, static_cast<double>(tokens_) / elapsed, time);
}

void Progress::step(double loss, std::ptrdiff_t tokens) {
  ++done_;
  tokens_ += tokens;
  if (!terminal_) {
    const bool next_tenth = 10 * done_ / steps_ != 10 * (done_ - 1) / steps_;
    if (next_tenth) tell(to_, "{}\n", line(loss));
  } else if (done_ >= steps_) {
    tell(to_, "\r{}\x1b[K\n", line(loss));  // the last one stays
    drawn_ = false;
  } else if (!drawn_ || Seconds(Clock::now() - last_drawn_).count() > 0.1) {
    tell(to_, "\r{}\x1b[K", line(loss));  // to the line's start; \x1b[K clears what a longer line left
    std::fflush(to_);
    drawn_ = true;
    last_drawn_ = Clock::now();
  }
}

void Progress::clear() {
  if (drawn_) tell(to_, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace lookback
