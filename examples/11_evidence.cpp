// Note I's experiment: one corpus, translated with attention over all states of the source, over one of them, and
// without any; and what each of the models reaches on sentences that it has never seen.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

#include "attention/draw/png.hpp"
#include "core/tape.hpp"
#include "core/tell.hpp"
#include "examples/kit/evidence.hpp"
#include "examples/kit/pools.hpp"
#include "examples/kit/recipe.hpp"
#include "examples/kit/report.hpp"
#include "examples/kit/stopwatch.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator_file.hpp"
#include "nn/ranks.hpp"

using namespace lookback;

namespace {

struct Plan {
  Options options{.out = "out/11", .data = ""};
  std::vector<std::string> models;
  Ask ask;  // of a model that is loaded, and how the test is searched
};

// [fit]
History fit(const Plan& plan, const Recipe& recipe, const std::string& name, const TranslationModel& model,
            const CorpusParts& parts) {
  const std::vector<IdPair> pairs = model.ids(parts.train);
  Random dropping = Random::named(plan.options.seed, "dropout");
  const auto batches = [&](int epoch) {
    Random order = Random::named(plan.options.seed, fmt::format("epoch {}", epoch));
    return make_pools(pairs, 32, 100, order);
  };
  const Index steps = plan.options.epochs * std::ssize(batches(1));
  const auto loss = [&](const Batch& b) { return model.loss(b, &dropping, recipe.label_smoothing); };
  Keep keep = keep_run(plan.options, describe(model), name);
  keep.same["recipe"] = recipe.name;
  keep.streams = {{"dropout", &dropping}};
  keep.validation_loss = [&] { return 1 - evaluate(model, parts.validation).bleu.score; };
  keep.end_with_best = true;
  return train(model.params(), batches, loss,
               {.title = name,
                .epochs = plan.options.epochs,
                .rate = recipe.rate,
                .warmup = std::min(recipe.warmup, steps / 10),
                .decay = recipe.decay,
                .keep = keep});
}
// [/fit]

// [one_slot]
// The largest gradient of the cross-attention's maps, before training. With one state to look at, its weight is 1
// whatever query and key are.
void print_one_slot(const ModelMaker& make, std::uint64_t seed, std::span<const SentencePair> pairs) {
  fmt::print("\nThe largest gradient of the cross-attention's maps\n  {:8} {:>12} {:>8}\n", "", "query, key",
             "value");
  for (const char* name : {"all", "first", "last"}) {
    const auto model = make(name, seed);
    Tape tape;
    tape.backward(model->loss(make_batch(model->ids(pairs))));
    const Tensor w =
        model->params().find("decoder.layers.0.multihead_attn.in_proj_weight");  // [3E, E]: query, key, value
    const std::span<const Real> g(w.grad(), static_cast<std::size_t>(w.size()));
    const auto largest = [](std::span<const Real> x) {
      return std::abs(std::ranges::max(x, {}, [](Real v) { return std::abs(v); }));
    };
    const std::size_t query_and_key = g.size() / 3 * 2;
    fmt::print("  {:8} {:12.2g} {:8.2g}\n", name, largest(g.first(query_and_key)),
               largest(g.subspan(query_and_key)));
  }
}
// [/one_slot]

void answer(const Chapter& chapter, const Plan& plan, std::span<const std::string> sentences, bool asks) {
  for (const char* name : {"--seed", "--epochs", "--data", "--quick", "--models", "--recipe"})
    if (chapter.given(name)) throw UsageError(fmt::format("{} changes nothing with --load", name));
  if (sentences.empty() && !asks)
    throw UsageError("--load: --sentence or --translate says what to translate");
  const std::vector<Tokens> own = tokenize_all("--sentence", sentences, {.split = true});
  const auto model = load_model(plan.options.load);
  print_translations(*model, own, plan.options.out + "/11", plan.ask);
  if (!asks) return;
  tell("a sentence a line; Ctrl-D ends\n");
  translate_lines(*model, std::cin, plan.options.out + "/11", {.split = true}, plan.ask);
}

}  // namespace

int main(int argc, char** argv) {
  Plan plan;
  Options& options = plan.options;
  std::vector<std::string> sentences;
  std::string recipe_name;
  bool asks = false;
  int beam = 1;
  double penalty = 1.5;  // the best of 0, 1, 1.5, 2, 3 on validation
  Chapter chapter("11_evidence", "trains models with and without attention on one corpus, and compares them");
  chapter.takes(options, {"--seed", "--epochs", "--threads", "--out", "--data", "--quick"});
  chapter.takes(options, {"--save", "--resume", "--load"});
  chapter.takes_names("--models", plan.models, "which of them: an unknown one lists them");
  chapter.takes("--recipe", recipe_name, "how they are made and trained: an unknown one lists them");
  chapter.takes("--beam", beam, "translate with so many hypotheses at once, too", 1, 100);
  chapter.takes("--length-penalty", penalty,
                "with --beam: x in log P / ((5 + words) / 6)^x, by which it chooses", 0, 10);
  chapter.takes("--sentence", sentences, "with --load: a sentence to translate, as often as you like");
  chapter.takes("--html", plan.ask.page, "with --load: a page to move about in beside each alignment");
  chapter.takes("--translate", asks, "with --load: a line of translation for each line you type or pipe in");
  return chapter.run(argc, argv, [&] {
    const Job job;
    plan.ask.search = {beam, Real(penalty)};
    if (beam == 1 && chapter.given("--length-penalty"))
      throw UsageError("--length-penalty changes nothing without --beam");
    if (!options.load.empty()) return answer(chapter, plan, sentences, asks);
    if (asks || !sentences.empty() || plan.ask.page)
      throw UsageError("--load says which model is to translate");
    if (options.data.empty())
      options.data = options.quick ? "grammar" : has_multi30k() ? "multi30k" : "grammar";
    const bool grammar = options.data == "grammar";
    const Recipe recipe = find_recipe(!recipe_name.empty() ? recipe_name : grammar ? "grammar" : "note");
    if (!chapter.given("--epochs")) options.epochs = options.quick ? 8 : recipe.epochs;
    if (plan.models.empty()) plan.models = recipe.models;
    CorpusParts parts = read_parts(options.data, {.split = true});
    if (options.quick)  // the shortest sentences
      for (auto* part : {&parts.train, &parts.validation, &parts.test}) {
        std::ranges::stable_sort(*part, {}, [](const SentencePair& pair) { return pair.source.size(); });
        part->resize(std::min<std::size_t>(part->size(), part == &parts.train ? 1600 : 100));
      }
    if (std::set(plan.models.begin(), plan.models.end()).size() < plan.models.size())
      throw UsageError("--models: a model is named twice");
    const ModelMaker make(recipe, parts.train);
    for (const std::string& name : plan.models)
      make(name, 0), keep_run(options, {}, name);  // what cannot be is refused before hours are spent
    print_setting(options, recipe, parts, *make(plan.models.front(), options.seed));
    if (!options.resume && ranks() == 1) tell_time(make, plan.models, parts.train, options.epochs);
    print_one_slot(make, options.seed,
                   std::span(parts.validation).first(std::min<std::size_t>(32, parts.validation.size())));
    const bool as_note = recipe.name == "note" && parts.train.size() == 29'000;  // on Multi30k
    print_head(beam > 1, !parts.test.front().links.empty());
    std::vector<Finding> findings;
    for (const std::string& name : plan.models) {
      const auto model = make(name, options.seed);
      Finding& f = findings.emplace_back();
      f.model = name, f.parameters = model->params().count();
      const double time = nanoseconds([&] { f.history = fit(plan, recipe, name, *model, parts); }, 1);
      if (rank() > 0) continue;  // the first tells
      if (!options.resume) f.seconds = time / 1e9;
      f.validation = evaluate(*model, parts.validation);
      f.test = evaluate(*model, parts.test);
      f.alignment_error = alignment_error(*model, parts.test);
      for (const auto* part : {&parts.validation, &parts.test})
        if (beam > 1) f.beam.push_back(evaluate(*model, *part, Unknown::unk, plan.ask.search).bleu.score);
      print_finding(f, parts.test, as_note);
    }
    if (rank() > 0) return;
    print_gaps(findings, parts.test);
    write_png(options.out + "/11-length.png", draw_line_plot(by_length(findings, parts.test)));
    write_png(options.out + "/11-epochs.png", draw_line_plot(by_epoch(findings)));
  });
}
