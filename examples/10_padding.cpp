// The padding laboratory: what PAD does to attention when it is let in, what buckets save and what a mask cures; and
// three faults to be recognised by their numbers.
#include <fmt/ranges.h>

#include <algorithm>

#include "attention/draw/png.hpp"
#include "examples/kit/figures/batches.hpp"
#include "examples/kit/padding.hpp"
#include "examples/kit/stopwatch.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/worked_example.hpp"
#include "nn/loss.hpp"

using namespace lookback;

namespace {

using Pairs = std::span<const IdPair>;

Translator make_model(const Corpus& corpus, std::uint64_t seed, TranslatorSizes sizes = {}) {
  return {Params(seed), Vocabulary(sources(corpus.pairs)), Vocabulary(targets(corpus.pairs)), {}, sizes};
}

// [example]
void print_example() {
  const Attention attend = example_score("dot", Params(0));
  const auto row = [&](const std::string& kind, Index n, const Mask& mask) {
    const Tensor h = concat(std::array{example_h(), Tensor({1, n, 2})}, 1);  // [1, 3 + n, 2]
    const Attended a = attend(example_s(), attend.read(h, mask));
    fmt::print("  {:21} {:5.1f} %  ({:.6f})  ({:.6f})\n", kind,
               100 * sum(slice(a.weights, 1, 3, 3 + n)).item(), fmt::join(a.context.values(), ", "),
               fmt::join(a.weights.values().first(std::min<Index>(4, 3 + n)), ", "));
  };
  fmt::print("The worked example, n PAD at its end\n  {:22} on PAD  c {:18}  first weights\n", "", "");
  for (const Index n : {0, 1, 3, 7}) row(fmt::format("n = {}, zeroed", n), n, {});
  row("n = 7, minus infinity", 7, Mask::lengths(std::array<Index, 1>{3}, 10));
  row("no word at all", 0, Mask::lengths(std::array<Index, 1>{0}, 3));
}
// [/example]

// [learn]
void learn(const Translator& model, const Batch& batch, Reading reading, int epochs,
           const std::function<void(int)>& look = {}) {
  train(model.params(), {&batch, 1},
        [&](const Batch& b) {
          return cross_entropy(see(model, b, reading).logits, b.targets, {.ignore = PAD});
        },
        {.epochs = epochs, .after_epoch = look});
}
// [/learn]

// [table]
// One model, or four, read in the four ways, on a batch of the pairs with S places.
using Models = std::vector<Translator>;
void print_table(const char* title, const Models& models, Pairs pairs, Index S, Stage stage) {
  print_checkup_head(fmt::format("{}, S = {}", title, S));
  for (std::size_t k = 0; k < 4; ++k)
    print_checkup(
        readings[k].first, stage,
        check_up(models[k % models.size()], pairs, make_batch(pairs, {.S = S}), readings[k].second));
}
// [/table]

void draw_mass(const Translator& untrained, const Models& trained, Pairs pairs, const std::string& path) {
  LinePlot plot{"PAD takes part where it is not masked", "S, places of the batch", "mass on PAD", {}};
  const auto add = [&](const char* when, const Translator& model, int k) {
    const std::string name = fmt::format("{}: {}", when, readings[k].first);
    plot.lines.push_back(mass_line(name, model, pairs, readings[k].second));
  };
  add("untrained", untrained, 1);
  for (const int k : {0, 1}) add("good model", trained[3], k), add("trained so", trained[k], k);
  add("good model", trained[3], 3);
  write_png(path, draw_line_plot(plot));
}

BatchesPanel print_way(const char* name, const Translator& model, const std::vector<Batch>& batches) {
  BatchesPanel panel{name, {}, {}};
  double words = 0, places = 0, tokens = 0, steps = 0, mass = 0, loss = 0;
  for (const Batch& batch : batches) {
    for (const Index n : batch.lengths)
      words += n, panel.words.push_back(n), panel.places.push_back(batch.source.shape[1]);
    places += batch.source.size(), tokens += batch.tokens, steps += batch.targets.size();
    mass += batch.tokens * mass_on_pad(see(model, batch, Reading::zeroed).weights, batch);
    loss += batch.tokens * model.loss(batch).item();
  }
  const auto pass = [&] { std::ranges::for_each(batches, [&](const Batch& batch) { model.loss(batch); }); };
  fmt::print("  {:13} {:8} {:10.1f} % {:8.1f} % {:13.3f} {:10.4f}  ~{:.2f} s\n", name, batches.size(),
             100 - 100 * words / places, 100 - 100 * tokens / steps, mass / tokens, loss / tokens,
             nanoseconds(pass, 5) / 1e9);
  return panel;
}

// [ways]
void print_ways(const Translator& model, std::span<const SentencePair> corpus, const std::string& path) {
  std::vector<IdPair> pairs = model.ids(corpus);
  const Batch all = make_batch(pairs);
  const Bounds longest{all.source.shape[1], all.targets.shape[1]};
  std::vector<Bounds> bounds;
  for (Index k = 1; k <= 5; ++k) bounds.push_back({k * longest.S / 5, k * longest.T / 5});
  const std::vector<Batch> buckets = make_buckets(pairs, bounds);
  fmt::print("\n{} pairs in batches of 32\n", pairs.size());
  for (const auto [S, T] : bounds) {
    Index inside = 0;
    for (const Batch& batch : buckets) inside += batch.source.shape[1] == S ? std::ssize(batch.lengths) : 0;
    fmt::print("  bucket ({}, {}): {} pairs\n", S, T, inside);
  }
  fmt::print("  {:13}  batches  PAD of source  of target  mass, zeroed  mean loss  a pass\n", "");
  std::vector<BatchesPanel> panels{print_way("one rectangle", model, make_batches(pairs, 32, longest)),
                                   print_way("as they come", model, make_batches(pairs)),
                                   print_way("buckets", model, buckets)};
  std::ranges::stable_sort(pairs, {}, [](auto& p) { return std::pair(p.source.size(), p.target.size()); });
  panels.push_back(print_way("sorted", model, make_batches(pairs)));
  write_png(path, draw_batches("Words and padding: a line for each sentence", panels));
}
// [/ways]

// [plant]
struct Patient {
  Translator model;
  Batch batch;
  Reading reading = Reading::lengths;
};

Patient plant(const std::string& fault, const Translator& model, Pairs pairs) {
  if (!fault.empty() && fault != "mask" && fault != "shift" && fault != "scale")
    throw UsageError(fmt::format("--break: \"{}\" is not mask, shift or scale", fault));
  Patient patient{model, make_batch(pairs)};
  if (fault == "mask") patient.reading = Reading::zeroed;              // PAD takes part in the softmax
  if (fault == "shift") patient.batch.inputs = patient.batch.targets;  // step t reads the word it is to write
  const Tensor v = model.params().find("decoder.attn0.v");             // e = v . tanh(W1 s + W2 h)
  if (fault == "scale") std::ranges::copy((100 * v).values(), v.write());
  return patient;
}
// [/plant]

// Trains, and prints the numbers of the patient before, early and after.
void examine(const std::string& name, const Patient& p, Pairs pairs, int epochs) {
  const auto look = [&](int step) {
    const Stage stage = step == epochs ? Stage::after : step ? Stage::during : Stage::before;
    if (step == 0 || step == 40 || step == epochs)
      print_checkup(fmt::format("step {}", step), stage, check_up(p.model, pairs, p.batch, p.reading));
  };
  print_checkup_head(name);
  look(0);
  learn(p.model, p.batch, p.reading, epochs, look);
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.epochs = 150, .out = "out/10", .data = "grammar"};
  std::string fault;
  Chapter chapter("10_padding", "what padding does to attention, what buckets save and what a mask cures");
  chapter.takes(options, {"--seed", "--epochs", "--threads", "--out", "--data", "--quick"});
  chapter.takes("--break", fault, "mask, shift or scale: examine a model with this fault, and nothing else");
  return chapter.run(argc, argv, [&] {
    const Corpus toy = read_corpus(find_corpus("toy"));
    const auto make = [&] { return make_model(toy, options.seed); };
    const Translator untrained = make();
    const std::vector<IdPair> pairs = untrained.ids(toy.pairs);
    if (!fault.empty())
      return examine(fault, plant(fault, make(), pairs), pairs, options.epochs), print_bounds();
    Corpus corpus = read_corpus(find_corpus(options.data));
    print_example();
    const Models trained{make(), make(), make(), make()};
    for (int k = 0; k < 4; ++k) learn(trained[k], make_batch(pairs), readings[k].second, options.epochs);
    print_table("before training", {untrained}, pairs, 10, Stage::before);
    for (const Index S : {10, 25})
      print_table("trained with a mask, then read", {trained[3]}, pairs, S, Stage::during);
    for (const Index S : {10, 25}) print_table("trained as it is read", trained, pairs, S, Stage::during);
    draw_mass(untrained, trained, pairs, options.out + "/10-mass.png");
    corpus.pairs.resize(std::min<std::size_t>(corpus.pairs.size(), options.quick ? 300 : 3000));
    print_ways(make_model(corpus, options.seed, {64, 64, 64}), corpus.pairs, options.out + "/10-batches.png");
    fmt::print("\nFour models, three of them with a fault\n"), print_bounds();
    for (const auto& [name, f] :
         {std::pair("healthy", ""), {"patient A", "scale"}, {"patient B", "mask"}, {"patient C", "shift"}})
      examine(name, plant(f, make(), pairs), pairs, options.epochs);
  });
}
