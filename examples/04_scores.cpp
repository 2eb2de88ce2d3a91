// The score functions of Note I side by side: what each says of the same three states, what it costs, and
// how soon a model learns with it. A score that is added appears by itself.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "attention/draw/png.hpp"
#include "examples/kit/figures/league.hpp"
#include "examples/kit/learning_curve.hpp"
#include "examples/kit/stopwatch.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/worked_example.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"

using namespace lookback;

namespace {

struct Entry {  // of the league: one registered score
  std::string name;
  Params params;
  Attention score;
  Attended attend(const Tensor& h = example_h()) const { return score(example_s(), score.read(h)); }
};

std::string show(const Tensor& x) { return fmt::format("{:8.6f}", fmt::join(x.values(), " ")); }

// Each number of variance 1.
Tensor noise(const char* name, Shape n, std::uint64_t seed) { return Params(seed).add(name, n, normal(1)); }

// [entropy]
Real entropy(const Attended& a) {  // -sum_i alpha_i ln alpha_i, the mean over the rows of a batch
  return -sum(a.weights * log_softmax(a.scores)).item() / static_cast<Real>(a.weights.rows());
}
// [/entropy]

// [cost]
double cost(const std::string& score) {  // ns of a step of one sentence: score, softmax, context
  constexpr Index B = 32, S = 20, H = 128;
  const Attention attend(Params(1), score, {.query = H, .key = H, .hidden = H});
  const Tensor s = noise("s", {B, H}, 1);
  const Keys keys = attend.read(noise("h", {B, S, H}, 1));  // once a sentence
  return nanoseconds([&] { attend(s, keys); }) / B;
}
// [/cost]

// [league]
void print_league(const std::vector<Entry>& entries, const std::vector<Line>& curves) {
  fmt::print("h_1 = (1, 0), h_2 = (0, 1), h_3 = (1, 1), s = (0.9, 0.2)\n\n");
  fmt::print("score       e_1      e_2      e_3       alpha_1  alpha_2  alpha_3   c                  ");
  fmt::print("entropy   params  ns a step  20/20 at\n");
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& entry = entries[k];
    const Attended a = entry.attend();
    const bool own = entry.params.count() > 0 && !has_example_parameters(entry.name);
    fmt::print("{:10}  {}  {}  {}  {:.6f}  {:6}  ~{:8.0f}  ~{:7}{}\n", entry.name, show(a.scores),
               show(a.weights), show(a.context), entropy(a), entry.params.count(), cost(entry.name),
               first_at(curves[k], 20), own ? "  with the parameters it starts with" : "");
  }
  fmt::print("none: the last state alone {:90}~{:7}\n", "", first_at(curves.back(), 20));
}
// [/league]

void print_length(const std::vector<Entry>& entries) {
  const Tensor longer({1, 3, 2}, {1, 0, 0, 1, 2, 2});
  fmt::print("\nWhat length does: h_3 twice as long; all three ten times as long\n");
  fmt::print("score       alpha_3   of 2 h_3  entropy   of 10 h\n");
  for (const Entry& entry : entries) {
    const Attended a = entry.attend(), b = entry.attend(longer), c = entry.attend(10 * example_h());
    fmt::print("{:10}  {:.6f}  {:.6f}  {:.6f}  {:.6f}\n", entry.name, a.weights.at({0, 2}),
               b.weights.at({0, 2}), entropy(a), entropy(c));
  }
}

// [projected]
void print_projected() {
  const Tensor h = example_h(), s = example_s();
  const Tensor Wq({2, 2}, {1, 2, 0, 1}), Wk({2, 2}, {1, 0, 1, 1}), W = matmul_tn(Wq, Wk);
  const Params params(1);
  const Attention dot = example_score("dot", params), general = example_score("general", params);
  std::copy_n(W.data(), W.size(), params.find("W").write());
  fmt::print("\nWq = (1, 2; 0, 1), Wk = (1, 0; 1, 1), W = Wq^T Wk = ({})\n", fmt::join(W.values(), ", "));
  fmt::print("dot of Wq s and Wk h_i  {}\n", show(dot(linear(s, Wq), dot.read(linear(h, Wk))).scores));
  fmt::print("general with W          {}\n", show(general(s, general.read(h)).scores));
}
// [/projected]

// [scaled]
void print_scaled(std::uint64_t seed) {
  fmt::print("\nRandom s and h_i, each number of variance 1; S = 10; means of 200 steps; ln 10 = 2.303\n");
  fmt::print("score         H  variance of e  entropy  largest alpha  sum_i d alpha_i/d e_i\n");
  for (const char* score : {"dot", "scaled_dot"})
    for (const Index size : {2, 8, 32, 128, 512}) {
      const Attention attend(Params(seed), score, {.query = size, .key = size});
      const Attended a =
          attend(noise("s", {200, size}, seed), attend.read(noise("h", {200, 10, size}, seed)));
      fmt::print("{:10}  {:3}  {:13.2f}  {:7.3f}  {:13.3f}  {:21.3f}\n", score, size,
                 mean(a.scores * a.scores).item(), entropy(a), mean(max(a.weights, -1)).item(),
                 10 * mean(a.weights - a.weights * a.weights).item());
    }
}
// [/scaled]

// [both]
void print_both_directions(const std::vector<Entry>& entries) {
  const Tensor both({1, 3, 4}, 1);  // a state of each direction, one after the other
  fmt::print("\nA bidirectional encoder: s has H = 2 numbers, h_i has 2H = 4\n");
  for (const Entry& entry : entries) try {
      const Params params(1);
      const Attention attend(params, entry.name, {.query = 2, .key = 4, .hidden = 2});
      const Tensor s = example_s(), sc[] = {s, attend(s, attend.read(both)).context};
      fmt::print("{:10}  [s; c] {}", entry.name, to_string(concat(sc, -1).shape()));
      for (const Param& p : params.all()) fmt::print("  {} {}", p.name, to_string(p.value.shape()));
      fmt::print("\n");
    } catch (const std::invalid_argument& error) {
      fmt::print("{}\n", error.what());
    }
}
// [/both]

// [around]
void print_around() {
  constexpr Index E = 24, H = 16, V = 92;  // of chapter 08
  const Params linear(1), gru(1);
  Linear(linear["s"], H, V, false), GRUCell(gru["y"], E, H);
  const Index W_o = linear.count(), cell = gru.count();
  Linear(linear["sc"], 2 * H, V, false), GRUCell(gru["yc"], E + H, H);
  fmt::print("\nWhatever the score, with E = {}, H = {}, V = {}:\n", E, H, V);
  fmt::print("W_o [s; c] for W_o s         {:4} more parameters: V H\n", linear.count() - 2 * W_o);
  fmt::print("GRU of [y; c] for GRU of y   {:4} more parameters: 3 H H\n", gru.count() - 2 * cell);
}
// [/around]

void draw(const std::vector<Entry>& entries, const std::vector<Line>& curves, const std::string& out) {
  League league{{{1, 0}, {0, 1}, {1, 1}}, {}};
  LinePlot lengths{"Longer states: a surer softmax", "h times", "entropy of alpha", {}, {}, true};
  for (const Entry& entry : entries) {
    const Attended a = entry.attend();
    const std::span alpha = a.weights.values(), c = a.context.values();
    league.rows.push_back({entry.name, {alpha.begin(), alpha.end()}, {c[0], c[1]}});
    Line line{entry.name, {}, {}};
    for (float times = 0.1f; times < 110; times *= std::pow(10.0f, 0.25f))
      line.x.push_back(times), line.y.push_back(entropy(entry.attend(times * example_h())));
    lengths.lines.push_back(line);
  }
  lengths.lines.push_back({"ln 3, the most", {1}, {std::log(3.0f)}, true});
  write_png(out + "/04-scores.png", draw_league(league));
  write_png(out + "/04-lengths.png", draw_line_plot(lengths));
  write_png(out + "/04-steps.png",
            draw_line_plot({"Learning 20 pairs", "step", "exact translations", curves}));
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.score = "", .out = "out/04"};
  Chapter chapter("04_scores", "every registered score function on the same states, and what it costs");
  chapter.takes(options, {"--score", "--seed", "--threads", "--out", "--quick"});
  return chapter.run(argc, argv, [&] {
    std::vector<Entry> entries;
    for (const std::string& name : chapter.given("--score") ? std::vector{options.score} : score_names()) {
      const Params params(options.seed);
      entries.push_back({name, params, example_score(name, params)});
    }
    const Corpus corpus = read_corpus(find_corpus(options.data));
    std::vector<Line> curves;
    const auto learn = [&](const std::string& score) {
      curves.push_back(learning_curve(corpus, {.score = score}, options.seed, options.quick ? 80 : 120));
    };
    for (const Entry& entry : entries) learn(entry.name);
    learn("none");
    print_league(entries, curves);
    print_length(entries);
    print_projected();
    print_scaled(options.seed);
    print_both_directions(entries);
    print_around();
    draw(entries, curves, options.out);
  });
}
