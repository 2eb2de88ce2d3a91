// Note II, the whole model: an encoder-decoder with soft attention learns 20 sentence pairs, translates them
// with its own words fed back, and shows where it looked.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "attention/draw/png.hpp"
#include "attention/draw/shade.hpp"
#include "core/kernels/parallel.hpp"
#include "core/utf8.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/text/text.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator.hpp"
#include "nn/loss.hpp"

using namespace lookback;

namespace {

constexpr std::size_t pictured = 20;  // pairs that are drawn: all of the toy corpus

Real largest(const Tensor& x) {
  Real most = 0;
  for (const Real v : x.values()) most = std::max(most, std::abs(v));
  return most;
}

void print_start(const Translator& model, const Batch& batch) {
  const Memory memory = model.read(batch);
  const State state = model.decoder().start(memory);
  fmt::print("encoder states h {}, the last of each sentence {}\n", to_string(memory.encoded.h.shape()),
             to_string(memory.encoded.last.shape()));
  fmt::print("the decoder starts at s_0 = h_S: largest difference {}",
             largest(state.parts.front() - memory.encoded.last));
  if (state.parts.size() > 1)
    fmt::print("; and with the context c_0 = 0: largest value {}", largest(state.parts.back()));
  const Tensor loss = model.loss(batch);
  fmt::print("\nloss before training {:.2f}, of guessing among V = {} words ln V = {:.2f}\n", loss.item(),
             model.target().size(), std::log(static_cast<double>(model.target().size())));
}

// [forced]
// One sentence both ways: reading the right previous words (teacher forcing), and reading its own.
void print_forced_and_fed_back(const Translator& model, const SentencePair& pair) {
  const IdPair ids = model.ids(pair);
  const Batch batch = make_batch({&ids, 1});
  const Memory memory = model.read(batch);
  const Ids forced = argmax(model.decoder().teach(memory, batch.inputs).logits);  // [1, T]
  const Ids fed_back = argmax(feed_previous(model.decoder(), memory, batch.inputs.shape[1]).logits);
  fmt::print("\n{:>12} {:>12} {:>12}\n", "teacher says", "forced", "fed back");
  for (std::size_t t = 0; t < forced.values.size(); ++t)
    fmt::print("{:>12} {:>12} {:>12}\n", model.target().word(batch.inputs.values[t]),
               model.target().word(forced.values[t]), model.target().word(fed_back.values[t]));
}
// [/forced]

// [twice]
void print_softmax_twice(const Translator& model, const Batch& batch) {
  const Tensor logits = model.decoder().teach(model.read(batch), batch.inputs).logits;  // [B, T, V]
  fmt::print(
      "\nloss of the logits {:.2f}; of softmax(logits), which the loss puts through softmax again, {:.1f}\n",
      cross_entropy(logits, batch.targets, {.ignore = PAD}).item(),
      cross_entropy(softmax(logits), batch.targets, {.ignore = PAD}).item());
}
// [/twice]

void draw(const Alignment& alignment, const std::string& out) {
  std::vector<Image> sheet;
  const std::size_t count = std::min(alignment.source.size(), pictured);
  for (std::size_t b = 0; b < count; ++b) {
    if (alignment.target[b].empty()) continue;  // it wrote nothing: there is nothing to draw
    const Heatmap map = heatmap(alignment, static_cast<Index>(b));
    write_png(fmt::format("{}/08-alignment-{:02}.png", out, b + 1), draw_heatmap(map));
    if (Image small = draw_heatmap(map, small_heatmap); small.width <= 740 && small.height <= 900)
      sheet.push_back(std::move(small));
  }
  if (!sheet.empty()) write_png(out + "/08-sheet.png", draw_sheet(sheet, 5));
  fmt::print(stderr, "pictures of {} pairs are in {}, {} of them on the sheet\n", count, out, sheet.size());
}

void translate_sentence(const Translator& model, const Tokens& tokens, const std::string& out,
                        std::size_t number) {
  const Translations t = model.translate({&tokens, 1});
  fmt::print("\n{}\n-> {}\n", detokenize(tokens), detokenize(t.sentences[0].words));
  if (const auto unseen = model.source().unseen(tokens); !unseen.empty())
    fmt::print("read as UNK, never seen in training: {}\n", fmt::join(unseen, ", "));
  if (!t.sentences[0].ended) fmt::print("(cut off: no EOS came)\n");
  if (t.sentences[0].words.empty() || t.alignment.weights.shape()[1] == 0) return;
  const Heatmap map = heatmap(t.alignment, 0);
  fmt::print(stderr, "\n{}", shade_heatmap(map));
  write_png(fmt::format("{}/08-sentence-{}.png", out, number), draw_heatmap(map));
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.epochs = 300, .out = "out/08"};
  std::vector<std::string> sentences;
  std::string query = "new";
  int heads = 1, layers = 1;
  bool fed = false, fixed = false;
  Chapter chapter("08_translate",
                  "trains on 20 sentence pairs, translates, and draws where the decoder looks");
  chapter.takes(options, {"--score", "--seed", "--epochs", "--threads", "--out", "--data", "--quick"});
  chapter.takes("--sentence", sentences, "a sentence of your own, as often as you like");
  chapter.takes("--query", query, "the state that asks: new or previous");
  chapter.takes("--heads", heads, "attention heads", 1, 16);
  chapter.takes("--layers", layers, "stacked decoder cells", 1, 8);
  chapter.takes("--feed-previous", fed, "train on the model's own words too, not only on the teacher's");
  chapter.takes("--fixed-embedding", fixed,
                "update_embedding_for_previous = false: no gradient through fed-back words");
  return chapter.run(argc, argv, [&] {
    if (fixed && !fed) throw UsageError("--fixed-embedding changes nothing without --feed-previous");
    if (query != "new" && query != "previous")
      throw UsageError(fmt::format("--query: \"{}\" is not new or previous", query));
    std::vector<Tokens> own;
    for (const std::string& sentence : sentences) try {
        if (own.push_back(tokenize(sentence)); own.back().empty())
          throw UsageError("--sentence: there is no word in it");
      } catch (const Utf8Error& e) {
        throw UsageError(fmt::format("--sentence: {}", e.what()));
      }
    if (options.threads > 0) set_threads(options.threads);
    if (options.quick && !chapter.given("--epochs")) options.epochs = 150;

    const Corpus corpus = read_corpus(find_corpus(options.data));
    // [model]
    Translator model(Params(options.seed), Vocabulary(sources(corpus.pairs)),
                     Vocabulary(targets(corpus.pairs)),
                     {.score = options.score,
                      .heads = heads,
                      .layers = layers,
                      .query = query == "new" ? Query::new_state : Query::previous_state,
                      .update_embedding_for_previous = !fixed});
    // [/model]
    std::vector<IdPair> ids;
    for (const SentencePair& pair : corpus.pairs) ids.push_back(model.ids(pair));
    const std::vector<Batch> batches = make_batches(ids, 32);
    fmt::print("{} pairs, {} source and {} target words; {} parameters; score {}\n", ids.size(),
               model.source().size(), model.target().size(), model.params().count(), options.score);
    print_start(model, batches[0]);

    // [train]
    const auto loss = [&](const Batch& batch) {
      const Tensor forced = model.loss(batch);
      return fed ? 0.5 * (forced + model.loss_fed_back(batch)) : forced;
    };
    const std::vector<double> losses = train(model.params(), batches, loss, {.epochs = options.epochs});
    // [/train]
    for (std::size_t epoch = 0; epoch < std::min(losses.size(), std::size_t{20}); epoch += 5)
      fmt::print("epoch {:>3}: loss {:.2g}\n", epoch + 1, losses[epoch]);
    print_forced_and_fed_back(model, corpus.pairs[0]);
    print_softmax_twice(model, batches[0]);

    fmt::print("\n");
    int exact = 0, ended = 0;
    const std::vector<Tokens> all = sources(corpus.pairs);
    for (std::size_t from = 0; from < all.size(); from += pictured) {
      const Translations t =
          model.translate(std::span(all).subspan(from, std::min(pictured, all.size() - from)));
      for (std::size_t b = 0; b < t.sentences.size(); ++b) {
        const bool right = t.sentences[b].words == corpus.pairs[from + b].target;
        exact += right;
        ended += t.sentences[b].ended;
        if (from == 0)
          fmt::print("{} {} -> {}\n", right ? "=" : "!", detokenize(all[b]),
                     detokenize(t.sentences[b].words));
      }
      if (from == 0 && options.score != "none") draw(t.alignment, options.out);
    }
    for (std::size_t i = 0; i < own.size(); ++i) translate_sentence(model, own[i], options.out, i + 1);
    fmt::print("\nstopped at EOS: {}/{}\nexact: {}/{}\n", ended, ids.size(), exact, ids.size());
  });
}
