#include "examples/kit/evidence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/tape.hpp"
#include "core/tell.hpp"
#include "examples/kit/alignment_error.hpp"
#include "examples/kit/alignments.hpp"
#include "examples/kit/pools.hpp"
#include "examples/kit/stopwatch.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

const std::map<std::string, double> note = {{"all", 0.320}, {"first", 0.190}, {"lstm-none", 0.152}};

// A number that another processor may print otherwise.
std::string about(double x, int digits = 3) { return fmt::format("~{:.{}f}", x, digits); }

std::vector<Words> words_of(const Finding& finding) {
  std::vector<Words> all;
  for (const Translation& translation : finding.test.written) all.push_back(translation.words);
  return all;
}

// The lengths at which a new part begins, the shortest first.
std::vector<std::size_t> part_begins(std::span<const SentencePair> pairs) {
  std::vector<std::size_t> lengths, begins;
  for (const SentencePair& pair : pairs) lengths.push_back(pair.source.size());
  std::ranges::sort(lengths);
  for (std::size_t k = 0; k < 4; ++k) begins.push_back(lengths[k * lengths.size() / 4]);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  return begins;
}

// A row of the table.
void print_cells(const auto&... cells) {
  const std::string row =
      fmt::format("{:13} {:>7} {:>11} {:>8} {:>8} {:>11} {:>6} {:>11} {:>8}   {:17} {:>8} {:>10}", cells...);
  fmt::print("{}\n", row.substr(0, row.find_last_not_of(' ') + 1));
}

std::size_t count(const std::vector<Tokens>& sentences) {
  std::size_t tokens = 0;
  for (const Tokens& sentence : sentences) tokens += sentence.size();
  return tokens;
}

}  // namespace

std::optional<double> alignment_error(const TranslationModel& model, std::span<const SentencePair> pairs) {
  const bool linked =
      std::ranges::any_of(pairs, [](const SentencePair& pair) { return !pair.links.empty(); });
  if (!linked || model.view().pieces || model.view().memory != MemoryLimit::all) return {};
  const Alignment alignment = forced_alignment(model, pairs);
  if (alignment.weights.size() == 0) return {};
  return at_links(linked_heatmaps(alignment, pairs)).error();
}

void print_setting(const Options& options, const Recipe& recipe, const CorpusParts& parts,
                   const TranslationModel& model) {
  fmt::print("corpus {}: {} pairs to learn, {} to choose by, {} to test\n", options.data, parts.train.size(),
             parts.validation.size(), parts.test.size());
  if (options.data == "grammar")
    fmt::print("  made by rules; examples/data/get_multi30k.sh gets the note's, Multi30k\n");
  if (options.quick) fmt::print("  --quick: the shortest sentences only\n");
  fmt::print("  {} source and {} target tokens to learn, {} and {} to test\n", count(sources(parts.train)),
             count(targets(parts.train)), count(sources(parts.test)), count(targets(parts.test)));
  fmt::print("recipe {}: {}\n  {} epochs, seed {}; vocabularies of {} and {}\n", recipe.name, recipe.adds,
             options.epochs, options.seed, model.source().size(), model.target().size());
}

void tell_time(const ModelMaker& make, std::span<const std::string> models,
               std::span<const SentencePair> pairs, int epochs) {
  constexpr std::size_t B = 32, steps = 8;
  std::vector<std::string> each;
  double all = 0;
  for (const std::string& name : models) {
    const auto model = make(name, 1);
    Random order(1);
    const auto batches = make_pools(model->ids(pairs.first(std::min(pairs.size(), 100 * B))), B, 100, order);
    const std::span<const Batch> few = std::span(batches).first(std::min(batches.size(), steps));
    Adam adam;
    const auto train = [&] {
      for (const Batch& batch : few) {
        Tape tape;
        tape.backward(model->loss(batch));
        adam.step(model->params());
      }
    };
    const std::size_t steps_an_epoch = (pairs.size() + B - 1) / B;
    const double step = nanoseconds(train, 2) / 1e9 / static_cast<double>(few.size()),
                 minutes = step * static_cast<double>(steps_an_epoch) * epochs / 60;
    each.push_back(fmt::format("{} {:.1f}", name, minutes));
    all += minutes;
  }
  tell("training will take about {:.1f} minutes: {}\n", all, fmt::join(each, ", "));
}

void print_head(bool beam, bool links) {
  fmt::print("\n");
  print_cells("", "", "", "", "loss", "a token", "best", "BLEU,", "greedily", "",
              beam ? "BLEU, with a beam" : "", links ? "alignment" : "");
  print_cells("model", "note's", "parameters", "seconds", "train", "validation", "epoch", "validation",
              "test", "95 % of tests", beam ? "validation   test" : "", links ? "error" : "");
  flush_output();
}

void print_finding(const Finding& f, std::span<const SentencePair> test, bool beside_note) {
  const auto known = beside_note ? note.find(f.model) : note.end();
  const Interval sets = bootstrap(words_of(f), targets(test), Random(1));
  print_cells(f.model, known == note.end() ? "" : fmt::format("{:.3f}", known->second), f.parameters,
              f.seconds ? about(*f.seconds, 0) : "", about(f.history.loss.back()), about(f.validation.loss),
              about(best_epoch(f.history), 0), about(f.validation.bleu.score), about(f.test.bleu.score),
              about(sets.low) + " to " + about(sets.high),
              f.beam.empty() ? "" : fmt::format("{:>10} {:>6}", about(f.beam[0]), about(f.beam[1])),
              f.alignment_error ? about(*f.alignment_error) : "");
  flush_output();
}

void print_gaps(std::span<const Finding> findings, std::span<const SentencePair> test) {
  const Finding& first = findings.front();
  fmt::print("{}\n", first.test.bleu.signature("lower-cased tokens"));
  if (findings.size() == 1) return;
  fmt::print("\ntest BLEU of {} minus that of{:>8}   95 % of tests\n", first.model, "");
  for (const Finding& f : findings.subspan(1)) {
    const Interval sets = bootstrap(words_of(first), words_of(f), targets(test), Random(1));
    fmt::print("  {:13}{:>26}   {} to {}\n", f.model, about(first.test.bleu.score - f.test.bleu.score),
               about(sets.low), about(sets.high));
  }
}

LinePlot by_length(std::span<const Finding> findings, std::span<const SentencePair> test) {
  const std::vector<std::size_t> begins = part_begins(test);
  std::vector<std::vector<std::size_t>> parts(begins.size());  // places in the test
  for (std::size_t i = 0; i < test.size(); ++i)
    parts[static_cast<std::size_t>(std::ranges::upper_bound(begins, test[i].source.size()) - begins.begin()) -
          1]
        .push_back(i);
  fmt::print("\ntest BLEU by source tokens\n{:13}", "");
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const std::size_t last = k + 1 < begins.size() ? begins[k + 1] - 1 : 0;
    fmt::print(" {:>9}", last == 0           ? fmt::format("{} or more", begins[k])
                         : last == begins[k] ? fmt::to_string(last)
                                             : fmt::format("{} to {}", begins[k], last));
  }
  fmt::print("\n{:13}", "sentences");
  for (const auto& part : parts) fmt::print(" {:9}", part.size());
  LinePlot plot{
      "BLEU against the length of the source", "source tokens, mean of each part of the test", "BLEU", {}};
  for (const Finding& f : findings) {
    Line line{f.model, {}, {}};
    fmt::print("\n{:13}", f.model);
    for (const auto& part : parts) {
      std::vector<Words> written, references;
      double tokens = 0;
      for (const std::size_t i : part) {
        written.push_back(f.test.written[i].words), references.push_back(test[i].target);
        tokens += static_cast<double>(test[i].source.size());
      }
      line.x.push_back(static_cast<float>(tokens / static_cast<double>(part.size())));
      line.y.push_back(static_cast<float>(bleu(written, references).score));
      fmt::print(" {:>9}", fmt::format("~{:.3f}", line.y.back()));
    }
    plot.lines.push_back(line);
  }
  fmt::print("\n");
  return plot;
}

LinePlot by_epoch(std::span<const Finding> findings) {
  LinePlot plot{"BLEU on the validation sentences, after each epoch", "epoch", "BLEU", {}};
  for (const Finding& f : findings) {
    Line line{f.model, {}, {}};
    for (const double loss : f.history.validation_loss) {
      line.x.push_back(static_cast<float>(line.x.size() + 1));
      line.y.push_back(static_cast<float>(1 - loss));
    }
    plot.lines.push_back(line);
  }
  return plot;
}

}  // namespace lookback::inline LOOKBACK_NS
