// The encoder: an embedding, then a GRU or LSTM over true lengths. What its states hold, and what they lose.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "attention/draw/line_plot.hpp"
#include "attention/draw/png.hpp"
#include "examples/kit/by_hand.hpp"
#include "examples/kit/figures/states.hpp"
#include "examples/kit/replace.hpp"
#include "examples/kit/text/corpus.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/text/text.hpp"
#include "nn/embedding.hpp"
#include "nn/lstm.hpp"

using namespace lookback;

namespace {

constexpr Index E = 6, H = 8;
using Lengths = std::vector<Index>;

std::string shape(const Tensor& x) { return to_string(x.shape()); }
std::vector<float> list(const Tensor& x) { return {x.values().begin(), x.values().end()}; }

Real distance(const Tensor& a, const Tensor& b) {
  const Tensor d = a - b;
  return std::sqrt(sum(d * d).item());
}

// Sentence b without its padding: [B, S, E] -> [1, n, E]
Tensor only(const Tensor& x, Index b, Index n) { return slice(slice(x, 0, b, b + 1), 1, 0, n); }

// PAD's embedding is 0: [B, S, E] -> [B, S + n, E]
Tensor more_padding(const Tensor& x, Index n) {
  return concat(std::array{x, Tensor({x.shape()[0], n, E})}, 1);
}

// On weights rounded to a tenth, so that all numbers can be shown as they are.
void print_step(const Params& params) {
  const GRUCell cell(params["cell"], 2, 2);
  for (const Param& w : params.all())
    for (Real& v : std::span(w.value.write(), w.value.size())) v = std::round(10 * v) / 10 + 0;  // never -0
  const Tensor x({1, 2}, {1, 0.5}), h({1, 2}, {0.6, 0.2});
  const ByHand step = gru_by_hand(cell, x, h);
  fmt::print(
      "One step of a GRU: x = (1, 0.5), h = (0.6, 0.2)\n  {}\n  h' by hand ({:.6f}), by GRUCell ({:.6f})\n",
      fmt::join(step.lines, "\n  "), fmt::join(step.h, ", "), fmt::join(cell(x, h).values(), ", "));
}

// [ends]
void print_ends(const GRU& gru, const Tensor& x, const Lengths& n) {
  const Tensor wide = more_padding(x, 3);
  const States states = gru(x, n), wider = gru(wide, n), read = gru(wide, Lengths(n.size(), wide.shape()[1]));
  fmt::print(
      "\nHow far the last state is from\n  sentence  tokens  h_n       3 PAD more  alone     PAD read\n");
  for (Index b = 0; b < std::ssize(n); ++b) {
    const Tensor last = states.last.select(b), h_n = states.h.select(b).select(n[b] - 1);
    const States alone = gru(only(x, b, n[b]), Lengths{n[b]});
    fmt::print("  {:8}  {:6}  {:.6f}  {:.6f}    {:.6f}  {:.6f}\n", b + 1, n[b], distance(last, h_n),
               distance(last, wider.last.select(b)), distance(last, alone.last.select(0)),
               distance(last, read.last.select(b)));
  }
}
// [/ends]

// [cut]
// The last state of x [1, S, E] when the run ends before the last word and another begins from what it is handed.
Tensor in_two(const Recurrent& rnn, const Tensor& x, bool hand_c) {
  const Index S = x.shape()[1];
  CellState state = rnn(slice(x, 1, 0, S - 1), Lengths{S - 1}).final[0];
  if (!hand_c && state.c.defined()) state.c = Tensor(state.c.shape());
  return rnn(slice(x, 1, S - 1, S), Lengths{1}, {&state, 1}).last;
}
// [/cut]

void print_cut(const GRU& gru, const LSTM& lstm, const Tensor& x) {
  const Lengths n{x.shape()[1]};
  const CellState state = lstm(x, n).final[0];
  fmt::print("\nLSTM: h {}, c {}. How far h_S moves when the run is cut before the last word\n",
             shape(state.h), shape(state.c));
  fmt::print("  handed on  GRU       LSTM\n");
  for (const bool c : {true, false})
    fmt::print("  {:9}  {:.6f}  {:.6f}\n", c ? "h and c" : "h", distance(in_two(gru, x, c), gru(x, n).last),
               distance(in_two(lstm, x, c), state.h));
}

template <class Network>
void print_shapes(const char* name, const Tensor& x, const Lengths& n, RecurrentOptions form = {}) {
  const Params params(0);
  const States states = Network(params, E, H, form)(x, n);
  fmt::print("  {:28}  {:11}  {:7}  {:5}  {:10}\n", name, shape(states.h), shape(states.last),
             states.final.size(), params.count());
}

// [memory]
// How far the end states of both directions and of an LSTM move when word i is another one, i = 1 .. S.
std::vector<Line> print_memory(const Embedding& embed, const GRU& both, const LSTM& lstm,
                               const std::vector<std::int32_t>& sentence, const Vocabulary& vocabulary) {
  fmt::print("\nHow far states move, in the mean, when word i of the last sentence is another one\n");
  fmt::print("                  forward S  backward 1     LSTM S  forward 1  backward S\n");
  std::vector<Line> lines{{"GRU, forward", {}, {}}, {"GRU, backward", {}, {}}, {"LSTM, forward", {}, {}}};
  for (Index i = 0; i < std::ssize(sentence); ++i) {
    const Batch batch = replace_word(sentence, i, std::ssize(vocabulary.words()));
    const Tensor x = embed(batch.source);                                               // [1 + R, S, E]
    const Tensor h = both(x, batch.lengths).h;                                          // [1 + R, S, 2H]
    const Tensor h_1 = select(h, 1, 0), h_S = select(h, 1, batch.source.shape[1] - 1);  // [1 + R, 2H]
    const Real moves[] = {mean_move(slice(h_S, -1, 0, H)), mean_move(slice(h_1, -1, H, 2 * H)),
                          mean_move(lstm(x, batch.lengths).last), mean_move(slice(h_1, -1, 0, H)),
                          mean_move(slice(h_S, -1, H, 2 * H))};
    fmt::print("  {:2}  {:10}  {:9.6f}\n", i + 1, vocabulary.word(sentence[i]), fmt::join(moves, "   "));
    for (const int k : {0, 1, 2}) lines[k].x.push_back(i + 1), lines[k].y.push_back(moves[k]);
  }
  return lines;
}
// [/memory]

// A sentence and 4 PAD: over its true length, over all columns, and backward.
Image draw(const GRU& both, const Tensor& x, StateFigure figure) {
  const Index n = x.shape()[1];
  const Tensor wide = more_padding(x, 4);
  const States right = both(wide, Lengths{n}), wrong = both(wide, Lengths{n + 4});
  const auto add = [&](const char* name, const char* note, const States& states, Index steps, Index from) {
    figure.panels.push_back({name, note, list(slice(states.h, -1, from, from + H)),
                             list(slice(states.last, -1, from, from + H)), steps, from > 0});
  };
  add("forward", "over the true length", right, n, 0);
  add("forward", "padding read as words", wrong, n + 4, 0);
  add("backward", "from its own last word", right, n, H);
  return draw_states(figure);
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.out = "out/06"};
  std::vector<std::string> own;
  Chapter chapter("06_encoder", "an encoder's states: what they hold and what they lose");
  chapter.takes(options, {"--seed", "--data", "--out", "--quick"});
  chapter.takes("--sentence", own, "your own sentences: the first is drawn, in the last words are replaced");
  return chapter.run(argc, argv, [&] {
    if (own.empty()) own = {"I like my red car.", "I live in a small house with a garden."};
    const Vocabulary vocabulary(sources(read_corpus(find_corpus(options.data)).pairs));
    std::vector<IdPair> sentences;  // the targets are not used
    for (const std::string& text : own) {
      const std::vector<std::int32_t> ids = vocabulary.ids(tokenize(text));
      if (ids.empty()) throw UsageError("--sentence: there is no word in it");
      sentences.push_back({ids, ids});
    }
    const Batch batch = make_batch(sentences);
    print_step(Params(options.seed));

    // [encode]
    const Params params(options.seed);
    Embedding embed(params["embedding"], std::ssize(vocabulary.words()), E);
    embed.weight = 10 * embed.weight;  // N(0, 1), so that words differ before any training
    const GRU gru(params["gru"], E, H);
    const Tensor x = embed(batch.source);         // [B, S] -> [B, S, E]
    const States states = gru(x, batch.lengths);  // h [B, S, H], last [B, H]
    // [/encode]
    fmt::print("\nSentences: {}\n", fmt::join(own, " "));
    fmt::print("ids [B, S] {}, x [B, S, E] {}\n", to_string(batch.source.shape), shape(x));
    fmt::print("h [B, S, H] {}, last [B, H] {}\n", shape(states.h), shape(states.last));
    print_ends(gru, x, batch.lengths);
    const LSTM lstm(params["lstm"], E, H);
    print_cut(gru, lstm, only(x, x.shape()[0] - 1, batch.lengths.back()));

    fmt::print("\nNetwork                         h            last     final  parameters\n");
    print_shapes<GRU>("GRU", x, batch.lengths);
    print_shapes<LSTM>("LSTM", x, batch.lengths);
    print_shapes<GRU>("GRU, 2 layers", x, batch.lengths, {.layers = 2});
    print_shapes<GRU>("GRU, bidirectional", x, batch.lengths, {.bidirectional = true});
    print_shapes<GRU>("GRU, 2 layers, bidirectional", x, batch.lengths, {.layers = 2, .bidirectional = true});

    // [both]
    const GRU both(Params(options.seed)["gru"], E, H, {.bidirectional = true});  // its forward half is gru
    const States two = both(x, batch.lengths);                                   // h [B, S, 2H], last [B, 2H]
    // [/both]
    fmt::print("  forward half, from the GRU's h: {:.6f}\n", distance(slice(two.h, -1, 0, H), states.h));
    LinePlot plot{"What was read early is forgotten", "i, the word that is replaced", "mean distance", {}};
    plot.lines = print_memory(embed, both, lstm, sentences.back().source, vocabulary);
    plot.log_y = true;
    write_png(options.out + "/06-memory.png", draw_line_plot(plot));
    write_png(options.out + "/06-states.png", draw(both, only(x, 0, batch.lengths[0]), {tokenize(own[0])}));
  });
}
