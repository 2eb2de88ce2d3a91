// A score function of the reader's own, tests/consumer/mlp.cpp, which is no part of the library: shapes, numbers by
// hand, 20 translations, what is said when it is wrong. Last, a score inside one sequence: attend(h, h).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "attention/draw/png.hpp"
#include "attention/multi_head.hpp"
#include "examples/kit/alignments.hpp"
#include "examples/kit/claims.hpp"
#include "examples/kit/evaluate.hpp"
#include "examples/kit/inside.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/worked_example.hpp"

using namespace lookback;

namespace {

constexpr HeatmapOptions side_by_side{.cell = 40, .font = 15, .bar = false};

std::string show(const Tensor& x) { return fmt::format("{:8.6f}", fmt::join(x.values(), " ")); }

// [shapes]
void print_shapes() {
  const Shapes see({{'B', 2}, {'T', 3}, {'S', 4}, {'H', 5}, {'K', 7}, {'A', 6}});
  const Params params(1);
  const std::shared_ptr<const Score> mlp = make_score("mlp", params, {.query = 5, .key = 7, .hidden = 6});
  see("W1", "[A, H+K]", params.find("W1"));
  see("W2", "[A, A]", params.find("W2"));
  see("v", "[1, A]", params.find("v"));
  const Tensor s(see("[B, T, H]"), 1), h(see("[B, S, K]"), 1);
  const Tensor keys = see("keys(h), once a sentence", "[B, S, A]", mlp->keys(h));
  see("scores(s, keys)", "[B, T, S]", mlp->scores(s, keys));
}
// [/shapes]

void print_example() {
  // [example]
  const Tensor h = example_h(), s = example_s();  // [1, 3, 2], [1, 2]
  const Params params(1);
  const Attention mlp(params, "mlp", {.query = 2, .key = 2, .hidden = 2}),
      additive = example_score("additive", Params(1));
  const auto set = [&](const char* name, std::vector<Real> values) {
    std::copy(values.begin(), values.end(), params.find(name).write());
  };
  set("W1", {1, 0, 1, 0, 0, 1, 0, 1}), set("W2", {1, 1, 1, -1}), set("v", {1, 1});
  // [/example]
  fmt::print("\nBy hand: s = (0.9, 0.2), W1 = [I I], W2 = (1, 1; 1, -1), v = (1, 1)\n");
  fmt::print("  i  s + h_i       u = tanh(s + h_i)     W2 u                  e_i = the sum of their tanh\n");
  std::vector<Real> e;
  for (Index i = 0; i < 3; ++i) {
    const Real x = s.at({0, 0}) + h.at({0, i, 0}), y = s.at({0, 1}) + h.at({0, i, 1});
    const Real a = std::tanh(x) + std::tanh(y), b = std::tanh(x) - std::tanh(y);
    e.push_back(std::tanh(a) + std::tanh(b));
    fmt::print("  {}  ({:.1f}, {:.1f})    ({:.6f}, {:.6f})  ({:.6f}, {:9.6f})  {:.6f}\n", i + 1, x, y,
               std::tanh(x), std::tanh(y), a, b, e.back());
  }
  const auto row = [](const char* name, const Attended& a) {
    fmt::print("  {:8}  e {}  alpha {}  c {}\n", name, show(a.scores), show(a.weights), show(a.context));
  };
  row("mlp", mlp(s, mlp.read(h))), row("additive", additive(s, additive.read(h)));
  print_equal("e by the library, and by hand", mlp(s, mlp.read(h)).scores, Tensor({1, 3}, e));
}

// [train]
Translator learn(const std::string& score, const Options& options, std::span<const SentencePair> pairs) {
  const Translator model(Params(options.seed), Vocabulary(sources(pairs)), Vocabulary(targets(pairs)),
                         {.score = score});
  const auto loss = [&](const Batch& batch) { return model.loss(batch); };
  const History history =
      train(model.params(), make_batches(model.ids(pairs)), loss, {.title = score, .epochs = options.epochs});
  fmt::print("  {:10}", score);
  for (std::size_t epoch = 0; epoch < std::min(history.loss.size(), std::size_t{20}); epoch += 5)
    fmt::print("  {:.2g}", history.loss[epoch]);
  fmt::print("   exact: {}/{}\n", evaluate(model, pairs).exact, pairs.size());
  return model;
}
// [/train]

// [heads]
void print_heads(const Tensor& h) {
  const Index H = h.cols();
  const Params params(1);
  const MultiHead heads(params, H, 1);  // one head, biases 0, and W_q = W_k = W_v = W_o = I
  for (const char* name : {"in_proj_weight", "out_proj.weight"})
    for (Index k = 0; k < params.find(name).size(); ++k) params.find(name).write()[k] = k / H % H == k % H;
  const Attention scaled(Params(1), "scaled_dot", {.query = H, .key = H});
  print_equal("MultiHead with identity matrices, and scaled_dot", heads.self(h).output,
              scaled(h, scaled.read(h)).context);
}
// [/heads]

void print_inside(const Translator& model, const std::string& score, const Tokens& words,
                  const std::string& out) {
  // A batch wants a target; this one is not read.
  const Batch batch = make_batch(std::vector<IdPair>{{model.source().ids(words), {EOS}}});
  const Tensor h = model.encode(batch.source, batch.lengths).h;
  fmt::print("\nattend(h, h): {}\n", fmt::join(model.source().spelled(batch.source.values), " "));
  std::vector<Image> images;
  for (const std::string& name : std::set<std::string>{"dot", score}) {
    const Tensor alpha = look_inside(model, name, h).weights;
    const Heatmap map{words, words, {alpha.data(), alpha.data() + alpha.size()}, name, "asks", "is asked"};
    images.push_back(draw_heatmap(map, side_by_side));
  }
  write_png(out + "/15-inside.png", draw_sheet(images, 2));
  print_heads(h);
}

// [mistakes]
struct Transposed : Score {
  Tensor scores(const Tensor& s, const Tensor& h) const override { return matmul_nt(h, s); }
};
std::shared_ptr<const Score> transposed(Params, Sizes) { return std::make_shared<Transposed>(); }

std::shared_ptr<const Score> swapped(Params p, Sizes n) {  // gives h the half of W1 that is for s
  return make_score("mlp", p, {.query = n.key, .key = n.query, .hidden = n.hidden});
}
// [/mistakes]

void try_it(const char* mistake, const std::string& score, const Sizes& n) {
  fmt::print("  {}\n    ", mistake);
  try {
    const Attention attend(Params(1), score, n);
    attend(Tensor({1, 2, n.query}), attend.read(Tensor({1, 3, n.key})));
    fmt::print("no word\n");
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
  }
}

void print_mistakes() {
  constexpr Sizes square{.query = 4, .key = 4, .hidden = 3}, oblong{.query = 4, .key = 8, .hidden = 3};
  fmt::print("\nWhat is said to mistakes\n");
  try_it("no SCORE, or the file is not in the program", "trilinear", square);
  try_it("Sizes::hidden forgotten", "mlp", {.query = 4, .key = 4});
  try_it("keys that do not fit: query = 4, key = 8", "dot", oblong);
  register_score("transposed", transposed), register_score("swapped", swapped);
  try_it("s and h mixed up", "transposed", square);
  try_it("the halves of W1 mixed up: query = key = 4", "swapped", square);
  try_it("the same: query = 4, key = 8", "swapped", oblong);
  register_score("mlp", transposed);
  try_it("the name is taken", "mlp", square);
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.score = "mlp", .epochs = 300, .out = "out/15"};
  std::string sentence = "I love the white flowers in the garden.";
  Chapter chapter("15_your_score", "a score function of your own, from its formula to heatmaps");
  chapter.takes(options, {"--score", "--seed", "--epochs", "--threads", "--out", "--data", "--quick"});
  chapter.takes("--sentence", sentence, "the sentence whose states ask one another");
  return chapter.run(argc, argv, [&] {
    if (options.quick && !chapter.given("--epochs")) options.epochs = 150;
    const Tokens words = tokenize_all("--sentence", {&sentence, 1})[0];
    const Corpus corpus = read_corpus(find_corpus(options.data));
    const std::span<const SentencePair> pairs = corpus.pairs;
    const SentencePair& followed = pairs[std::min<std::size_t>(3, pairs.size() - 1)];
    // An unknown score is refused before anything is printed.
    make_score(options.score, Params(1), {.query = 2, .key = 2, .hidden = 2});
    fmt::print("known: {}\n\nmlp\n", fmt::join(score_names(), ", "));
    print_shapes();
    print_example();
    fmt::print("\n{} pairs: the loss in epochs 1, 6, 11, 16; translations word for word\n", pairs.size());
    const Translator own = learn(options.score, options, pairs), additive = learn("additive", options, pairs);
    std::vector<Image> beside;
    for (const Translator* model : {&own, &additive}) {
      Heatmap map = heatmap(forced_alignment(*model, {&followed, 1}), 0);
      map.title = model->decoder().options().score;
      beside.push_back(draw_heatmap(map, side_by_side));
    }
    write_png(options.out + "/15-beside.png", draw_sheet(beside, 2));
    print_inside(own, options.score, words, options.out);
    print_mistakes();
  });
}
