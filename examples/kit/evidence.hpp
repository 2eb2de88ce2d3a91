// What chapter 11 finds out about trained models, on sentences that none of them has seen.
#pragma once

#include <optional>

#include "attention/draw/line_plot.hpp"
#include "examples/kit/evaluate.hpp"
#include "examples/kit/keep.hpp"
#include "examples/kit/recipe.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Finding {
  std::string model;
  Index parameters = 0;
  std::optional<double> seconds;          // of training; none of a run that was gone on with
  History history;                        // its validation loss is 1 - BLEU
  Evaluation validation, test;            // greedily
  std::vector<double> beam;               // BLEU of validation and test with a beam, if one was asked for
  std::optional<double> alignment_error;  // on the test
};

// Of the mean over the heads (alignment_error.hpp); none when links are not known, the model does not look at all words,
// or looks at pieces of them.
std::optional<double> alignment_error(const TranslationModel& model, std::span<const SentencePair> pairs);

// What is learned from, and how.
void print_setting(const Options& options, const Recipe& recipe, const CorpusParts& parts,
                   const TranslationModel& model);

// On stderr: how long training will take, by a few steps of each model, which is thrown away.
void tell_time(const ModelMaker& make, std::span<const std::string> models,
               std::span<const SentencePair> pairs, int epochs);

// A table whose rows come as models are done, each beside what the note reports if that is comparable; and how far each
// model is from the first, both on the same sentences.
void print_head(bool beam, bool links);
void print_finding(const Finding& finding, std::span<const SentencePair> test, bool beside_note);
void print_gaps(std::span<const Finding> findings, std::span<const SentencePair> test);

// The test sentences in four parts, from the shortest sources to the longest, of about as many; sources of one length
// stay together. Prints each model's BLEU of each part, and returns it over the part's mean length.
LinePlot by_length(std::span<const Finding> findings, std::span<const SentencePair> test);

LinePlot by_epoch(std::span<const Finding> findings);  // BLEU on the validation sentences

}  // namespace lookback::inline LOOKBACK_NS
