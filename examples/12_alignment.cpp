// Note I, notebook cells 72-79: attention's weights taken out of trained models, drawn as heatmaps, and
// measured against the known links of sentences that no model has seen.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "attention/draw/alignment_page.hpp"
#include "attention/draw/png.hpp"
#include "attention/watch.hpp"
#include "core/tell.hpp"
#include "examples/kit/alignment_error.hpp"
#include "examples/kit/alignments.hpp"
#include "examples/kit/claims.hpp"
#include "examples/kit/decoder_choice.hpp"
#include "examples/kit/evaluate.hpp"
#include "examples/kit/figures/labels.hpp"
#include "examples/kit/heads.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/transformer_translator.hpp"
#include "examples/kit/translator_file.hpp"

using namespace lookback;

namespace {

using Pairs = std::vector<SentencePair>;

struct Plan {
  Options options{.epochs = 12, .out = "out/12", .data = "grammar"};
  int longest = 8;
  bool html = false;
  Pairs train = {}, unseen = {};
};

void fit(const Plan& plan, const std::string& name, const TranslationModel& model, Real rate) {
  train(model.params(), make_batches(model.ids(plan.train), 16),
        [&](const Batch& b) { return model.loss(b); },
        {.title = name, .epochs = plan.options.epochs, .rate = rate, .decay = Decay::linear});
}

Pairs short_ones(const Pairs& pairs, int longest) {
  Pairs all = pairs;
  std::erase_if(all, [&](const SentencePair& pair) { return std::ssize(pair.source) > longest; });
  if (all.empty()) throw UsageError(fmt::format("--longest {}: no pair is as short", longest));
  return all;
}

// [watch]
void print_watched(const TranslationModel& model, const Batch& batch) {
  fmt::print("\nWhat the attentions of a Transformer show while it is taught the unseen pairs\n");
  Tensor cross;  // [B, heads, T, S]
  const Watch watch([&](const std::string& name, const Tensor& weights) {
    fmt::print("  {:31} {}\n", name, to_string(weights.shape()));
    if (name == "decoder.layers.0.multihead_attn") cross = weights;
  });
  const Forced forced = model.decoder().teach(model.read(batch), batch.inputs);
  const Tensor mean = lookback::mean(cross, 1), sums = sum(mean, -1);  // [B, T, S], [B, T]
  fmt::print("  {:31} {}\n", "the mean of its heads", to_string(mean.shape()));
  print_equal("sums of its rows, and 1", sums, Tensor(sums.shape(), std::vector<Real>(sums.size(), 1)));
  print_equal("what was watched, and what teach() returns", cross, forced.weights);
}
// [/watch]

// Rows of weights against the words they write and the words they read; where links are not known, how far
// they are from the diagonal, on which word 0 is at place `first`.
void print_row(const std::string& name, const std::string& bleu, const Heatmaps& maps, const char* mark,
               int first = 0) {
  const AtLinks writes = at_links(maps), reads = at_links(maps, -1);
  fmt::print("  {:26} {:>6} ", name, bleu);
  if (writes.words > 0)
    fmt::print("{5:>3}{0:.3f} {5:>2}{1:.3f} {5:>2}{2:.3f} {5:>5}{3:.3f} {5:>2}{4:.3f}\n", writes.error(),
               writes.aer(), writes.weight / writes.words, reads.error(), reads.weight / reads.words, mark);
  else
    fmt::print("{2:>3}{0:.2f} {2:>22}{1:.2f}\n", off_diagonal(maps, first), off_diagonal(maps, first - 1),
               mark);
}

void draw(const Plan& plan, const Alignment& alignment, const Heatmaps& mean) {
  const std::string stem = plan.options.out + "/12-";
  std::vector<Image> six;
  for (std::size_t b = 0; b < std::min<std::size_t>(6, mean.size()); ++b) {
    six.push_back(draw_heatmap(mean[b], {.cell = 32, .font = 14, .bar = false}));
    if (plan.html) write_file(fmt::format("{}alignment-{}.html", stem, b + 1), alignment_page(mean[b]));
  }
  write_png(stem + "six.png", draw_sheet(six, 3));
  const std::size_t one = six.size() > 3 ? 3 : 0;
  write_png(stem + "heads.png", draw_heads(alignment, static_cast<Index>(one), mean[one].links));
  write_png(stem + "labels.png", draw_labels(mean[one]));
}

// A row for each head, and for their mean. The first model is drawn, and stands below the rules to compare
// with.
void report(const Plan& plan, const std::string& name, const TranslationModel& model, bool drawn) {
  const Alignment alignment = forced_alignment(model, plan.unseen);
  const Heatmaps mean = linked_heatmaps(alignment, plan.unseen);
  if (drawn) {
    const bool links = at_links(mean).words > 0;
    fmt::print("\n{:>60}{:>19}\n", "against the word it writes", "the word it reads");
    fmt::print("{:>35} {}\n", "BLEU",
               links ? "   error     AER  weight      error  weight" : "|i - t|                |i - t + 1|");
    print_row("even weights", "", by_rule(plan.unseen, even), "");
    print_row("plain diagonal", "", by_rule(plan.unseen, diagonal), "");
    if (links) print_row("known links", "", by_rule(plan.unseen, known), "");
    draw(plan, alignment, mean);
  }
  const Index heads = alignment.weights.shape()[1];
  const int first = model.view().ends;  // behind _GO
  for (Index k = 0; heads > 1 && k < heads; ++k)
    print_row(fmt::format("{}, head {}", name, k + 1), "", linked_heatmaps(alignment, plan.unseen, k), "~",
              first);
  print_row(heads > 1 ? name + ", their mean" : name,
            fmt::format("~{:.3f}", evaluate(model, plan.unseen).bleu.score), mean, "~", first);
}

std::unique_ptr<TranslationModel> load(const std::string& path, const RunText& given, const Pairs& pairs) {
  std::unique_ptr<TranslationModel> model = load_model(path, given);
  const RunText facts = describe(*model);
  if (model->view().memory != MemoryLimit::all || (facts.contains("score") && facts.at("score") == "none"))
    throw std::runtime_error(path + ": this model does not look at source words");
  const auto [source, target] = unknown_words(*model, pairs);
  const std::string said =
      fmt::format("{}: {:.0f} % of the source and {:.0f} % of the target words are not in its vocabularies",
                  path, 100 * source, 100 * target);
  if (std::max(source, target) > 0.5) throw std::runtime_error(said + ": it has learned another corpus");
  if (std::max(source, target) > 0.1) tell("{}\n", said);
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  Plan plan;
  Options& options = plan.options;
  DecoderChoice choice;
  Chapter chapter("12_alignment",
                  "weights taken out, drawn, and measured against known links; --load refuses a model "
                  "that does not know half of the words, and names the share from a tenth on");
  chapter.takes(options, {"--seed", "--epochs", "--threads", "--out", "--data", "--load", "--quick"});
  choice.offer(chapter);
  chapter.takes("--longest", plan.longest, "source words of a pair, at most", 3, 1000);
  chapter.takes("--html", plan.html, "the alignments of the sheet as pages to move about in, too");
  return chapter.run(argc, argv, [&] {
    const AttentionDecoderOptions own = choice.decoder(chapter);
    const RunText given = choice.given(chapter);
    if (choice.score == "none") throw UsageError("--score none has no weights to look at");
    for (const char* name : {"--seed", "--epochs"})
      if (!options.load.empty() && chapter.given(name))
        throw UsageError(fmt::format("{} changes nothing with --load", name));
    if (options.quick && !chapter.given("--longest")) plan.longest = 6;
    if (options.quick && !chapter.given("--epochs")) options.epochs = 3;
    const CorpusParts parts = read_parts(options.data, {.split = options.data == "multi30k"});
    plan.train = short_ones(parts.train, plan.longest), plan.unseen = short_ones(parts.test, plan.longest);
    fmt::print("{} pairs of at most {} source words to learn from, {} unseen ones to look at\n",
               plan.train.size(), plan.longest, plan.unseen.size());
    if (!options.load.empty()) return report(plan, "loaded", *load(options.load, given, plan.unseen), true);
    // [translators]
    const Vocabulary source(sources(plan.train)), target(targets(plan.train));
    const auto try_translator = [&](const std::string& name, const AttentionDecoderOptions& form) {
      const Translator model(Params(options.seed), source, target, form, {32, 48, 48});
      fit(plan, name, model, Real(0.008));
      report(plan, name, model, !given.empty());
    };
    // [/translators]
    if (!given.empty()) return try_translator(own.score, own);
    // [transformer]
    const TransformerTranslator model(Params(options.seed), source, target,
                                      {.width = 64, .heads = 8, .feed_forward = 128});
    fit(plan, "Transformer", model, Real(0.003));
    // [/transformer]
    print_watched(model, make_batch(model.ids(plan.unseen)));
    report(plan, "Transformer", model, true);
    // [all]
    for (const std::string& name : score_names()) try_translator(name, {.score = name});
    try_translator("additive, s_t-1 asks", {.query = Query::previous_state});
    try_translator("additive x 2", {.heads = 2});
    // [/all]
  });
}
