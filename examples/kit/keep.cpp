#include "examples/kit/keep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace lookback::inline LOOKBACK_NS {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void interrupt(int) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);  // the next one does not wait
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
  if (n < 0 || fmt::to_string(n) != text)
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
  same["seed"] = fmt::to_string(options.seed);
  return {.path = path.string(), .resume = options.resume, .same = std::move(same)};
}

Keeper::Keeper(Keep keep, const Params& params, Adam& adam)
    : keep_(std::move(keep)), params_(params), adam_(adam) {
  if (keep_.path.empty()) return;
  interrupted = 0;
  handler_ = std::signal(SIGINT, interrupt);
  if (handler_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // the shell's will, for a job in the background
}

Keeper::~Keeper() {
  if (!keep_.path.empty()) std::signal(SIGINT, handler_);
}

// [resume]
Place Keeper::resume(Index steps, Index in_epoch, const std::function<void(int)>& look) {
  Place place;
  if (keep_.path.empty() || !std::filesystem::exists(keep_.path)) return place;
  if (!keep_.resume) {
    fmt::print(stderr, "{} is there and will be replaced; --resume would go on with it\n", keep_.path);
    return place;
  }
  const Checkpoint c = load_checkpoint(keep_.path);
  require_same(c.path, c.text, keep_.same);
  place.step = whole_number(c, "step");
  if (place.step > steps)
    throw std::runtime_error(
        fmt::format("{}: {} steps are done there, more than the {} of this run", c.path, place.step, steps));
  place.tokens = whole_number(c, "tokens");
  place.loss = number(c, "loss", text_of(c.path, c.text, "loss"));
  for (const std::string& loss : words_from_text(text_of(c.path, c.text, "losses")))
    place.losses.push_back(number(c, "losses", loss));
  const int done = static_cast<int>(place.losses.size());
  if (done != place.step / in_epoch)
    throw std::runtime_error(
        fmt::format("{}: {} steps of {} an epoch do not have {} losses", c.path, place.step, in_epoch, done));
  std::map<std::string, Random> streams;
  for (const auto& [name, stream] : keep_.streams) streams.emplace(name, random_stream(c, "random." + name));
  if (keep_.validation_loss && !c.best.empty()) {
    best_epoch_ = static_cast<int>(whole_number(c, "best.epoch"));
    best_loss_ = number(c, "best.loss", text_of(c.path, c.text, "best.loss"));
    best_ = earlier(c, c.best, "", best_epoch_).weights;
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

void Keeper::after_epoch(int epoch) {
  if (keep_.path.empty()) return;
  if (keep_.looks.contains(epoch)) keep_weights(epoch);
  if (!keep_.validation_loss) return;
  const double loss = keep_.validation_loss();
  if (!(loss < best_loss_)) return;
  best_ = copies(params_, "");
  best_loss_ = loss;
  best_epoch_ = epoch;
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
  std::vector<std::string> losses;
  for (const double loss : place.losses) losses.push_back(fmt::to_string(loss));
  RunText text = keep_.same;
  text["step"] = fmt::to_string(place.step);
  text["tokens"] = fmt::to_string(place.tokens);
  text["loss"] = fmt::to_string(place.loss);  // the shortest digits that are read as the same number
  text["losses"] = words_to_text(losses);
  for (const auto& [name, stream] : keep_.streams) text["random." + name] = random_to_text(*stream);
  if (keep_.validation_loss) {
    text["best.epoch"] = fmt::to_string(best_epoch_);
    text["best.loss"] = fmt::to_string(best_loss_);
  }
  save_checkpoint(keep_.path, {.weights = params_.all(),
                               .optimizer = adam_.state(params_),
                               .best = best_,
                               .past = past_,
                               .text = text});
}
// [/save]

}  // namespace lookback::inline LOOKBACK_NS
