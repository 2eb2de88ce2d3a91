// The bottleneck: without attention one vector is all the decoder gets of the source. Copying letters, and
// writing them from the end, show from which length on that is not enough.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "attention/draw/line_plot.hpp"
#include "attention/draw/png.hpp"
#include "examples/kit/copy.hpp"
#include "examples/kit/figures/bottleneck.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator_file.hpp"

using namespace lookback;

namespace {

struct Setup : Options {
  int hidden = 64;  // H
};

// [model]
// The translator of chapter 08 over letters. The score "none" hands h_S over and nothing else.
Translator make_model(const Setup& setup, AttentionDecoderOptions options) {
  const TranslatorSizes sizes{.embedding = 32, .hidden = setup.hidden, .alignment = setup.hidden};
  return {Params(setup.seed), copy_vocabulary(), copy_vocabulary(), std::move(options), sizes};
}
// [/model]

using Models = std::array<Translator, 2>;
constexpr const char* kinds[] = {"attention", "last state"};
Models make_models(const Setup& setup) {
  return {make_model(setup, {.score = setup.score}), make_model(setup, {.score = "none"})};
}

Batch batch_of(const Translator& model, const std::string& text) {
  const IdPair pair = model.ids({letters(text), letters(text), 0});
  return make_batch({&pair, 1});
}

void print_start(const Setup& setup) {
  const auto show = [](const char* name, const Tensor& x) {
    fmt::print("  {:21} = ({:.4f}, ...)\n", name, fmt::join(x.values().first(6), ", "));
  };
  fmt::print("Before training, on the source \"stack\"\n");
  for (const Bridge bridge : {Bridge::copy, Bridge::linear_tanh}) {
    const Translator model = make_model(setup, {.score = "none", .bridge = bridge});
    // [start]
    const Memory memory = model.read(batch_of(model, "stack"));  // h [B, S, H], h_S [B, H]
    const Tensor s_0 = model.decoder().start(memory).parts[0];   // [B, H]
    // [/start]
    if (bridge == Bridge::copy) show("h_S", memory.encoded.last);
    show(bridge == Bridge::copy ? "s_0 = h_S" : "s_0 = tanh(W h_S + b)", s_0);
  }
  const int H = setup.hidden;
  fmt::print("s_0 is {} numbers for every S; all states are {} for S = 5, {} for S = 30\n", H, 5 * H, 30 * H);
  fmt::print("30 letters are 30 log2(26) = {:.0f} bits, {} floats {}\n", 30 * std::log2(26), H, 32 * H);
}

// [exchange]
// What the encoder handed over, with `state` [H] in the place of h_i. The last state is the last row of h.
Encoded exchange(const Encoded& encoded, Index i, const Tensor& state) {
  const Tensor h = encoded.h.detach();  // [1, S, H]: a copy
  std::copy_n(state.data(), state.size(), h.write() + i * state.size());
  return {h, last_states(h, encoded.mask), encoded.mask};
}
// [/exchange]

// A row for each of 5 states, a column for each model.
void print_states(const Models& models, const auto& entry) {
  fmt::print("  i  {:>10}  {:>10}\n", kinds[0], kinds[1]);
  for (Index i = 0; i < 5; ++i)
    fmt::print("  {}  {:>10}  {:>10}\n", i + 1, entry(models[0], i), entry(models[1], i));
}

void print_change(const Models& models) {
  fmt::print("\nHow far the logits move, |new - old|, when all numbers of h_i become 1\n");
  print_states(models, [](const Translator& model, Index i) {
    // [change]
    const Batch batch = batch_of(model, "stack");
    const auto logits = [&](const Encoded& e) {
      return model.decoder().teach(model.decoder().read(e), batch.inputs).logits;  // [1, T, V]
    };
    const Encoded encoded = model.encode(batch.source, batch.lengths);
    const Encoded changed = exchange(encoded, i, Tensor({encoded.h.cols()}, 1));
    const Tensor moved = logits(changed) - logits(encoded);
    return fmt::format("{:.3g}", sqrt(sum(moved * moved)).item());
    // [/change]
  });
}

void print_exchange(const Models& models) {
  fmt::print("\nWritten for \"stack\" with the state h_i of \"stock\" in the place of its own\n");
  print_states(models, [](const Translator& model, Index i) {
    const Tensor other = model.read(batch_of(model, "stock")).encoded.h.select(0);  // [S, H]
    const Encoded mixed = exchange(model.read(batch_of(model, "stack")).encoded, i, other.select(i));
    const Greedy said = greedy_decode(model.decoder(), model.decoder().read(mixed), 10);
    return fmt::format("{}", fmt::join(model.target().tokens(said.sentences[0].ids), ""));
  });
}

void claim(const char* text, Index length, bool holds, double measured) {
  fmt::print("\n  {} {}: {} (~{:.2f})", text, length, holds ? "yes" : "no", measured);
}

void print_scores(const std::array<CopyScore, 2>& scores, Index longest) {
  fmt::print("  share of target tokens right\n  length    ");
  for (Index n = 5; n <= longest; n += 5) fmt::print("  {:3}", n);
  for (const std::size_t k : {0, 1}) {
    fmt::print("\n  {:10}", kinds[k]);
    for (Index n = 5; n <= longest; n += 5) fmt::print("  {:.1f}", scores[k].share[n - 1]);
  }
  const auto &with = scores[0].share, &without = scores[1].share;
  const double low = *std::min_element(with.begin(), with.begin() + longest), end = without[longest - 1];
  claim("attention at least 0.95 at every length to", longest, low >= 0.95, low);
  claim("last state at least 0.95 at length", 5, without[4] >= 0.95, without[4]);
  claim("last state at most 0.4 at length", longest, end <= 0.4, end);
  fmt::print("\n  length {}, longer than any in training: attention ~{:.2f}; at its places 1, 11, 21, ..:",
             with.size(), with.back());
  for (Index t = 0; t <= longest; t += 10) fmt::print(" ~{:.2f}", scores[0].by_place[t]);
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  Setup options{{.score = "dot", .out = "out/02"}};
  std::string tasks = "both";
  int steps = 5000, longest = 30;
  Chapter chapter("02_bottleneck", "copies and reverses letters, with attention and without");
  chapter.takes(options, {"--score", "--seed", "--threads", "--out", "--quick", "--save", "--resume"});
  chapter.takes("--task", tasks, "copy, reverse or both");
  chapter.takes("--steps", steps, "batches to learn from", 100, 100'000);
  chapter.takes("--hidden", options.hidden, "H, the numbers of a state", 8, 512);
  chapter.takes("--longest", longest, "letters of the longest sentences in training", 5, 30);
  return chapter.run(argc, argv, [&] {
    if (tasks != "copy" && tasks != "reverse" && tasks != "both")
      throw UsageError("--task: \"" + tasks + "\" is not copy, reverse or both");
    if (options.score == "none") throw UsageError("--score: none is what the score is compared with");
    if (options.quick && !chapter.given("--task")) tasks = "copy";
    if (options.quick && !chapter.given("--steps")) steps = 2000;
    if (options.quick && !chapter.given("--longest")) longest = 20;

    write_png(options.out + "/02-model.png", draw_bottleneck("stack", options.hidden));
    print_start(options);
    print_change(make_models(options));
    std::vector<Image> looks;
    LinePlot plot{"What comes through", "source length S", "share of target tokens right", {}, {{0, 1}}};
    for (const auto& [name, task] : {std::pair("copy", CopyTask::copy), {"reverse", CopyTask::reverse}}) {
      if (tasks != "both" && tasks != name) continue;
      const Models models = make_models(options);
      fmt::print("\n{}: {} batches of 32 sentences of 1 to {} letters; {} parameters, without attention {}\n",
                 name, steps, longest, models[0].params().count(), models[1].params().count());
      const auto batches = copy_batches(task, longest, steps, 32, Random::named(options.seed, "train"));
      std::array<CopyScore, 2> scores;
      for (const std::size_t k : {0, 1}) {
        const std::string title = fmt::format("{}, {}", name, kinds[k]);
        const std::string part = fmt::format("{}-{}", name, k == 0 ? "attention" : "last-state");
        // [train]
        const Keep keep = keep_run(options, describe(models[k]), part);  // --save and --resume
        train(models[k].params(), batches, [&](const Batch& batch) { return models[k].loss(batch); },
              {.title = title, .rate = Real(5e-3), .decay = Decay::linear, .keep = keep});
        scores[k] = measure_copy(models[k], task, longest + 10, 100, Random::named(options.seed, "test"));
        // [/train]
        Line line{title, {}, {scores[k].share.begin(), scores[k].share.end()}};
        for (std::size_t n = 1; n <= line.y.size(); ++n) line.x.push_back(static_cast<float>(n));
        plot.lines.push_back(line);
      }
      print_scores(scores, longest);
      if (task == CopyTask::copy) print_exchange(models);
      const Tokens text = letters("lookbackatthesource");
      Heatmap map = heatmap(models[0].translate({&text, 1}).alignment, 0);
      map.title = name;
      looks.push_back(draw_heatmap(map, small_heatmap));
    }
    plot.lines.push_back({"longest in training", std::vector(2, static_cast<float>(longest)), {0, 1}, true});
    write_png(options.out + "/02-accuracy.png", draw_line_plot(plot));
    write_png(options.out + "/02-looks.png", draw_sheet(looks, 2));
  });
}
