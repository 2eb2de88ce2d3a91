// A module of the reader's own. Nothing is recurrent here: a place of the translation asks, attention finds the letter.
#pragma once

#include <string>

#include "attention/attention.hpp"
#include "nn/embedding.hpp"
#include "nn/linear.hpp"

namespace mine {

using namespace lookback;

constexpr Index S = 8, V = 27, H = 24;  // ids 1 to 26 are the letters

// [module]
struct Reader {
  Embedding letters;
  Tensor places;  // [S, H] added to the letters of the source, a row for each place
  Tensor asked;   // [S, H] what each place of the target asks
  Attention attend;
  Linear readout;
  Reader(const Params& p, const std::string& score)
      : letters(p["letters"], V, H),
        places(p.add("places", {S, H}, normal(1))),
        asked(p.add("asked", {S, H}, normal(1))),
        attend(p["attention"], score, {.query = H, .key = H, .hidden = H}),
        readout(p["readout"], H, V) {}
  Attended look(const Ids& source) const {  // [B, S]
    const Tensor h = letters(source) + places;
    return attend(broadcast_to(asked, h.shape()), attend.read(h));
  }
  Tensor operator()(const Ids& source) const { return readout(look(source).context); }  // logits [B, S, V]
};
// [/module]

}  // namespace mine
