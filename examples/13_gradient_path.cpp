// What attention gives, and what it costs: how the loss of one step reaches the encoder's states with it and
// without, what a step costs as the source grows, which parameters come along, and what stays as it was.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "attention/draw/png.hpp"
#include "examples/kit/copy.hpp"
#include "examples/kit/figures/gradient.hpp"
#include "examples/kit/gradient_path.hpp"
#include "examples/kit/growth.hpp"
#include "examples/kit/note_experiment.hpp"
#include "examples/kit/train.hpp"

using namespace lookback;

namespace {

constexpr Index S = 20, B = 32, V = 30, E = 32, H = 64;
constexpr const char* kinds[] = {"last state", "attention"};

struct Run {  // of one model; there are two, without attention and with it
  Translator model;
  std::array<GradientPaths, 2> paths;  // untrained, trained
  double right;                        // share of the target's tokens, trained
};

// [learn]
Run learn(const Options& options, const std::string& score, const char* kind) {
  const Vocabulary words = copy_vocabulary();
  const Translator model(Params(options.seed), words, words, {.score = score}, {E, H, H});
  Random random = Random::named(options.seed, "test");
  const Batch test = copy_batch(CopyTask::copy, S, B, random);
  const GradientPaths untrained = gradient_paths(model, test, S);
  train(model.params(), copy_batches(CopyTask::copy, S, 300, B, Random::named(options.seed, "train")),
        [&](const Batch& batch) { return model.loss(batch); },
        {.title = kind, .epochs = options.epochs, .rate = Real(5e-3), .decay = Decay::linear});
  const Greedy said = greedy_decode(model.decoder(), model.read(test), S + 1);
  double right = 0;
  for (const double share : right_by_place(said.sentences, test)) right += share / (S + 1);
  return {model, {untrained, gradient_paths(model, test, S)}, right};
}
// [/learn]

void print_paths(const std::array<Run, 2>& runs) {
  fmt::print("|dL_t/dh_i| / |dL_t/dlogits_t|, and the recurrent steps between, counted on the tape\n");
  fmt::print("                    last state                 attention                 through c_1 .. c_t\n");
  fmt::print("   t   i  S-i+t   steps  untrained  trained   steps  untrained  trained   untrained  trained");
  for (const Index t : {Index{1}, S / 2, S})
    for (const Index i : {Index{1}, S / 4, S / 2, 3 * S / 4, S}) {
      const auto at = [&](const Tensor& x) { return x.at({t - 1, i - 1}); };
      fmt::print("\n  {:2}  {:2}  {:5}", t, i, S - i + t);
      for (const auto& [model, paths, right] : runs)
        fmt::print("   {:5}  {:9.1e}  ~{:6.1f}", paths[0].steps[t - 1][i - 1], at(paths[0].total),
                   at(paths[1].total));
      fmt::print("   {:9.1e}  ~{:6.1f}", at(runs[1].paths[0].attended), at(runs[1].paths[1].attended));
    }
}

void draw(const std::array<Run, 2>& runs, const std::string& out) {
  std::vector<Arrivals> all;
  for (const int trained : {0, 1})
    for (const int k : {0, 1})
      all.push_back({fmt::format("{}, {}", kinds[k], trained ? "trained" : "untrained"), S,
                     runs[k].paths[trained].total.values()});
  write_png(out + "/13-gradient.png", draw_by_distance(all));
  write_png(out + "/13-arrivals.png", draw_arrivals(all));
}

void print_costs(const std::array<Run, 2>& runs, const Attention& attend, std::uint64_t seed) {
  constexpr Index sizes[] = {16, 64, 256, 1024};
  fmt::print("\n\nMultiply-adds, then ~us, for S = {}; slopes on logarithms\n", fmt::join(sizes, ", "));
  // [costs]
  const auto states = [seed](Index n) { return Params(seed).add("h", {1, n, H}, normal(1)); };
  for (const int k : {0, 1})
    print_growth(fmt::format("a decoder step, {}", kinds[k]), sizes, [&](Index n) {
      const AttentionDecoder& decoder = runs[k].model.decoder();
      return [&, memory = decoder.read({states(n), Tensor({1, H}), {}})] {
        State state = decoder.start(memory);
        decoder.step(memory, Ids({1}, GO), state);
      };
    });
  for (const bool all : {false, true})
    print_growth(all ? "h asks h: all-to-all" : "the attention of a step", sizes, [&](Index n) {
      const Tensor h = states(n), s = all ? h : Tensor({1, H}, 1);
      return [&attend, s, keys = attend.read(h)] { attend(s, keys); };
    });
  const GRUCell cell(Params(seed), H, H);
  for (const bool at_once : {false, true})
    print_growth(at_once ? "one step of S rows" : "S steps of a GRU", sizes, [&](Index n) {
      const Index steps = at_once ? 1 : n, rows = n / steps;
      return [&cell, steps, rows, gi = cell.input(states(n)).reshape({steps, rows, 3 * H})] {
        CellState h = cell.zero(rows);
        for (Index i = 0; i < steps; ++i) h = cell.next(gi.select(i), h);
      };
    });
  // [/costs]
}

void print_parameters() {
  fmt::print("\nParameters of scores, H = A = {}: for h_i of H numbers and of 2H", H);
  // [scores]
  for (const std::string& score : score_names()) try {
      const Params one(0), two(0);
      const Attention of_h(one, score, {.query = H, .key = H, .hidden = H});
      fmt::print("\n  {:11}{:5}", score, one.count());
      const Attention of_2h(two, score, {.query = H, .key = 2 * H, .hidden = H});
      fmt::print("{:7} ", two.count());
      for (const Param& p : two.all()) fmt::print(" {} {}", p.name, to_string(p.value.shape()));
    } catch (const std::invalid_argument& error) {
      fmt::print("  {}", error.what());
    }
  // [/scores]
  fmt::print("\nWhat takes c in, V = {}: W_o [s; c] against W_o s, a GRU of [y; c] against one of y\n", V);
  // [around]
  for (const Index key : {H, 2 * H}) {  // numbers of h_i, and so of c
    const Params with(0), without(0), y_c(0), y(0);
    AttentionDecoderOptions form{.score = "none", .bridge = Bridge::linear_tanh, .readout = Readout::direct};
    const AttentionDecoder last(without, {V, E, H, key, H}, form);
    form.score = "additive";
    const AttentionDecoder all(with, {V, E, H, key, H}, form);
    const Tensor W_o = with.find("vocab.weight"), narrow = without.find("vocab.weight");
    const GRUCell of_both(y_c, E + key, H), of_word(y, E, H);
    // [/around]
    fmt::print("  h_i of {0:3}: W_o {1}, {2} more, V*{0} = {3}; GRU {4} more, 3*H*{0} = {5}\n", key,
               to_string(W_o.shape()), W_o.size() - narrow.size(), V * key, y_c.count() - y.count(),
               3 * H * key);
  }
}

// [changed]
void print_changed(const std::array<Run, 2>& runs, const Attention& attend, Index own) {
  const auto& [none, with] = runs;
  const auto row = [](const char* what, const auto& first, const auto& second) {
    fmt::print("  {:33}  {:<23}  {}\n", what, first, second);
  };
  const auto read = [](const Run& run) {  // how many h_i the contexts of steps 1 .. S read
    const std::span norms = run.paths[0].attended.select(S - 1).values();
    return S - std::count(norms.begin(), norms.end(), 0);
  };
  const auto z = [](const Run& r) { return fmt::format("{:.2f} ~{:.2f}", r.paths[0].gate, r.paths[1].gate); };
  const Keys keys = attend.read(Tensor({1, S, H}));
  const std::int64_t work = multiply_adds([&] { attend(Tensor({1, H}), keys); });
  const Index around = with.model.params().count() - none.model.params().count() - own;
  fmt::print("\nWhat changed, S = {0}\n{1:37}{2:23}  {3}\n", S, "", kinds[0], kinds[1]);
  row("a step knows of the source", fmt::format("s_0, {} numbers, fixed", H), "c_t, as many, anew");
  row("encoder states it reads", fmt::format("{}; h_S once before", read(none)), read(with));
  row("extra work of a step", "none", fmt::format("{} scores, softmax, sum: {} multiply-adds", S, work));
  row("extra parameters", "none", fmt::format("{} of the score, {} that take c in", own, around));
  row("recurrent steps from h_1 to L_S", none.paths[0].steps[S - 1][0], with.paths[0].steps[S - 1][0]);
  row("encoder's z, untrained, trained", z(none), z(with));
  row("target tokens right, trained", fmt::format("~{:.2f}", none.right), fmt::format("~{:.2f}", with.right));
}
// [/changed]

}  // namespace

int main(int argc, char** argv) {
  Options options{.score = "dot", .epochs = 10, .out = "out/13"};
  Chapter chapter("13_gradient_path", "what attention gives: a short way for the gradient; what it costs");
  chapter.takes(options, {"--score", "--seed", "--epochs", "--threads", "--out", "--quick"});
  return chapter.run(argc, argv, [&] {
    if (options.score == "none") throw UsageError("--score: none is what the score is compared with");
    if (options.quick && !chapter.given("--epochs")) options.epochs = 1;
    const Params own(options.seed);  // of the score alone
    const Attention attend(own, options.score, {.query = H, .key = H, .hidden = H});
    const std::array<Run, 2> runs{learn(options, "none", kinds[0]), learn(options, options.score, kinds[1])};
    print_paths(runs);
    draw(runs, options.out);
    print_costs(runs, attend, options.seed);
    print_parameters();
    print_changed(runs, attend, own.count());
    print_note_experiment(runs[1].model, S, options.seed);
  });
}
