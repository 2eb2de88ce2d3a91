// What chapters print and draw of a translator at work.
#pragma once

#include <iosfwd>

#include "examples/kit/evaluate.hpp"
#include "examples/kit/figures/loop.hpp"

namespace lookback::inline LOOKBACK_NS {

// Shapes of the encoder's states and the decoder's first state on a batch, and what a guess costs.
void print_start(const TranslationModel& model, const Batch& batch);

// A line a pair: "= i am hungry. -> tengo hambre.", with "!" unless it is the reference word for word; words
// that were copied from the source are named behind it.
void print_pairs(std::span<const SentencePair> pairs, std::span<const Translation> written);

// How a sentence is translated, and whether its alignment becomes a page (attention/draw/alignment_page.hpp), too.
struct Ask {
  Unknown unknown = Unknown::unk;
  Search search = {};
  bool page = false;
};

// Translates a sentence, names its unseen words, shows the alignment on stderr and draws it to NAME.png, with a page
// NAME.html.
void print_translation(const TranslationModel& model, const Tokens& sentence, const std::string& name,
                       const Ask& ask = {});
// Each of them, drawn to STEM-sentence-1.png and so on.
void print_translations(const TranslationModel& model, std::span<const Tokens> sentences,
                        const std::string& stem, const Ask& ask = {});

// A line of stdout for each line of `in`, which messages call standard input: its translation, or nothing when it
// is blank or refused. All else goes to stderr, pictures to STEM-line-1.png and so on. Throws std::runtime_error in
// the end when lines were refused, each of which stderr has named:
//   standard input:3:17: invalid UTF-8 (byte 0xC3 without its continuation)
//   standard input:4: 5210 characters, and a sentence has 1000 at most
void translate_lines(const TranslationModel& model, std::istream& in, const std::string& stem,
                     TokenizeOptions options, const Ask& ask = {});

// The words of one sentence read both ways: the right previous words (teacher forcing), and its own fed back.
Loop read_both_ways(const TranslationModel& model, const SentencePair& pair);
void print_both_ways(const Loop& early, const std::string& when, const Loop& late);

// How training goes for both parts of a split, a row a look, of which there is one at least; what became of the
// held-out pairs in the end; and the losses as a line plot to `path`.
struct Look {
  int epoch;
  Evaluation trained, held_out;
};
void print_held_out(const TranslationModel& model, const Split& split, std::span<const Look> looks,
                    const std::string& path);

}  // namespace lookback::inline LOOKBACK_NS
