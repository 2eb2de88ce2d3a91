#include "examples/kit/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <istream>
#include <optional>
#include <set>
#include <stdexcept>

#include "attention/draw/alignment_page.hpp"
#include "attention/draw/line_plot.hpp"
#include "attention/draw/png.hpp"
#include "attention/draw/shade.hpp"
#include "core/tell.hpp"
#include "core/utf8.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/text/text.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

void print_unseen(const char* side, const Vocabulary& vocabulary, std::span<const Tokens> sentences) {
  std::set<std::string> words, unseen;
  for (const Tokens& tokens : sentences) {
    words.insert(tokens.begin(), tokens.end());
    for (const std::string& word : vocabulary.unseen(tokens)) unseen.insert(word);
  }
  fmt::print("  of the {} different {} words held out {} stand in no trained pair\n", words.size(), side,
             unseen.size());
}

std::string spelled(const Translation& translation) {
  const std::string text = detokenize(translation.words);
  if (translation.copied.empty()) return text;
  return fmt::format("{}   (copied for UNK: {})", text, fmt::join(translation.copied, ", "));
}

// What there is to know of a translation beside its words.
std::string remarks(const TranslationModel& model, const Tokens& sentence, const Translation& translation) {
  std::string text;
  if (const auto unseen = model.source().unseen(model.pieces(sentence)); !unseen.empty())
    text += fmt::format("read as UNK, not in the vocabulary: {}\n", fmt::join(unseen, ", "));
  if (!translation.ended) text += "(cut off: no EOS came)\n";
  return text;
}

void show(const Translations& t, const std::string& name, bool page) {
  if (t.sentences[0].words.empty() || t.alignment.weights.shape()[1] == 0) return;
  const Heatmap map = heatmap(t.alignment, 0);
  tell("\n{}", shade_heatmap(map));
  write_png(name + ".png", draw_heatmap(map));
  if (page) write_file(name + ".html", alignment_page(map));
}

}  // namespace

void print_start(const TranslationModel& model, const Batch& batch) {
  const Memory memory = model.read(batch);
  const State state = model.decoder().start(memory);
  const Tensor h = memory.encoded.h, h_S = memory.encoded.last;
  const Tensor d = state.parts.front() - h_S, c = state.parts.back();
  fmt::print("encoder states h {}, the last of each sentence h_S {}\n", to_string(h.shape()),
             to_string(h_S.shape()));
  fmt::print("the decoder starts at s_0 = h_S: |s_0 - h_S|^2 = {}", sum(d * d).item());
  if (state.parts.size() > 1) fmt::print(", with c_0 = 0: |c_0|^2 = {}", sum(c * c).item());
  fmt::print("\nguessing among V = {0} words costs ln V = {1:.4f}\n", model.target().size(),
             std::log(static_cast<double>(model.target().size())));
}

void print_pairs(std::span<const SentencePair> pairs, std::span<const Translation> written) {
  for (std::size_t b = 0; b < pairs.size(); ++b)
    fmt::print("{} {} -> {}\n", written[b].words == pairs[b].target ? "=" : "!", detokenize(pairs[b].source),
               spelled(written[b]));
}

void print_translation(const TranslationModel& model, const Tokens& sentence, const std::string& name,
                       const Ask& ask) {
  const Translations t = model.translate({&sentence, 1}, ask.unknown, ask.search);
  fmt::print("\n{}\n-> {}\n{}", detokenize(sentence), spelled(t.sentences[0]),
             remarks(model, sentence, t.sentences[0]));
  flush_output();
  show(t, name, ask.page);
}

void print_translations(const TranslationModel& model, std::span<const Tokens> sentences,
                        const std::string& stem, const Ask& ask) {
  for (std::size_t i = 0; i < sentences.size(); ++i)
    print_translation(model, sentences[i], fmt::format("{}-sentence-{}", stem, i + 1), ask);
}

void translate_lines(const TranslationModel& model, std::istream& in, const std::string& stem,
                     TokenizeOptions options, const Ask& ask) {
  int number = 0, refused = 0;
  for (std::string line; ++number, std::getline(in, line);) {
    const auto refuse = [&](const std::string& why) {
      tell("standard input:{}:{}\n", number, why);
      ++refused;
    };
    Tokens sentence;
    try {
      sentence = tokenize_short(line, options);
    } catch (const Utf8Error& error) {
      refuse(fmt::format("{}: invalid UTF-8 ({})", error.column, error.reason));
    } catch (const std::invalid_argument& error) {
      refuse(fmt::format(" {}", error.what()));
    }
    std::optional<Translations> t;
    if (!sentence.empty()) t = model.translate({&sentence, 1}, ask.unknown, ask.search);
    fmt::print("{}\n", t ? spelled(t->sentences[0]) : "");
    flush_output();
    if (!t) continue;
    tell("{}", remarks(model, sentence, t->sentences[0]));
    show(*t, fmt::format("{}-line-{}", stem, number), ask.page);
  }
  if (refused > 0) throw std::runtime_error(fmt::format("lines that were not translated: {}", refused));
}

// [both_ways]
Loop read_both_ways(const TranslationModel& model, const SentencePair& pair) {
  const Batch batch = make_batch(model.ids({&pair, 1}));
  const Memory memory = model.read(batch);
  const Ids forced = argmax(model.decoder().teach(memory, batch.inputs).logits);  // [1, T]
  const Ids fed_back = argmax(feed_previous(model.decoder(), memory, batch.inputs.shape[1]).logits);
  const Vocabulary& v = model.target();
  return {v.spelled(batch.inputs.values), v.spelled(batch.targets.values), v.spelled(forced.values),
          v.spelled(fed_back.values)};
}
// [/both_ways]

void print_both_ways(const Loop& early, const std::string& when, const Loop& late) {
  fmt::print("\n{:12}   {:25}   in the end\n", "", when);
  fmt::print("{0:>12}   {1:>12} {2:>12}   {1:>12} {2:>12}\n", "forced reads", "forced", "fed back");
  for (std::size_t t = 0; t < late.inputs.size(); ++t)
    fmt::print("{:>12}   {:>12} {:>12}   {:>12} {:>12}\n", late.inputs[t], early.forced[t], early.fed_back[t],
               late.forced[t], late.fed_back[t]);
}

void print_held_out(const TranslationModel& model, const Split& split, std::span<const Look> looks,
                    const std::string& path) {
  const std::size_t trained = split.trained.size(), held_out = split.held_out.size();
  fmt::print("\n{} pairs are trained, {} are held out\n", trained, held_out);
  print_unseen("source", model.source(), sources(split.held_out));
  print_unseen("target", model.target(), targets(split.held_out));
  fmt::print("  means over the target tokens that are not UNK\n");
  fmt::print("  epoch   loss, {0} {1:>9}   accuracy, {0} {1:>9}\n", "trained", "held out");
  Line a{fmt::format("{} trained pairs", trained), {}, {}};
  Line b{fmt::format("{} pairs held out", held_out), {}, {}};
  for (const Look& look : looks) {
    fmt::print("{:7} {:15.1f} {:9.1f} {:19.1f} {:9.1f}\n", look.epoch, look.trained.loss, look.held_out.loss,
               look.trained.accuracy, look.held_out.accuracy);
    for (Line* line : {&a, &b}) line->x.push_back(static_cast<float>(look.epoch));
    a.y.push_back(static_cast<float>(look.trained.loss));
    b.y.push_back(static_cast<float>(look.held_out.loss));
  }
  print_pairs(split.held_out, looks.back().held_out.written);
  fmt::print("word for word: {}/{} trained, {}/{} held out\n", looks.back().trained.exact, trained,
             looks.back().held_out.exact, held_out);
  fmt::print("BLEU: {:.3f} trained, {:.3f} held out\n  {}\n", looks.back().trained.bleu.score,
             looks.back().held_out.bleu.score, looks.back().held_out.bleu.signature("lower-cased tokens"));
  write_png(path,
            draw_line_plot(
                {"Loss of the trained and of the held-out pairs", "epoch", "loss a target token", {a, b}}));
}

}  // namespace lookback::inline LOOKBACK_NS
