// Note II, the whole model: an encoder-decoder with soft attention learns 20 sentence pairs, translates them
// with its own words fed back, and shows where it looked.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "attention/draw/png.hpp"
#include "examples/kit/alignments.hpp"
#include "examples/kit/decoder_choice.hpp"
#include "examples/kit/report.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator_file.hpp"
#include "nn/loss.hpp"

using namespace lookback;

namespace {

using Pairs = std::span<const SentencePair>;

struct Plan {
  Options options{.epochs = 300, .out = "out/08"};
  AttentionDecoderOptions decoder = {};
  VocabularyLimits words = {};
  bool fed = false;  // --feed-previous
};

// [model]
Translator make_model(const Plan& plan, Pairs pairs) {
  return {Params(plan.options.seed), Vocabulary(sources(pairs), plan.words),
          Vocabulary(targets(pairs), plan.words), plan.decoder};
}
// [/model]

// [train]
History fit(const Plan& plan, const Translator& model, std::span<const Batch> batches, Keep keep,
            const std::function<void(int epoch)>& look) {
  const auto loss = [&](const Batch& batch) {
    const Tensor forced = model.loss(batch);
    return plan.fed ? 0.5 * (forced + model.loss_fed_back(batch)) : forced;
  };
  keep.same["feed-previous"] = plan.fed ? "yes" : "no";
  look(0);
  return train(model.params(), batches, loss,
               {.epochs = plan.options.epochs, .after_epoch = look, .keep = keep});
}
// [/train]

// [losses]
// Each loss is a sum over tokens of what a token costs times what it counts. Beside the loss stands the second
// factor, for a token of the shortest and of the longest sentence.
void print_losses(const Translator& model, const Batch& batch) {
  const Tensor logits = model.decoder().teach(model.read(batch), batch.inputs).logits;  // [B, T, V]
  const Tensor weights = target_weights(batch), n = sum(weights, 1);                    // [B, T], [B]
  const Real B = static_cast<Real>(n.size()), tokens = sum(weights).item();
  const auto [least, most] = std::minmax_element(n.data(), n.data() + n.size());
  const auto row = [](const char* name, const Tensor& loss, Real in_shortest, Real in_longest) {
    fmt::print("  {:36} {:8.4f} {:12.4f} {:13.4f}\n", name, loss.item(), in_shortest, in_longest);
  };
  fmt::print("\n{} tokens in {} sentences: three losses before training; what a token counts in one of\n",
             tokens, B);
  fmt::print("{:43}loss  {:>4} tokens  {:>5} tokens\n", "", *least, *most);
  const Tensor all = cross_entropy(logits, batch.targets, {.ignore = PAD, .reduction = Reduction::sum});
  row("mean over tokens (ours)", all / tokens, 1 / tokens, 1 / tokens);
  row("mean over time, then over sentences", sequence_loss(logits, batch.targets, weights).mean,
      1 / (B * *least), 1 / (B * *most));
  row("sum over time, mean over sentences", all / B, 1 / B, 1 / B);
}
// [/losses]

// [twice]
void print_softmax_twice(const Translator& model, const Batch& batch) {
  const Tensor logits = model.decoder().teach(model.read(batch), batch.inputs).logits;  // [B, T, V]
  fmt::print("\nloss of the logits {:.2f}; of softmax(logits), which the loss softmaxes again, {:.1f}\n",
             cross_entropy(logits, batch.targets, {.ignore = PAD}).item(),
             cross_entropy(softmax(logits), batch.targets, {.ignore = PAD}).item());
}
// [/twice]

// [hold_out]
// A second model learns without the held-out pairs, and is asked about both kinds as it does.
void try_hold_out(const Plan& plan, const Split& split) {
  const Translator model = make_model(plan, split.trained);  // its vocabularies, too, know those only
  std::vector<Look> looks;
  Keep keep = keep_run(plan.options, describe(model), "hold-out");
  keep.looks = {0, 10, 20, 30, 50, 100, 200, plan.options.epochs};
  keep.validation_loss = [&] { return evaluate(model, split.held_out).loss; };
  fit(plan, model, make_batches(model.ids(split.trained)), keep, [&](int epoch) {
    if (keep.looks.contains(epoch))
      looks.push_back({epoch, evaluate(model, split.trained), evaluate(model, split.held_out)});
  });
  print_held_out(model, split, looks, plan.options.out + "/08-hold-out.png");
}
// [/hold_out]

void answer(const Chapter& chapter, const Options& options, const RunText& given, std::span<const Tokens> own,
            const Ask& ask) {
  for (const char* name : {"--seed", "--epochs", "--data", "--quick", "--hold-out", "--feed-previous",
                           "--fixed-embedding", "--min-count"})
    if (chapter.given(name)) throw UsageError(fmt::format("{} changes nothing with --load", name));
  if (own.empty()) throw UsageError("--load: --sentence says what to translate");
  // [answer]
  const Translator model = load_translator(options.load, given);
  if (ask.unknown == Unknown::copied && model.decoder().options().score == "none")
    throw UsageError("--copy-unk changes nothing with a model of score none");
  print_translations(model, own, options.out + "/08", ask);
  // [/answer]
}

}  // namespace

int main(int argc, char** argv) {
  Plan plan;
  Options& options = plan.options;
  std::vector<std::string> sentences;
  DecoderChoice choice;
  int held = 4;
  bool fixed = false, copies = false, html = false;
  Chapter chapter("08_translate", "learns 20 sentence pairs, translates them, draws where it looks");
  choice.offer(chapter);
  chapter.takes(options, {"--seed", "--epochs", "--threads", "--out", "--data", "--quick"});
  chapter.takes(options, {"--save", "--resume", "--load"});
  chapter.takes("--sentence", sentences, "a sentence of your own, as often as you like");
  chapter.takes("--hold-out", held, "pairs a second model does not learn; 0: no second model", 0, 1'000'000);
  chapter.takes("--feed-previous", plan.fed, "train on the model's own words too, not only on the teacher's");
  chapter.takes("--fixed-embedding", fixed, "no gradient to the embedding of a fed-back word");
  chapter.takes("--min-count", plan.words.min_count, "rarer words are UNK, in both languages", 1, 1'000'000);
  chapter.takes("--copy-unk", copies, "where it writes UNK, take the source word it looks at most");
  chapter.takes("--html", html, "a page to move about in beside each alignment");
  return chapter.run(argc, argv, [&] {
    const bool attends = choice.score != "none";
    const Ask ask{.unknown = copies ? Unknown::copied : Unknown::unk, .page = html};
    if (copies && !attends) throw UsageError("--copy-unk changes nothing with --score none");
    if (fixed && !plan.fed) throw UsageError("--fixed-embedding changes nothing without --feed-previous");
    plan.decoder = choice.decoder(chapter);
    plan.decoder.update_embedding_for_previous = !fixed;
    const std::vector<Tokens> own = tokenize_all("--sentence", sentences);
    if (!options.load.empty()) return answer(chapter, options, choice.given(chapter), own, ask);
    if (options.quick && !chapter.given("--epochs")) options.epochs = 150;

    const Corpus corpus = read_corpus(find_corpus(options.data));
    const Pairs pairs = corpus.pairs, shown = pairs.first(std::min<std::size_t>(20, pairs.size()));
    const SentencePair& followed = shown[std::min<std::size_t>(3, shown.size() - 1)];
    if (!chapter.given("--hold-out")) held = std::min(held, static_cast<int>(pairs.size()) - 1);
    if (held >= std::ssize(pairs))
      throw UsageError(fmt::format("--hold-out: {} of {} pairs leave none to learn", held, pairs.size()));
    if (held > 0) keep_run(options, {}, "hold-out");  // refused now, not after the first training
    const Translator model = make_model(plan, pairs);
    const std::vector<Batch> batches = make_batches(model.ids(pairs));
    fmt::print("{} pairs, {} source and {} target words; {} parameters; score {}\n", pairs.size(),
               model.source().size(), model.target().size(), model.params().count(), choice.score);
    print_start(model, batches[0]);
    print_losses(model, batches[0]);

    const int early = std::min(40, options.epochs);
    Loop loop;
    std::vector<Heatmap> film;
    const std::set<int> filmed{0, 50, 200, options.epochs};
    Keep keep = keep_run(options, describe(model));
    keep.looks = filmed, keep.looks.insert(early);
    const History history = fit(plan, model, batches, keep, [&](int epoch) {
      if (epoch == early) loop = read_both_ways(model, followed);
      if (attends && filmed.contains(epoch))
        film.push_back(film_frame(model, followed, epoch * std::ssize(batches)));
    });
    for (std::size_t epoch = 0; epoch < std::min(history.loss.size(), std::size_t{20}); epoch += 5)
      fmt::print("epoch {:>3}: loss {:.2g}\n", epoch + 1, history.loss[epoch]);
    const std::string when = fmt::format("after {} epochs", early);
    print_both_ways(loop, when, read_both_ways(model, followed));
    write_png(options.out + "/08-loop.png", draw_loop(loop, when));
    if (attends) print_film(film, options.out + "/08-film.png");
    print_softmax_twice(model, batches[0]);
    if (held > 0) try_hold_out(plan, hold_out(pairs, held, options.seed));

    const Evaluation all = evaluate(model, pairs, ask.unknown);
    fmt::print("\n");
    print_pairs(shown, all.written);
    if (attends)
      draw_alignments(model.translate(sources(shown), ask.unknown).alignment, options.out + "/08", html);
    print_translations(model, own, options.out + "/08", ask);
    fmt::print("\nstopped at EOS: {}/{}\nexact: {}/{}\n", all.ended, pairs.size(), all.exact, pairs.size());
  });
}
