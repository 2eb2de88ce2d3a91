// From sentences to the numbers of a batch: tokens, ids, padding, decoder inputs, targets and their weights.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "attention/draw/png.hpp"
#include "examples/kit/batch.hpp"
#include "examples/kit/figures/pipeline.hpp"
#include "examples/kit/text/corpus.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/text/text.hpp"
#include "nn/loss.hpp"

using namespace lookback;

namespace {

using Row = std::span<const std::int32_t>;

Row row(const Ids& x, Index b) { return Row(x.values).subspan(b * x.shape[1], x.shape[1]); }

template <class Cells>
void print_cells(const char* name, const Cells& cells) {
  fmt::print("  {:8} {:>7}\n", name, fmt::join(cells, " "));
}

void print_ids(const char* name, Row ids, const Vocabulary& vocabulary) {
  print_cells(name, ids), print_cells("", vocabulary.spelled(ids));
}

void print_vocabulary(const char* side, const Vocabulary& vocabulary) {
  const std::span words = vocabulary.words();
  fmt::print("  {} V = {}: {} ...\n", side, words.size(),
             fmt::join(words.first(std::min<std::size_t>(words.size(), 9)), " "));
}

// Prints a shape; throws when it is not the one stated.
void print_shape(const char* what, const Shape& shape, const Shape& stated) {
  fmt::print("  {:26} {}\n", what, to_string(shape));
  if (shape != stated) throw std::logic_error(fmt::format("{} is not {}", what, to_string(stated)));
}

void print_shapes(const Batch& batch, Index B, Index S, Index T) {
  print_shape("source [B, S]", batch.source.shape, {B, S});
  print_shape("decoder inputs [B, T]", batch.inputs.shape, {B, T});
  print_shape("targets, weights [B, T]", batch.targets.shape, {B, T});
  print_shape("inputs of one step [B]", batch.inputs.column(0).shape, {B});
  for (Index t = 0; t < std::min<Index>(3, T); ++t)
    fmt::print("    t = {}  {:>2}\n", t + 1, fmt::join(batch.inputs.column(t).values, " "));
}

void print_padding(const char* how, std::span<const IdPair> pairs, Index size) {
  double source = 0, words = 0, targets = 0, tokens = 0;
  for (const Batch& batch : make_batches(pairs, size)) {
    source += batch.source.size(), targets += batch.targets.size(), tokens += batch.tokens;
    for (const Index n : batch.lengths) words += n;
  }
  fmt::print("  {:15} {:6.1f} % {:7.1f} %\n", how, 100 - 100 * words / source, 100 - 100 * tokens / targets);
}

// [zeroed]
// The three scores of Note I's worked example, and PAD states that were set to 0: s . 0 = 0.
void print_zeroed(Index pads) {
  Tensor e({1, 3 + pads});
  std::copy_n(std::array<Real, 3>{0.9f, 0.2f, 1.1f}.begin(), 3, e.write());
  const auto on_pad = [&](const Tensor& alpha) { return 100 * sum(slice(alpha, 1, 3, 3 + pads)).item(); };
  fmt::print("  {} PAD {:14.1f} % {:7.1f} %\n", pads, on_pad(softmax(e)),
             on_pad(masked_softmax(e, Mask::lengths(std::vector<Index>{3}, 3 + pads))));
}
// [/zeroed]

// [losses]
// Two models that know no word, only how likely PAD is.
void print_losses(const Batch& batch, Index V) {
  const Tensor weights = target_weights(batch);  // [B, T]
  const Index B = weights.shape()[0], T = weights.shape()[1];
  const Ids flat({B * T}, batch.targets.values);  // [B T]
  for (const Real p : {1 / Real(V), 1 - mean(weights).item()}) {
    Tensor one({1, V});
    one.write()[PAD] = std::log(p / (1 - p) * Real(V - 1));
    const Tensor logits = broadcast_to(one, {B * T, V});  // [B T, V]
    const Tensor loss = cross_entropy(logits, flat, {.reduction = Reduction::none}).reshape({B, T});
    fmt::print("  {:.3f}  {:9.3f} {:9.3f} {:13.3f}\n", p, mean(loss).item(),
               sum(weights * loss).item() / sum(weights).item(),
               cross_entropy(logits, flat, {.ignore = PAD}).item());
  }
}
// [/losses]

void print_own(const std::string& sentence, const Tokens& tokens, const Vocabulary& vocabulary) {
  const Tokens unseen = vocabulary.unseen(tokens);
  fmt::print("  \"{}\"\n", sentence);
  print_cells("tokens", tokens);
  print_cells("ids", vocabulary.ids(tokens));
  fmt::print("  {} of {} tokens are UNK: {}\n", unseen.size(), tokens.size(), unseen);
}

std::vector<Box> boxes(Row ids, const Vocabulary& vocabulary) {
  std::vector<Box> list;
  for (const std::int32_t id : ids) {
    const Box::Kind kind = id == PAD ? Box::padding : id <= UNK ? Box::control : Box::word;
    list.push_back({fmt::to_string(id), vocabulary.word(id), kind});
  }
  return list;
}

std::vector<BoxRow> lane(const char* name, const std::string& sentence, const Tokens& tokens) {
  std::vector<BoxRow> rows{{name, "as written", {Box{sentence}}}, {"tokens", "lower case, split", {}}};
  for (const std::string& token : tokens) rows.back().boxes.push_back({token, "", Box::word});
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.out = "out/05"};
  std::vector<std::string> own{"I have two purple cats.", "Write _EOS at the end."};
  Chapter chapter("05_data", "sentence pairs on their way into a batch");
  chapter.takes(options, {"--data", "--out", "--quick"});
  chapter.takes("--sentence", own, "a source sentence of your own, as often as you like");
  return chapter.run(argc, argv, [&] {
    const std::vector<Tokens> own_tokens = tokenize_all("--sentence", own);
    // [ids]
    const Corpus corpus = read_corpus(find_corpus(options.data));
    const std::vector<Tokens> x = sources(corpus.pairs), y = targets(corpus.pairs);
    const Vocabulary source(x), target(y);
    std::vector<IdPair> ids;
    for (std::size_t n = 0; n < x.size(); ++n) ids.push_back({source.ids(x[n]), target.ids(y[n])});
    const Batch batch = make_batches(ids, 20).front();
    // [/ids]
    fmt::print("Vocabularies of {} pairs\n", corpus.pairs.size());
    print_vocabulary("source", source);
    print_vocabulary("target", target);

    const auto [x_line, y_line] = as_written(corpus, corpus.pairs[0]);
    const Tensor weights = target_weights(batch);
    const Row x_row = row(batch.source, 0), y_in = row(batch.inputs, 0), y_out = row(batch.targets, 0);
    fmt::print("\nThe first pair: \"{}\" \"{}\"\n", x_line, y_line);
    print_ids("source", x_row, source);
    print_ids("inputs", y_in, target);
    print_ids("targets", y_out, target);
    print_cells("weights", weights.select(0).values());
    fmt::print("  targets read back: {}\n", detokenize(target.tokens(y_out)));

    Index S = 0, T = 0;
    const Index B = std::min<Index>(20, std::ssize(x));
    for (Index b = 0; b < B; ++b) S = std::max(S, std::ssize(x[b])), T = std::max(T, std::ssize(y[b]) + 1);
    fmt::print("\nShapes: B = {}, the longest source has S = {} tokens, the longest target with EOS T = {}\n",
               B, S, T);
    print_shapes(batch, B, S, T);

    fmt::print("\nShare of PAD       source  targets\n");
    print_padding("batches of 20", ids, 20);
    print_padding("batches of 5", ids, 5);

    fmt::print("\nWeight on PAD      zeroed   masked\n");
    for (const Index pads : {1, 4, 7}) print_zeroed(pads);

    fmt::print("\nMean loss of logits [{}, {}] against targets [{}], {} of them words or EOS\n", B * T,
               target.size(), B * T, batch.tokens);
    fmt::print("  P(PAD)  all cells  weighted  PAD ignored\n");
    print_losses(batch, target.size());

    fmt::print("\nSentences of your own\n");
    for (std::size_t i = 0; i < own.size(); ++i) print_own(own[i], own_tokens[i], source);
    fmt::print("  id(\"_EOS\") = {}, EOS = {}\n", source.id("_EOS"), EOS);

    std::vector<BoxRow> above = lane("source sentence", x_line, x[0]),
                        below = lane("target sentence", y_line, y[0]);
    above.push_back({"source", "ids, then PAD", boxes(x_row, source)});
    below.push_back({"decoder inputs", "GO, then the ids", boxes(y_in, target), 1});
    below.push_back({"targets", "ids, then EOS", boxes(y_out, target)});
    below.push_back({"weights", "0 where there is PAD", {}});
    for (const Real w : weights.select(0).values())
      below.back().boxes.push_back({fmt::to_string(w), "", w > 0 ? Box::plain : Box::padding});
    const char* claim = "Each input is read to write the target under it. Orange: control words. Grey: PAD.";
    const Pipeline pipeline{"From two sentences to a row of a batch", claim, {above, below}};
    write_png(options.out + "/05-pipeline.png", draw_pipeline(pipeline));
  });
}
