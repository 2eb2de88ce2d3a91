// Weights are not explanations: how far the output moves when they are shuffled, made even or put elsewhere; a model
// that learns without them; and gradients, which need not agree.
#include <fmt/format.h>

#include <algorithm>

#include "attention/draw/png.hpp"
#include "examples/kit/alignments.hpp"
#include "examples/kit/figures/moves.hpp"
#include "examples/kit/interventions.hpp"
#include "examples/kit/padding.hpp"
#include "examples/kit/train.hpp"

using namespace lookback;

namespace {

using Pairs = std::vector<SentencePair>;
using Places = std::vector<Index>;

// [even]
struct Even : Score {  // every score is 0, every weight 1/n
  Even(const Params&, const Sizes&) {}
  Tensor scores(const Tensor& s, const Tensor& keys) const override {
    return Tensor({s.shape()[0], s.shape()[1], keys.shape()[1]});
  }
};
SCORE(even, Even)
// [/even]

struct Task {
  const char* name;
  Pairs asked;
  Translator model, even;  // trained alike, but for the score
  Batch batch;             // of what is asked
  Steps steps;             // of the model
  Tensor p;                // its output [B, T, V]

  Places links(Index b, Index t) const {  // source words that the target word says; EOS says none
    Places places;
    for (const Link& link : asked[b].links)
      if (link.target == t) places.push_back(link.source);
    return places;
  }
};

// [learn]
Task learn(const char* name, const Options& options, int epochs, const Pairs& pairs, const Pairs& asked) {
  const auto trained = [&](const std::string& score) {
    const Vocabulary source(sources(pairs)), target(targets(pairs));
    const Translator model(Params(options.seed), source, target, {.score = score}, {32, 48, 48});
    train(model.params(), make_batches(model.ids(pairs)), [&](const Batch& b) { return model.loss(b); },
          {.title = name, .epochs = epochs, .decay = Decay::linear});
    return model;
  };
  const Translator model = trained(options.score);
  const Batch batch = make_batch(model.ids(asked));
  const Steps steps = steps_of(model, batch);
  return {name, asked, model, trained("even"), batch, steps, output_with(model, steps, steps.weights)};
}
// [/learn]

Pairs copies(int count, Random random) {  // of 15 random letters
  Pairs pairs(count);
  for (SentencePair& pair : pairs) {
    for (int i = 0; i < 15; ++i) {
      pair.source.emplace_back(1, static_cast<char>('a' + random.below(26)));
      pair.links.push_back({i, i});
    }
    pair.target = pair.source;
  }
  return pairs;
}

Pairs short_ones(Pairs pairs) {  // of at most 7 English words
  std::erase_if(pairs, [](const SentencePair& pair) { return pair.source.size() > 7; });
  return pairs;
}

// [changes]
std::vector<std::pair<const char*, Visit>> changes(const Task& task, Random& random) {
  return {{"as they are", [](Row, Index, Index) {}},
          {"shuffled", [&](Row row, Index, Index) { random.shuffle(row); }},
          {"even", [](Row row, Index, Index) { std::ranges::fill(row, Real{1} / row.size()); }},
          {"all on the largest", [](Row row, Index, Index) { put(row, Places{largest(row)}); }},
          {"none on the largest", [](Row row, Index, Index) { drop(row, largest(row)); }},
          {"all on its links", [&](Row row, Index b, Index t) { put(row, task.links(b, t)); }},
          {"all on another word",
           [&](Row row, Index b, Index t) { put(row, Places{other(row, task.links(b, t), random)}); }}};
}
// [/changes]

// [print_changes]
void print_changes(const Task& task, Random random) {
  const auto print = [&](const char* what, const Tensor& q) {
    fmt::print("  {:30} ~{:.3f}  ~{:.3f}\n", what, mean_over_tokens(total_variation(task.p, q), task.batch),
               share_right(q, task.batch));
  };
  for (const auto& [what, change] : changes(task, random))
    print(what, output_after(task.model, task.steps, task.batch, change));
  print("even, and learned so",
        softmax(task.even.decoder().teach(task.even.read(task.batch), task.batch.inputs).logits));
}
// [/print_changes]

// [shuffles]
Moves shuffles(const Task& task, Random random) {
  const Visit shuffle = [&](Row row, Index, Index) { random.shuffle(row); };
  Tensor sum(task.batch.targets.shape);
  for (int k = 0; k < 10; ++k)
    sum = sum + total_variation(task.p, output_after(task.model, task.steps, task.batch, shuffle));
  Moves moves{task.name};
  each_row(task.steps.weights, task.batch, [&](Row row, Index b, Index t) {
    moves.add(row, sum.at({b, t}) / 10);
  });
  return moves;
}
// [/shuffles]

// [agreement]
void print_agreement(const Task& task) {
  const Tensor gradients = word_gradients(task.model, task.batch);
  const Tensor shares = word_shares(task.model, task.batch);
  double tau = 0, tokens = 0, weight = 0, gradient = 0, linked = 0, own = 0, words = 0;
  each_row(task.steps.weights, task.batch, [&](Row alpha, Index b, Index t) {
    const auto g = gradients.select(b).select(t).values().first(alpha.size());
    const Places links = task.links(b, t);
    ++tokens, tau += kendall_tau(alpha, g);
    linked += !links.empty(), weight += std::ranges::count(links, largest(alpha));
    gradient += std::ranges::count(links, largest(g));
  });
  for (Index b = 0; b < std::ssize(task.asked); ++b)
    for (Index i = 0; i < task.batch.lengths[b]; ++i) ++words, own += shares.at({b, i, i});
  fmt::print(
      "  weights and gradients: tau ~{:.2f}; largest at a link ~{:.2f}, ~{:.2f}; word i in h_i ~{:.2f}\n",
      tau / tokens, weight / linked, gradient / linked, own / words);
}
// [/agreement]

// [where]
Where where_else(const Task& task, Index b) {
  std::vector<Tensor> kept;  // [T] of each place
  for (Index i = 0; i < task.batch.lengths[b]; ++i) {
    const Visit here = [i](Row row, Index, Index) { put(row, Places{std::min(i, std::ssize(row) - 1)}); };
    const Tensor q = output_after(task.model, task.steps, task.batch, here);
    kept.push_back(Tensor({1}, 1) - total_variation(task.p, q).select(b));
  }
  Heatmap weights = heatmap(forced_alignment(task.model, {&task.asked[b], 1}), 0);
  weights.title = fmt::format("{}: weights", task.name);
  const Tensor all = stack(kept, 1);  // [T, S], with rows past the sentence's end
  return {weights, {all.data(), all.data() + weights.weights.size()}};
}
// [/where]

}  // namespace

int main(int argc, char** argv) {
  Options options{.epochs = 20, .out = "out/14"};
  Chapter chapter("14_not_explanation", "changes attention's weights and looks how far the output moves");
  chapter.takes(options, {"--score", "--seed", "--epochs", "--threads", "--out", "--quick"});
  return chapter.run(argc, argv, [&] {
    if (options.score == "none") throw UsageError("--score: none has no weights that could be changed");
    if (options.quick && !chapter.given("--epochs")) options.epochs = 2;
    const auto random = [&](const char* name) { return Random::named(options.seed, name); };
    const CorpusParts grammar = read_parts("grammar");
    const Pairs train = short_ones(grammar.train), twenty(train.begin(), train.begin() + 20);
    std::vector<Moves> moves;
    std::vector<Where> where;
    for (const Task& task :
         {learn("copy", options, options.epochs, copies(4800, random("train")), copies(50, random("test"))),
          learn("grammar", options, options.epochs, train, short_ones(grammar.test)),
          learn("twenty", options, 300, twenty, twenty)}) {
      fmt::print("{}: {} tokens in {} sentences, entropy of the weights ~{:.2f}; moved, right\n", task.name,
                 task.batch.tokens, task.asked.size(), entropy_share(task.steps.weights, task.batch));
      print_changes(task, random("changes"));
      moves.push_back(shuffles(task, random("shuffles")));
      fmt::print("{}", list_moves(moves.back()));
      print_agreement(task);
      where.push_back(where_else(task, 3));
    }
    write_png(options.out + "/14-moves.png", draw_moves(moves));
    write_png(options.out + "/14-where.png", draw_where(std::span(where).last(2)));
  });
}
