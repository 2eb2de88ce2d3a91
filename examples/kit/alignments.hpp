// Where a translator looks, as pictures, and how spread out its look is.
#pragma once

#include "examples/kit/translation_model.hpp"

namespace lookback::inline LOOKBACK_NS {

// Teacher-forced: the weights with which each reference word, and EOS after them, is predicted.
Alignment forced_alignment(const TranslationModel& model, std::span<const SentencePair> pairs);

// The mean over the rows of -sum_i alpha_i ln alpha_i: 0 when each row is one word, ln S when all are equal.
double row_entropy(const Heatmap& map);

// One picture of a film: how `pair` is looked at after `step` training steps, which the title says with the entropy.
Heatmap film_frame(const TranslationModel& model, const SentencePair& pair, Index step);
// Prints the titles, and draws the frames on one sheet to `path`.
void print_film(std::span<const Heatmap> film, const std::string& path);

// STEM-alignment-01.png and so on, one for each pair that has a word written; and the small ones on
// STEM-sheet.png; with `pages` a STEM-alignment-01.html beside each. Those of an earlier run with more pairs
// stay: stderr says which are of this one.
void draw_alignments(const Alignment& alignment, const std::string& stem, bool pages = false);

}  // namespace lookback::inline LOOKBACK_NS
