// Padding kept out of a translator, and three ways to let it in; and a check-up that tells them apart.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "attention/draw/line_plot.hpp"
#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// Where the encoder's GRU stops, and where the attention may look.
enum class Reading {
  no_lengths,  // it runs over PAD, and every state counts: Note I's formula for a batch
  zeroed,      // it stops at each sentence's end, h is 0 past it, and every state counts: Note II's advice
  mask_only,   // it runs over PAD, where a mask hides its states; h_S is what it ends with
  lengths,     // it stops, and the mask hides what follows
};
inline constexpr std::pair<const char*, Reading> readings[] = {{"no lengths, no mask", Reading::no_lengths},
                                                               {"zeroed, no mask", Reading::zeroed},
                                                               {"no lengths, mask", Reading::mask_only},
                                                               {"lengths and mask", Reading::lengths}};
Encoded encode_as(const Translator& model, const Batch& batch, Reading reading);

struct Seen {  // teacher-forced
  Memory memory;
  Tensor logits, weights, context;  // [B, T, V], of the first head [B, T, S], [B, T, H]
};
Seen see(const Translator& model, const Batch& batch, Reading reading);

// What weights [B, T, S] give to PAD, and the entropy of a row as a share of ln n, n the words of its source (of ln 2
// where there is one): means over the batch's target tokens.
double mass_on_pad(const Tensor& weights, const Batch& batch);
double entropy_share(const Tensor& weights, const Batch& batch);

// Of the batch's target tokens: the mean of x [B, T], and the share whose likeliest word is the right one; of logits or
// probabilities [B, T, V].
double mean_over_tokens(const Tensor& x, const Batch& batch);
double share_right(const Tensor& logits, const Batch& batch);

// Mass on PAD over the places of the batch: the pairs' longest, two more .. and thirty more.
Line mass_line(const std::string& name, const Translator& model, std::span<const IdPair> pairs,
               Reading reading);

// Eight numbers of a model, in the order that is printed:
//   mass_on_pad                of the batch
//   entropy_share
//   loss                       teacher-forced, a share of ln V
//   forced, fed back           share of the target tokens that are the likeliest
//   h_S, c, logits             how far they are, at most, from those of each pair alone
using Checkup = std::array<double, 8>;
// `batch` is of these pairs, but may be padded further or have other inputs.
Checkup check_up(const Translator& model, std::span<const IdPair> pairs, const Batch& batch, Reading reading);

enum class Stage { before, during, after };         // training: numbers have bounds before and after
void print_bounds();                                // a line each
void print_checkup_head(const std::string& title);  // and the names of the numbers
// A line, with "!" behind what is out of bounds and "~" before what is trained, or decided by nearly equal logits.
void print_checkup(const std::string& name, Stage stage, const Checkup& checkup);

}  // namespace lookback::inline LOOKBACK_NS
