#include "examples/kit/text/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>

#include "core/file.hpp"
#include "core/kernels/parallel.hpp"
#include "core/nearest_name.hpp"
#include "core/tell.hpp"
#include "core/utf8.hpp"
#include "examples/kit/text/text.hpp"

namespace lookback {
namespace {

// "-1" as it stands, "x" in quotes.
std::string shown(const std::string& text) {
  const bool number = !text.empty() && text.find_first_not_of("+-.0123456789") == text.npos;
  return number ? text : fmt::format("\"{}\"", text);
}

// A message may quote a file: no control characters, and not more than a screen of text.
std::string one_line(std::string_view message) {
  constexpr std::size_t most = 1000;
  std::size_t end = std::min(message.size(), most);
  while (end < message.size() && end > 0 && (message[end] & 0xC0) == 0x80) --end;  // not inside a character
  std::string line;
  for (const char c : message.substr(0, end))
    line += static_cast<unsigned char>(c) < ' ' || c == 127 ? fmt::format("\\x{:02x}", c) : std::string(1, c);
  return line + (end < message.size() ? "..." : "");
}

// CLI11 reads 010 as 8, a seed of -1 as 2^64 - 1, and nan: a whole number must print as it was written.
template <class Number>
CLI::Validator from_to(Number least, Number most, const std::string& kind) {
  const auto check = [=](const std::string& text) {
    Number value{};
    const bool good = CLI::detail::lexical_cast(text, value) && least <= value && value <= most &&
                      (std::is_floating_point_v<Number> || fmt::to_string(value) == text);
    return good ? "" : fmt::format("{} is not {}", shown(text), kind);
  };
  return CLI::Validator(check, "");
}

// As it can be given to a shell again.
std::string shell_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || std::strchr("-_./,=+:@%", c) != nullptr;
    });
    std::string quoted;
    for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    command += (command.empty() ? "" : " ") + (plain ? word : "'" + quoted + "'");
  }
  return command;
}

// For a run that is kept; SIGINT says it when it comes between two trainings, each of which takes care of itself.
std::string how_to_go_on;

void tell(int) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, how_to_go_on.data(), how_to_go_on.size());
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

// One value each time; CLI11 by itself takes the next option for a forgotten value.
void one_text(CLI::App& app, CLI::Option* option) {
  option->allow_extra_args(false)->check([&app](const std::string& text) {
    return app.get_option_no_throw(text) ? fmt::format("{} is an option, not a value", text) : "";
  });
}

}  // namespace

void flush_output() {
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
}

std::vector<std::vector<std::string>> tokenize_all(const char* name, std::span<const std::string> sentences,
                                                   TokenizeOptions options) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& sentence : sentences) {
    try {
      all.push_back(tokenize_short(sentence, options));
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("{}: {}", name, error.what()));
    }
    if (all.back().empty()) throw UsageError(fmt::format("{}: there is no word in it", name));
  }
  return all;
}

Chapter::Chapter(std::string name, std::string about)
    : app_(std::make_shared<CLI::App>(std::move(about), std::move(name))) {
  app_->option_defaults()->always_capture_default()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void Chapter::takes(Options& o, std::initializer_list<std::string_view> names) {
  const auto offer = [&](const char* name, auto& value, const char* help, auto... range) {
    if (std::find(names.begin(), names.end(), name) != names.end()) takes(name, value, help, range...);
  };
  offer("--score", o.score, "score function, a name of attention/scores; an unknown one lists them");
  offer("--seed", o.seed, "of everything random");
  offer("--epochs", o.epochs, "passes over the training data", 1, 1'000'000);
  offer("--threads", o.threads, "0: one for each core", 0, 256);
  offer("--out", o.out, "folder for pictures");
  offer("--data", o.data, "toy, grammar, multi30k, a folder, FILE, or SOURCE_FILE,TARGET_FILE");
  offer("--save", o.save, "file that keeps the run: written every 10 s, by Ctrl-C and at the end");
  offer("--resume", o.resume, "go on from the file of --save, or begin if there is none");
  offer("--load", o.load, "answer with the model of a file of --save; nothing is trained");
  offer("--quick", o.quick, "a shorter run, in seconds");
  for (const std::string_view name : names) {
    app_->get_option(std::string(name));  // throws when it is none of the above
    if (name == "--out") out_ = &o.out;
    if (name == "--save") save_ = &o.save;
    if (name == "--load") load_ = &o.load;
    if (name == "--resume") resume_ = &o.resume;
    if (name == "--threads") threads_ = &o.threads;
  }
}

void Chapter::takes(const char* name, bool& flag, const char* help) {
  const auto check = [](const std::string& given) { return given == "true" ? "" : "takes no value"; };
  app_->add_flag(name, flag, help)->check(check);
}

void Chapter::takes(const char* name, std::uint64_t& number, const char* help) {
  constexpr std::uint64_t least = 0, most = std::numeric_limits<std::uint64_t>::max();
  app_->add_option(name, number, help)->check(from_to(least, most, "a whole number"));
}

void Chapter::takes(const char* name, int& number, const char* help, int least, int most) {
  const std::string kind = fmt::format("a whole number from {} to {}", least, most);
  app_->add_option(name, number, help)->check(from_to(least, most, kind));
}

void Chapter::takes(const char* name, double& number, const char* help, double least, double most) {
  app_->add_option(name, number, help)
      ->check(from_to(least, most, fmt::format("a number from {} to {}", least, most)));
}

void Chapter::takes(const char* name, std::string& text, const char* help) {
  one_text(*app_, app_->add_option(name, text, help));
}

void Chapter::takes(const char* name, std::vector<std::string>& texts, const char* help) {
  const std::string initial = fmt::format("{}", fmt::join(texts, "; "));
  one_text(*app_, app_->add_option(name, texts, help)->default_str(initial));
}

void Chapter::takes(const char* name, std::vector<double>& numbers, const char* help) {
  constexpr double most = std::numeric_limits<double>::max();
  CLI::Option* option = app_->add_option(name, numbers, help)->delimiter(',')->allow_extra_args(false);
  option->check(from_to(-most, most, "a number as in 0.2,0.9"));
}

void Chapter::takes_names(const char* name, std::vector<std::string>& names, const char* help) {
  app_->add_option(name, names, help)->delimiter(',')->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

bool Chapter::parse(std::span<const std::string> arguments) try {
  app_->parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes from the back
  return true;
} catch (const CLI::CallForHelp&) {
  return false;
} catch (const CLI::ArgumentMismatch& error) {  // "--out: 1 required TEXT missing"
  const std::string message = error.what();
  throw UsageError(message.substr(0, message.find(':')) + " needs a value");
} catch (const CLI::ExtrasError&) {
  const std::string extra = app_->remaining().front(), name = extra.substr(0, extra.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : app_->get_options()) known.push_back(option->get_name());
  const std::string nearest = nearest_name(name, known);
  throw UsageError(fmt::format("{} does not take {}; it takes {}{}", app_->get_name(), name,
                               fmt::join(known, ", "),
                               nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
} catch (const CLI::ParseError& error) {
  throw UsageError(error.what());
}

bool Chapter::given(std::string_view name) const { return app_->count(std::string(name)) > 0; }

std::string Chapter::help() const { return app_->help(); }

int Chapter::run(int argc, char** argv, const std::function<void()>& body) {
  try {
    if (parse(std::vector<std::string>(argv + std::min(argc, 1), argv + argc))) {
      if (out_ && out_->empty()) throw UsageError("--out: a folder needs a name; . is this one");
      if (out_) make_folder(*out_);
      for (const auto& [name, file] : {std::pair("--save", save_), std::pair("--load", load_)})
        if (file && file->empty() && given(name))
          throw UsageError(fmt::format("{}: a file needs a name", name));
      const bool saves = save_ && !save_->empty();
      if (saves && load_ && !load_->empty()) throw UsageError("--load trains nothing that --save could keep");
      if (resume_ && *resume_ && !saves) throw UsageError("--resume: --save FILE says what to go on from");
      if (saves) {
        make_folder_of(*save_);
        how_to_go_on = fmt::format("to go on: {}{}\n", shell_command({argv, argv + argc}),
                                   resume_ && *resume_ ? "" : " --resume");
        if (std::signal(SIGINT, tell) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
      }
      if (threads_ && *threads_ > 0) set_threads(*threads_);
      body();
    } else {
      fmt::print("{}", help());
    }
    flush_output();
    return 0;
  } catch (const UsageError& error) {
    tell("{}\n", one_line(error.what()));
    return 2;
  } catch (const Interrupted& stop) {
    tell("{}; {}", stop.what(), how_to_go_on);
    return 130;
  } catch (const std::exception& error) {
    // fmt::print does not say which file it was
    const auto* system = dynamic_cast<const std::system_error*>(&error);
    tell("{}: {}\n", app_->get_name(),
         system && std::ferror(stdout) != 0 ? "standard output: " + system->code().message()
                                            : one_line(error.what()));
    return 1;
  }
}

}  // namespace lookback
