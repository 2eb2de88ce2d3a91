#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/file.hpp"
#include "examples/kit/text/options.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/stderr_text.hpp"

using namespace lookback;
using Catch::Matchers::ContainsSubstring;
using Strings = std::vector<std::string>;

namespace {

// A chapter that takes an option of every kind.
struct Sample {
  Options options{.epochs = 300, .out = "out/03"};
  std::vector<double> state = {0.9, 0.2};
  Strings sentences = {"hello", "you"};
  Chapter chapter{"03_one_step", "one step of attention"};

  Sample() {
    chapter.takes("--state", state, "decoder state s");
    chapter.takes("--sentence", sentences, "your own");
    chapter.takes(options, {"--seed", "--epochs", "--threads", "--out", "--quick"});
  }
};

std::string error(const Strings& arguments) {
  Sample sample;
  try {
    sample.chapter.parse(arguments);
    return "none";
  } catch (const UsageError& e) {
    return e.what();
  }
}

int run(Chapter& chapter, Strings arguments, const std::function<void()>& body) {
  std::string program = "program";
  std::vector<char*> argv{program.data()};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return chapter.run(static_cast<int>(argv.size()), argv.data(), body);
}

}  // namespace

TEST_CASE("Options: defaults stay, values arrive") {
  Sample s;
  CHECK(s.chapter.parse(Strings{}));
  CHECK(s.options.epochs == 300);
  CHECK(s.options.seed == 1);
  CHECK_FALSE(s.chapter.given("--epochs"));

  CHECK(s.chapter.parse(Strings{"--epochs", "40", "--seed=18446744073709551615", "--quick", "--out",
                                "my pictures", "--state", "-0.5,1e-1,.25", "--sentence", "I see her.",
                                "--sentence=--"}));
  CHECK(s.options.epochs == 40);
  CHECK(s.options.seed == UINT64_MAX);
  CHECK(s.options.quick);
  CHECK(s.options.out == "my pictures");
  CHECK(s.state == std::vector<double>{-0.5, 0.1, 0.25});
  CHECK(s.sentences == Strings{"I see her.", "--"});
  CHECK(s.chapter.given("--epochs"));
  CHECK_FALSE(s.chapter.given("--threads"));
}

TEST_CASE("Options: a value of the wrong kind is refused") {
  CHECK(error({"--epochs", "-1"}) == "--epochs: -1 is not a whole number from 1 to 1000000");
  CHECK(error({"--epochs", "0"}) == "--epochs: 0 is not a whole number from 1 to 1000000");
  CHECK(error({"--epochs=99999999999"}) == "--epochs: 99999999999 is not a whole number from 1 to 1000000");
  CHECK(error({"--epochs", "2.5"}) == "--epochs: 2.5 is not a whole number from 1 to 1000000");
  CHECK(error({"--epochs", "ten"}) == "--epochs: \"ten\" is not a whole number from 1 to 1000000");
  CHECK(error({"--epochs", ""}) == "--epochs: \"\" is not a whole number from 1 to 1000000");
  CHECK(error({"--threads", "1025"}) == "--threads: 1025 is not a whole number from 0 to 256");
  CHECK(error({"--seed", "x"}) == "--seed: \"x\" is not a whole number");
  CHECK(error({"--seed", "-1"}) == "--seed: -1 is not a whole number");
  CHECK(error({"--seed", "18446744073709551616"}) == "--seed: 18446744073709551616 is not a whole number");
  CHECK(error({"--seed", "010"}) == "--seed: 010 is not a whole number");  // neither 8 nor 10
  CHECK(error({"--state", "0.2,x,1"}) == "--state: \"x\" is not a number as in 0.2,0.9");
  for (const std::string text : {"", "0.2;1", "nan", "inf", "1e999"})
    CHECK(error({"--state", text}) == "--state: \"" + text + "\" is not a number as in 0.2,0.9");
}

TEST_CASE("Options: a number with bounds") {
  double penalty = 1.5;
  Chapter chapter("11", "");
  chapter.takes("--length-penalty", penalty, "an exponent", 0, 10);
  for (const std::string text : {"-0.5", "-1", "10.1", "nan", "inf", "1e99", "x", ""})
    CHECK_THROWS_WITH(chapter.parse(Strings{"--length-penalty", text}),
                      ContainsSubstring(" is not a number from 0 to 10"));
  CHECK(penalty == 1.5);
  chapter.parse(Strings{"--length-penalty", "0.6"});
  CHECK(penalty == 0.6);
  CHECK_THAT(chapter.help(), ContainsSubstring("1.5"));
}

TEST_CASE("Options: given twice, the last value counts and lists grow") {
  Sample s;
  s.chapter.parse(
      Strings{"--epochs", "1", "--epochs", "2", "--quick", "--quick", "--state", "1,2", "--state", "3"});
  CHECK((s.options.epochs == 2 && s.options.quick));
  CHECK(s.state == std::vector<double>{1, 2, 3});
}

TEST_CASE("Options: names come one by one, with spaces or commas between them") {
  for (const Strings& given : {Strings{"--models", "all,first", "--epochs", "3"},
                               Strings{"--models", "all", "first", "--epochs", "3"},
                               Strings{"--models", "all", "--models", "first", "--epochs", "3"},
                               Strings{"--epochs", "3", "--models=all,first"}}) {
    Chapter chapter("11", "");
    Options options;
    Strings models{"last"};
    chapter.takes(options, {"--epochs"});
    chapter.takes_names("--models", models, "which");
    chapter.parse(given);
    CHECK(models == Strings{"all", "first"});
    CHECK(options.epochs == 3);
  }
}

TEST_CASE("Options: a refused value changes nothing") {
  Sample s;
  CHECK_THROWS_AS(s.chapter.parse(Strings{"--epochs", "12x"}), UsageError);
  CHECK_THROWS_AS(s.chapter.parse(Strings{"--state", "1,2,x"}), UsageError);
  CHECK(s.options.epochs == 300);
  CHECK(s.state == std::vector<double>{0.9, 0.2});
}

TEST_CASE("Options: a missing or surplus value is refused") {
  CHECK(error({"--epochs"}) == "--epochs needs a value");
  CHECK(error({"--epochs="}) == "--epochs needs a value");
  CHECK(error({"--state", ","}) == "--state needs a value");
  CHECK(error({"--epochs", "--quick"}) == "--epochs: \"--quick\" is not a whole number from 1 to 1000000");
  CHECK(error({"--out", "--quick"}) == "--out: --quick is an option, not a value");
  CHECK(error({"--sentence", "--help"}) == "--sentence: --help is an option, not a value");
  CHECK(error({"--quick=yes"}) == "--quick: takes no value");
}

TEST_CASE("Options: what a chapter does not take is refused with what it takes") {
  const std::string takes =
      "; it takes --help, --state, --sentence, --seed, --epochs, --threads, --out, --quick";
  CHECK(error({"--score", "dot"}) == "03_one_step does not take --score" + takes);
  CHECK(error({"--epoch=3"}) == "03_one_step does not take --epoch" + takes + "; did you mean --epochs?");
  CHECK(error({"--quikc"}) == "03_one_step does not take --quikc" + takes + "; did you mean --quick?");
  CHECK(error({"somewhere"}) == "03_one_step does not take somewhere" + takes);
  CHECK(error({"--sentence", "no", "quotes"}) == "03_one_step does not take quotes" + takes);

  Chapter chapter("03_one_step", "");
  std::vector<double> state;
  Options options;
  chapter.takes("--state", state, "");
  chapter.takes(options, {"--out"});
  CHECK_THROWS_WITH(chapter.parse(Strings{"--epochs", "3"}),
                    "03_one_step does not take --epochs; it takes --help, --state, --out");
}

TEST_CASE("Options: every common option has its place") {
  Options o;
  Chapter chapter("all", "");
  chapter.takes(
      o, {"--score", "--seed", "--epochs", "--threads", "--out", "--data", "--save", "--load", "--quick"});
  chapter.parse(Strings{"--score", "dot", "--seed", "2", "--epochs", "3", "--threads", "4", "--out", "5",
                        "--data", "6", "--save", "7", "--load", "8", "--quick"});
  CHECK(o.score == "dot");
  CHECK((o.seed == 2 && o.epochs == 3 && o.threads == 4 && o.quick));
  CHECK((o.out == "5" && o.data == "6" && o.save == "7" && o.load == "8"));
  CHECK_THROWS(chapter.takes(o, {"--colour"}));
}

TEST_CASE("Options: --help shows the defaults") {
  Sample s;
  CHECK_FALSE(s.chapter.parse(Strings{"--epochs", "3", "--help"}));
  const std::string help = Sample().chapter.help();
  for (const std::string text :
       {"03_one_step", "one step of attention", "--help", "--state", "decoder state s", "0.9,0.2",
        "--sentence", "your own", "hello; you", "--epochs", "300", "--out", "folder for pictures", "out/03",
        "--quick", "a shorter run, in seconds"})
    CHECK_THAT(help, ContainsSubstring(text));
  CHECK_THAT(help, !ContainsSubstring("--score"));
}

TEST_CASE("Sentences of an option become tokens, or one message that names the option") {
  CHECK(tokenize_all("--sentence", Strings{"I see her.", "Hola"}) ==
        std::vector<Strings>{{"i", "see", "her", "."}, {"hola"}});
  CHECK(tokenize_all("--sentence", Strings{}).empty());
  for (const std::string empty : {"", " \t"})
    CHECK_THROWS_WITH(tokenize_all("--sentence", Strings{"yes", empty}),
                      "--sentence: there is no word in it");
  CHECK_THROWS_WITH(tokenize_all("--sentence", Strings{"a\xff"}), ContainsSubstring("--sentence: "));
  CHECK_THROWS_AS(tokenize_all("--sentence", Strings{"a\xff"}), UsageError);
  CHECK_THROWS_WITH(tokenize_all("--sentence", Strings{std::string(1200, 'a')}),
                    "--sentence: 1200 characters, and a sentence has 1000 at most");
  CHECK(tokenize_all("--sentence", Strings{"T-Shirt"}, {.split = true}) ==
        std::vector<Strings>{{"t", "-", "shirt"}});
}

TEST_CASE("A chapter's exit code: 0, 1 for an error, 2 for the command line") {
  bool ran = false;
  Chapter chapter("00_nothing", "does nothing");
  CHECK(run(chapter, {}, [&] { ran = true; }) == 0);
  CHECK(ran);
  ran = false;
  CHECK(run(chapter, {"--help"}, [&] { ran = true; }) == 0);
  CHECK(run(chapter, {"--epochs", "3"}, [&] { ran = true; }) == 2);
  CHECK_FALSE(ran);
  CHECK(run(chapter, {}, [] { throw std::runtime_error("no luck"); }) == 1);
  CHECK(run(chapter, {}, [] { throw UsageError("--state: two numbers are needed"); }) == 2);
}

TEST_CASE("The places of --out and --save are checked before the body begins") {
  const TemporaryFolder folder;
  folder.write("file", "");
  Options options;
  Chapter chapter("00_nothing", "");
  chapter.takes(options, {"--out", "--save"});
  bool ran = false;
  const auto body = [&] { ran = true; };
  CHECK(run(chapter, {"--out", folder / "file"}, body) == 1);
  CHECK(run(chapter, {"--out", folder / "file/deeper"}, body) == 1);
  CHECK(run(chapter, {"--out", folder / "new", "--save", folder / "new"}, body) == 1);
  CHECK(run(chapter, {"--out", folder / "new", "--save", folder / "none/"}, body) == 1);
  CHECK(run(chapter, {"--out", folder / "new", "--save", folder / std::string(256, 'n')}, body) == 1);
  CHECK_FALSE(ran);
  CHECK(run(chapter, {"--out", folder / "a b/ñ/c", "--save", folder / "d/model"}, body) == 0);
  CHECK(ran);
  CHECK(std::filesystem::is_empty(folder / "a b/ñ/c"));
  CHECK(std::filesystem::is_empty(folder / "d"));
}

TEST_CASE("A folder that cannot be made is refused with the system's reason") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "kept"), named = folder / std::string(255, 'n');
  CHECK_THROWS_WITH(make_folder(file), "cannot make folder " + file + ": Not a directory");
  CHECK_THROWS_WITH(make_folder(file + "/a"), ContainsSubstring("Not a directory"));
  CHECK_THROWS_WITH(make_folder(named + "n"), ContainsSubstring("File name too long"));
  CHECK_THROWS_WITH(make_folder_of(folder.path.string()), ContainsSubstring("Is a directory"));
  CHECK_THROWS_WITH(make_folder("/proc/none"), ContainsSubstring("cannot make folder /proc/none: "));
  CHECK_THROWS_WITH(make_folder("/proc"), ContainsSubstring(" /proc: "));
  CHECK_NOTHROW(make_folder(named));
  CHECK_NOTHROW(make_folder(named + "/"));
}

TEST_CASE("A message that quotes a file stays one line that a terminal can show") {
  Chapter chapter("08", "");
  const auto said = [&](const std::string& what) {
    return stderr_text([&] { run(chapter, {}, [&] { throw std::runtime_error(what); }); });
  };
  CHECK(said("m: \x1b[31mred\nñ") == "08: m: \\x1b[31mred\\x0añ\n");
  const std::string x(999, 'x');
  CHECK(said(x + "y") == fmt::format("08: {}y\n", x));
  CHECK(said(x + "ñy") == fmt::format("08: {}...\n", x));
}

TEST_CASE("Options: --save, --load and --resume fit together, and an interrupted run says how to go on") {
  const auto result = [](const Strings& arguments, bool stop = false) {
    Options options;
    Chapter chapter("08", "");
    chapter.takes(options, {"--save", "--load", "--resume"});
    int code = 0;
    const std::string said = stderr_text([&] {
      code = run(chapter, arguments, [&] {
        if (stop) throw Interrupted("interrupted after step 3 of 9; m keeps the run");
      });
    });
    return std::pair(code, said);
  };
  const TemporaryFolder folder;
  const std::string file = folder / "it's m";
  std::string quoted = "'" + file + "'";
  quoted.replace(quoted.find("it's"), 4, "it'\\''s");
  CHECK(result({"--save", file, "--resume"}) == std::pair(0, std::string()));
  CHECK(result({"--load", file}) == std::pair(0, std::string()));
  CHECK(result({"--resume"}) == std::pair(2, std::string("--resume: --save FILE says what to go on from\n")));
  CHECK(result({"--save", ""}) == std::pair(2, std::string("--save: a file needs a name\n")));
  CHECK(result({"--load", ""}).second == "--load: a file needs a name\n");
  CHECK(result({"--save", file, "--load", file}) ==
        std::pair(2, std::string("--load trains nothing that --save could keep\n")));
  const std::string on = "interrupted after step 3 of 9; m keeps the run; to go on: program --save " + quoted;
  CHECK(result({"--save", file}, true) == std::pair(130, on + " --resume\n"));
  CHECK(result({"--save", file, "--resume"}, true) == std::pair(130, on + " --resume\n"));
}

TEST_CASE("SIGINT between two trainings of a run that is kept says how to go on, and ends the program") {
  const TemporaryFolder folder;
  Options options;
  Chapter chapter("11", "");
  chapter.takes(options, {"--save", "--resume"});
  const auto interrupted = [&](const Strings& arguments) {
    int status = 0;
    std::string said = stderr_text([&] {
      const pid_t child = fork();
      if (child == 0) {
        std::signal(SIGINT, SIG_DFL);  // whatever the shell of the tests does
        std::_Exit(run(chapter, arguments, [] { std::raise(SIGINT); }));
      }
      waitpid(child, &status, 0);
    });
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGINT));
    return said;
  };
  CHECK(interrupted({"--save", folder / "m"}) ==
        "to go on: program --save '" + folder / "m" + "' --resume\n");
  CHECK(interrupted({}).empty());
}
