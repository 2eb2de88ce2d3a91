// Checkpoints: what is kept, what is refused, and that a refusal changes nothing.
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/file.hpp"
#include "nn/adam.hpp"
#include "nn/checkpoint.hpp"
#include "nn/linear.hpp"
#include "nn/safetensors.hpp"
#include "nn/sgd.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

constexpr Real NaN = std::numeric_limits<Real>::quiet_NaN();

const TemporaryFolder& folder() {
  static const TemporaryFolder made;
  return made;
}

// Two layers of these sizes, and an optimizer that has taken two steps.
struct Run {
  Params params;
  Linear one, two;
  std::unique_ptr<Optimizer> optimizer;

  explicit Run(std::uint64_t seed, Index hidden = 3, bool adam = true)
      : params(seed), one(params["one"], 2, hidden), two(params["two"], hidden, 2) {
    if (adam)
      optimizer = std::make_unique<Adam>();
    else
      optimizer = std::make_unique<SGD>(SGDOptions{.momentum = Real(0.9)});
    step();
    step();
  }
  void step() {
    Tape tape;
    tape.backward(sum(two(tanh(one(Tensor({1, 2}, {1, -2}))))));
    optimizer->step(params);
  }
  Checkpoint checkpoint() const {
    return {.weights = params.all(),
            .optimizer = optimizer->state(params),
            .text = {{"a text before the checksum", "1"}, {"step", "2"}, {"words", "_PAD\nañ\n"}}};
  }
  // All that a run consists of, as bytes.
  std::string bytes() const {
    std::string all;
    for (const std::vector<Param>& list : {params.all(), optimizer->state(params)})
      for (const auto& [name, x] : list)
        all += name + std::string(reinterpret_cast<const char*>(x.data()), x.values().size_bytes());
    return all;
  }
};

std::string saved(const Run& run, const char* name) {
  const std::string path = folder() / name;
  save_checkpoint(path, run.checkpoint());
  return path;
}

// What is said when a run takes the file; "" when it does.
std::string refusal(const std::string& path, const Run& run) {
  try {
    load_checkpoint(path).restore(run.params, run.optimizer.get());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

// A file of that run in which one thing is another.
std::string with(const Run& run, const std::function<void(TensorFile&)>& change) {
  const std::string path = saved(run, "changed");
  TensorFile file = read_safetensors(path);
  change(file);
  write_safetensors(path, file);
  return path;
}

}  // namespace

TEST_CASE("a run is restored to the bit, and steps on as the first one does") {
  for (const bool adam : {true, false}) {
    Run run(1, 3, adam), other(2, 3, adam);
    const std::string path = saved(run, "run");
    CHECK(other.bytes() != run.bytes());
    const Checkpoint c = load_checkpoint(path);
    c.restore(other.params, other.optimizer.get());
    CHECK(other.bytes() == run.bytes());
    CHECK(c.text.at("step") == "2");
    CHECK(c.text.at("words") == "_PAD\nañ\n");
    CHECK(c.path == path);
    for (int i = 0; i < 3; ++i) run.step(), other.step();
    CHECK(other.bytes() == run.bytes());
    CHECK(read_file(saved(other, "other")) == read_file(saved(run, "run")));
    save_checkpoint(folder() / "again", load_checkpoint(folder() / "run"));
    CHECK(read_file(folder() / "again") == read_file(folder() / "run"));
  }
}

TEST_CASE("weights can be restored without an optimizer, and the best ones lie beside the last") {
  const Run run(1), answering(2);
  Checkpoint c = run.checkpoint();
  for (const auto& [name, x] : run.params.all()) c.best.push_back({name, scale(x, 2)});
  for (const auto& [name, x] : run.params.all()) c.past.push_back({"40." + name, scale(x, 3)});
  save_checkpoint(folder() / "best", c);
  Checkpoint back = load_checkpoint(folder() / "best");
  REQUIRE(back.best.size() == 4);
  CHECK(back.weights.size() == 4);
  CHECK(back.optimizer.size() == 12);
  REQUIRE(back.past.size() == 4);
  CHECK(back.past[0].name == "40." + back.weights[0].name);
  CHECK(back.past[3].value.values().back() == 3 * back.weights[3].value.values().back());
  back.weights = back.best;
  back.restore(answering.params);
  CHECK(distance(answering.one.weight, scale(run.one.weight, 2)) == 0);
  load_weights(folder() / "best", answering.params["two"], "two");  // the last ones
  CHECK(distance(answering.two.weight, run.two.weight) == 0);
}

TEST_CASE("parameters are found by name, in whatever order they were added") {
  const Run run(1);
  const std::string path = saved(run, "order");
  const Params params(2);
  const Linear two(params["two"], 3, 2), one(params["one"], 2, 3);
  load_checkpoint(path).restore(params);
  CHECK(distance(one.weight, run.one.weight) == 0);
  CHECK(distance(two.bias, run.two.bias) == 0);
}

TEST_CASE("case 18: a file cut anywhere, or with any bit flipped, is refused") {
  const Run run(1, 1), other(2, 1);
  const std::string before = other.bytes(), whole = read_file(saved(run, "whole")),
                    damaged = folder() / "damaged";
  int by_checksum = 0;
  const auto check = [&](const std::string& bytes, const char* what, std::size_t at) {
    folder().write("damaged", bytes);
    const std::string why = refusal(damaged, other);
    if (!why.starts_with(damaged + ": ")) FAIL_CHECK(what << " " << at << ": \"" << why << "\"");
    by_checksum +=
        why == damaged + ": damaged, cut short or changed after it was written: the checksum is another";
  };
  const std::size_t texts = whole.find("},");  // up to there every bit has a meaning of its own
  for (std::size_t n = 0; n < whole.size(); n += n < texts ? 1 : 7)
    check(whole.substr(0, n), "cut after byte", n);
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += bit < 8 * texts ? 1 : 7) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    check(bytes, "flipped bit", bit);
  }
  for (const char more : {'\0', ' ', '}'}) check(whole + more, "more bytes than", whole.size());
  CHECK(by_checksum > std::ssize(whole) / 2);
  CHECK(other.bytes() == before);
  CHECK(refusal(folder() / "whole", other).empty());
  CHECK(other.bytes() == run.bytes());
}

TEST_CASE("case 18: a whole file that is not of this run is refused, and the run stays") {
  const Run run(1), other(2);
  const std::string before = other.bytes();
  const auto refused = [&](const std::string& path, const std::string& reason) {
    CHECK(refusal(path, other) == path + ": " + reason);
  };
  refused(saved(Run(1, 4), "wide"),
          "one.weight is [4, 2] there and [3, 2] here, one.bias is [4] there and [3] here, "
          "two.weight is [2, 4] there and [2, 3] here");
  refused(saved(Run(1, 3, false), "sgd"),
          "only here: optimizer.m.one.weight, optimizer.steps.one.weight, optimizer.m.one.bias and 5 more; "
          "only there: none");
  refused(with(run,
               [](TensorFile& file) {
                 file.tensors.push_back({"three.weight", Tensor({2})});
               }),
          "only here: none; only there: three.weight");
  refused(with(run, [](TensorFile& file) { file.tensors[3].name = "two.bais"; }),
          "only here: two.bias; only there: two.bais; is two.bais meant for two.bias?");
  refused(with(run, [](TensorFile& file) { file.tensors.resize(1); }),
          "only here: one.bias, two.weight, two.bias; only there: none");
  refused(with(run, [](TensorFile& file) { file.tensors.resize(4); }),
          "only here: optimizer.m.one.weight, optimizer.v.one.weight, optimizer.steps.one.weight and 9 more; "
          "only there: none");
  refused(with(run, [](TensorFile& file) { file.text["version"] = "2"; }),
          "a checkpoint of version \"2\"; this program reads \"1\"");
  refused(with(run, [](TensorFile& file) { file.text.erase("version"); }),
          "a checkpoint of version \"\"; this program reads \"1\"");
  refused(with(run, [](TensorFile& file) { file.text["format"] = "pt"; }),
          "weights alone, from another program: there is no run to go on with");
  const auto put = [&](const char* name, Real value, const std::string& reason) {
    refused(with(run,
                 [&](TensorFile& file) {
                   for (const Param& p : file.tensors)
                     if (p.name == name) p.value.write()[p.value.size() - 1] = value;
                 }),
            reason);
  };
  put("two.weight", NaN, "two.weight holds nan");
  put("optimizer.v.two.bias", std::numeric_limits<Real>::infinity(), "optimizer.v.two.bias holds inf");
  put("optimizer.steps.two.bias", -1, "adam: it cannot have taken -1 steps");
  put("optimizer.steps.two.bias", 2.5, "adam: it cannot have taken 2.5 steps");
  put("optimizer.steps.two.bias", Real(1e30), "adam: it cannot have taken 1e+30 steps");
  const std::string text = "{\"__metadata__\":{\"format\":\"lookback\",\"version\":\"1\"}}";
  refused(
      folder().write("bare", std::string(1, static_cast<char>(text.size())) + std::string(7, '\0') + text),
      "damaged: the checksum is missing");
  CHECK(other.bytes() == before);
}

TEST_CASE("case 18: what could not be read again is not written, and the old file stays") {
  const Run run(1);
  const std::string path = saved(run, "good"), good = read_file(path);
  Checkpoint c = run.checkpoint();
  c.weights.push_back({"best.weight", Tensor({1})});
  CHECK_THROWS_WITH(save_checkpoint(path, c),
                    "cannot write " + path + ": no weight can be named best.weight");
  run.one.bias.write()[0] = NaN;
  CHECK_THROWS_WITH(save_checkpoint(path, run.checkpoint()), "cannot write " + path + ": one.bias holds nan");
  CHECK(read_file(path) == good);
}
