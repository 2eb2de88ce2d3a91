#include "examples/kit/keep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/file.hpp"
#include "core/tell.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM};  // of Ctrl-C; of kill, and of what mpirun makes of Ctrl-C
volatile std::sig_atomic_t interrupted = 0;

void interrupt(int) {
  interrupted = 1;
  for (const int signal : signals) std::signal(signal, SIG_DFL);  // the next one does not wait
}

std::vector<Param> copies(const Params& params, const std::string& prefix) {
  std::vector<Param> all;
  for (const auto& [name, value] : params.all()) all.push_back({prefix + name, value.detach()});
  return all;
}

std::string prefix(int epoch) { return fmt::format("{}.", epoch); }

Index whole_number(const Checkpoint& c, const std::string& name) {
  const std::string& text = text_of(c.path, c.text, name);
  Index n = -1;
  std::from_chars(text.data(), text.data() + text.size(), n);
  if (n < 0 || n > Index{1} << 53 || fmt::to_string(n) != text)  // more can still be added to it
    throw std::runtime_error(fmt::format("{}: {} is \"{}\", not a count", c.path, name, text));
  return n;
}

double number(const Checkpoint& c, const std::string& name, const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(x))
    throw std::runtime_error(fmt::format("{}: {} is \"{}\", not a number", c.path, name, text));
  return x;
}

std::vector<double> numbers(const Checkpoint& c, const std::string& name) {
  std::vector<double> all;
  for (const std::string& word : words_from_text(text_of(c.path, c.text, name)))
    all.push_back(number(c, name, word));
  return all;
}

std::string to_text(std::span<const double> numbers) {
  std::vector<std::string> words;  // the shortest digits that are read as the same number
  for (const double x : numbers) words.push_back(fmt::to_string(x));
  return words_to_text(words);
}

// Earlier weights, of the names and shapes of the file's own, with what their names begin with in the file.
Checkpoint earlier(const Checkpoint& c, const std::vector<Param>& list, const std::string& prefix,
                   int epoch) {
  const auto like = [](const Param& a, const Param& b) {
    return a.name == b.name && a.value.shape() == b.value.shape();
  };
  Checkpoint then{.path = c.path};
  for (const auto& [name, value] : list)
    if (name.starts_with(prefix)) then.weights.push_back({name.substr(prefix.size()), value});
  if (!std::equal(then.weights.begin(), then.weights.end(), c.weights.begin(), c.weights.end(), like))
    throw std::runtime_error(fmt::format("{}: the weights of epoch {} are not there", c.path, epoch));
  return then;
}

Random random_stream(const Checkpoint& c, const std::string& name) try {
  return random_from_text(text_of(c.path, c.text, name));
} catch (const std::invalid_argument& error) {
  throw std::runtime_error(fmt::format("{}: {}", c.path, error.what()));
}

}  // namespace

Keep keep_run(const Options& options, RunText same, const std::string& part) {
  std::filesystem::path path = options.save;
  if (!path.empty() && !part.empty())
    path.replace_filename(path.stem().string() + "-" + part + path.extension().string());
  if (!path.empty()) make_folder_of(path.string());
  same["seed"] = fmt::to_string(options.seed);
  return {.path = path.string(), .resume = options.resume, .same = std::move(same)};
}

int best_epoch(const History& history) {
  const std::vector<double>& losses = history.validation_loss;
  if (losses.empty()) return 0;
  return 1 + static_cast<int>(std::min_element(losses.begin(), losses.end()) - losses.begin());
}

Keeper::Keeper(Keep keep, const Params& params, Adam& adam)
    : keep_(std::move(keep)), params_(params), adam_(adam) {
  if (keep_.path.empty()) return;
  interrupted = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    handlers_[i] = std::signal(signals[i], interrupt);
    // the shell's will, for a job in the background
    if (handlers_[i] == SIG_IGN) std::signal(signals[i], SIG_IGN);
  }
}

Keeper::~Keeper() {
  for (std::size_t i = 0; i < 2 && !keep_.path.empty(); ++i) std::signal(signals[i], handlers_[i]);
}

// [resume]
Place Keeper::resume(Index steps, Index in_epoch, const std::function<void(int)>& look) {
  Place place;
  if (keep_.path.empty() || !std::filesystem::exists(keep_.path)) return place;
  if (!keep_.resume) {
    tell("{} is there and will be replaced; --resume would go on with it\n", keep_.path);
    return place;
  }
  const Checkpoint c = load_checkpoint(keep_.path);
  if (const auto recipe = keep_.same.find("recipe"); recipe != keep_.same.end())
    require_same(c.path, c.text, {*recipe});  // from which much of the rest follows
  require_same(c.path, c.text, keep_.same);
  place.step = whole_number(c, "step");
  if (place.step > steps)
    throw std::runtime_error(
        fmt::format("{}: {} steps are done there, more than the {} of this run", c.path, place.step, steps));
  place.tokens = whole_number(c, "tokens");
  place.loss = number(c, "loss", text_of(c.path, c.text, "loss"));
  place.history.loss = numbers(c, "losses");
  const int done = static_cast<int>(place.history.loss.size());
  if (done != place.step / in_epoch)
    throw std::runtime_error(
        fmt::format("{}: {} steps of {} an epoch do not have {} losses", c.path, place.step, in_epoch, done));
  std::map<std::string, Random> streams;
  for (const auto& [name, stream] : keep_.streams) streams.emplace(name, random_stream(c, "random." + name));
  if (keep_.validation_loss && done > 0) {
    place.history.validation_loss = numbers(c, "validation losses");
    if (std::ssize(place.history.validation_loss) != done)
      throw std::runtime_error(fmt::format("{}: {} epochs do not have {} validation losses", c.path, done,
                                           place.history.validation_loss.size()));
    best_ = earlier(c, c.best, "", best_epoch(place.history)).weights;
  }
  std::vector<std::pair<int, Checkpoint>> looks;
  for (const int epoch : keep_.looks) {
    if (epoch < 1 || epoch > done) continue;
    const bool now = epoch * in_epoch == place.step;  // a run that stopped here was not told to look here
    looks.emplace_back(epoch,
                       now ? earlier(c, c.weights, "", epoch) : earlier(c, c.past, prefix(epoch), epoch));
  }
  c.restore(params_, &adam_);
  for (const auto& [name, stream] : keep_.streams) *stream = streams.at(name);
  for (const auto& [epoch, then] : looks) {
    then.restore(params_);
    keep_weights(epoch);
    look(epoch);
  }
  c.restore(params_);
  return place;
}
// [/resume]

void Keeper::keep_weights(int epoch) {
  for (Param& copy : copies(params_, prefix(epoch))) past_.push_back(std::move(copy));
}

void Keeper::after_epoch(History& history) {
  const int epoch = static_cast<int>(history.loss.size());
  if (!keep_.path.empty() && keep_.looks.contains(epoch)) keep_weights(epoch);
  if (!keep_.validation_loss || (keep_.path.empty() && !keep_.end_with_best)) return;
  const double loss = keep_.validation_loss();  // NaN when nothing there could be judged
  history.validation_loss.push_back(std::isfinite(loss) ? loss : std::numeric_limits<double>::max());
  if (best_epoch(history) == epoch) best_ = copies(params_, "");
}

void Keeper::end() {
  if (keep_.end_with_best && !best_.empty()) Checkpoint{.weights = best_}.restore(params_);
}

void Keeper::after_step(const Place& place, Index steps) {
  if (keep_.path.empty()) return;
  const bool stop = interrupted != 0;  // read once: it may come at any moment
  const auto now = std::chrono::steady_clock::now();
  if (!stop && place.step < steps && now - saved_ < keep_.every) return;
  save(place);
  saved_ = now;
  if (stop)
    throw Interrupted(
        fmt::format("interrupted after step {} of {}; {} keeps the run", place.step, steps, keep_.path));
}

// [save]
void Keeper::save(const Place& place) {
  RunText text = keep_.same;
  text["step"] = fmt::to_string(place.step);
  text["tokens"] = fmt::to_string(place.tokens);
  text["loss"] = fmt::to_string(place.loss);
  text["losses"] = to_text(place.history.loss);
  for (const auto& [name, stream] : keep_.streams) text["random." + name] = random_to_text(*stream);
  if (keep_.validation_loss) {
    text["best.epoch"] = fmt::to_string(best_epoch(place.history));
    text["validation losses"] = to_text(place.history.validation_loss);
  }
  save_checkpoint(keep_.path, {.weights = params_.all(),
                               .optimizer = adam_.state(params_),
                               .best = best_,
                               .past = past_,
                               .text = text});
}
// [/save]

}  // namespace lookback::inline LOOKBACK_NS
