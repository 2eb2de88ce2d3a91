// Sampled softmax: a loss over the right word and a few others in the place of the whole vocabulary. What it
// leaves out, what it saves, and what a model learns from it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "attention/draw/png.hpp"
#include "core/tape.hpp"
#include "examples/kit/figures/sampled_words.hpp"
#include "examples/kit/learning_curve.hpp"
#include "examples/kit/sampled_loss.hpp"
#include "examples/kit/sampled_readout.hpp"
#include "examples/kit/text/options.hpp"
#include "nn/loss.hpp"

using namespace lookback;

namespace {

using Numbers = std::vector<Index>;  // of words drawn

void add(Line& line, Index x, double y) {
  line.x.push_back(static_cast<float>(x)), line.y.push_back(static_cast<float>(y));
}

// [by_hand]
void print_by_hand(const std::string& out) {
  constexpr Index n = 4, V = 8;
  const char* words[] = {"de", "la", "el", "casa", "gato", "pan", "flor", "sol"};
  const Tensor x({1, 2}, {0.9f, 0.2f}), W({V, 2}, {1, 0, 0, 1, 1, 1, 2, 1, 1, 2, -1, 0, 0, -1, 2, -1});
  const ReadoutTask task{{W, Tensor({V})}, x, Ids(Shape{1}, 3)};  // no bias; casa is to be said
  const Tensor o = task.readout(x);                               // [1, V]
  Random random(4);
  const Sampled s = sample_log_uniform(task.labels, n, V, random);
  std::vector<SampledWord> all;
  for (Index k = 0; k < V; ++k) {
    const double P = log_uniform(k, V), Q = 1 - std::pow(1 - P, s.draws);
    all.push_back({words[k], P, Q, o.at({0, k}), k == 3, std::ranges::count(s.words.values, k) > 0});
  }
  fmt::print("V = {}, {} draws until {} words differed\n{}", V, s.draws, n, list_sampled(all));
  for (const SampledRule& rule : sampled_rules) {
    Random again(4);  // the same draws
    fmt::print("  by the library, {:16}{:.4f}\n", rule.name, sampled(rule, task, n, again).item());
  }
  fmt::print("  full softmax, all {} words       {:.4f}\n", V, cross_entropy(o, task.labels).item());
  // [half]
  const double P = log_uniform(99'999, 100'000), half = std::round((1 - P) * 2048) / 2048;  // 11 bits
  fmt::print("  the rarest of 100000 words, after 64 draws: ln Q = {:.3f}; with 1 - P as a half {}\n",
             std::log(1 - std::pow(1 - P, 64)), std::log(1 - std::pow(half, 64)));
  // [/half]
  write_png(out + "/09-by-hand.png", draw_sampled(all));
}
// [/by_hand]

void print_bias(std::uint64_t seed, int draws, const std::string& out) {
  constexpr Index N = 64, H = 32, V = 1024;
  const ReadoutTask task = readout_task(N, H, V, Params(seed));
  // [mean]
  const auto mean_of = [&](int times, const auto& loss) {  // and of its gradient dL/dW [V, H]
    double total = 0;
    for (int k = 0; k < times; ++k) {
      Tape tape;
      const Tensor l = loss();
      tape.backward(l);  // adds to the gradients of those before
      total += l.item();
    }
    const Tensor gradient = task.readout.weight.grad_tensor() / static_cast<Real>(times);
    task.readout.weight.drop_grad();
    return std::pair(total / times, gradient);
  };
  // [/mean]
  const auto norm = [](const Tensor& g) { return sqrt(sum(g * g)).item(); };
  const auto full = mean_of(1, [&] { return cross_entropy(task.readout(task.x), task.labels); });
  fmt::print("\nRandom weights, V = {}, full loss {:.3f}; {} draws: mean loss (gradient off by)\n  samples",
             V, full.first, draws);
  LinePlot plot{"What a sampled loss is, on average", "samples", "loss", {}, {}, true};
  for (const std::size_t k : {0, 1, 2}) plot.lines.push_back({sampled_rules[k].name, {}, {}});
  for (const Line& line : plot.lines) fmt::print("  {:>13}", line.name);
  for (Index n = 8; n <= V; n *= 2) {
    fmt::print("\n  {:7}", n);
    for (const std::size_t k : {0, 1, 2}) {
      Random random = Random::named(seed, "samples");
      const auto mean = mean_of(draws, [&] { return sampled(sampled_rules[k], task, n, random); });
      fmt::print("  {:.3f} ({:.3f})", mean.first, norm(mean.second - full.second) / norm(full.second));
      add(plot.lines[k], n, mean.first);
    }
  }
  plot.lines.push_back({"full softmax", {8}, {static_cast<float>(full.first)}, true});
  write_png(out + "/09-bias.png", draw_line_plot(plot));
}

void print_learned(std::uint64_t seed, int steps) {
  constexpr Index V = 1024, n = 32;
  fmt::print("\n\nHow frequent are {} words? Learned from {} samples a step, {} steps\n", V, n, steps);
  fmt::print("                  loss  p of word 0  of word 10  of word 100\n");
  const auto row = [](const char* name, const auto& p) {
    double loss = 0;
    for (Index k = 0; k < V; ++k) loss -= log_uniform(k, V) * std::log(p(k));
    fmt::print("  {:13}  {:5.2f}  {:11.3f}  {:10.4f}  {:11.5f}\n", name, loss, p(0), p(10), p(100));
  };
  row("the truth", [](Index k) { return log_uniform(k, V); });
  for (const SampledRule& rule : sampled_rules) {
    const Tensor log_p = learn_frequencies(rule, n, V, steps, seed);
    row(rule.name, [&](Index k) { return std::exp(log_p.at({k})); });
  }
}

void print_time(const Options& options) {
  constexpr Index N = 256, H = 128;
  fmt::print("\nA training step of the readout, {} labels, H = {}; times in ms\n", N, H);
  fmt::print("       V  loss          multiply-adds  loss, gradients     Adam     step  full / this\n");
  LinePlot plot{"A training step", "V", "million multiply-adds", std::vector<Line>(4), {}, true, true};
  for (const Index V : {1'000, 10'000, 100'000}) {
    if (options.quick && V > 10'000) break;
    std::size_t k = 0;
    double full = 0;
    for (const Index n : {0, 512, 64}) {
      const StepCost cost = step_cost(N, H, V, n, options.seed);
      const double step = cost.loss_ms + cost.adam_ms;
      if (!n) full = step;
      Line& line = plot.lines[k++];
      line.name = n ? fmt::format("{} samples", n) : "full softmax";
      fmt::print("  {:6}  {:12}  {:13}  ~{:14.2f}  ~{:6.2f}  ~{:6.2f}  ~{:10.1f}\n", V, line.name,
                 cost.multiply_adds, cost.loss_ms, cost.adam_ms, step, full / step);
      add(line, V, cost.multiply_adds / 1e6);
    }
    add(plot.lines[k], V, static_cast<double>(V * (H + 1)) / 1e6);
  }
  plot.lines[3].name = "weights Adam walks";
  write_png(options.out + "/09-cost.png", draw_line_plot(plot));
}

void print_translations(const Options& options, const Corpus& corpus, Index V, const Numbers& numbers) {
  LinePlot plot{"Learning 20 pairs", "epoch", "exact translations", {}};
  fmt::print("\nChapter 08's model, V = {}, {} epochs; it writes by the full softmax\n", V, options.epochs);
  for (const Index n : numbers) {
    // [translate]
    Random random = Random::named(options.seed, "samples");
    const auto loss = [&](const Translator& model, const Batch& batch) {
      if (n == 0) return model.loss(batch);
      return sampled_loss(model, batch, sample_log_uniform(batch.targets, n, V, random));
    };
    Line line = learning_curve(corpus, {}, options.seed, options.epochs, loss);
    // [/translate]
    line.name = n ? fmt::format("{} samples", n) : "full";
    const char* measured = line.y.back() == 20 ? "" : "~";
    fmt::print("  {:10}  20/20 at ~{:4}  at last {}{}/20\n", line.name, first_at(line, 20), measured,
               line.y.back());
    plot.lines.push_back(std::move(line));
  }
  write_png(options.out + "/09-steps.png", draw_line_plot(plot));
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.epochs = 300, .out = "out/09"};
  int samples = 0;
  Chapter chapter("09_sampled_softmax", "a loss over a few words against the loss over the vocabulary");
  chapter.takes(options, {"--seed", "--epochs", "--threads", "--out", "--quick"});
  chapter.takes("--samples", samples, "for the translator, not 8, 32 and 64", 1, 1'000'000);
  return chapter.run(argc, argv, [&] {
    const Corpus corpus = read_corpus(find_corpus(options.data));
    const Index V = Vocabulary(targets(corpus.pairs)).size();
    if (samples > V) throw UsageError(fmt::format("--samples: {} of a vocabulary of {} words", samples, V));
    print_by_hand(options.out);
    print_bias(options.seed, options.quick ? 50 : 400, options.out);
    print_learned(options.seed, options.quick ? 500 : 2000);
    print_time(options);
    print_translations(options, corpus, V, samples ? Numbers{0, samples} : Numbers{0, 8, 32, 64});
  });
}
