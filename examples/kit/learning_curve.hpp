// How soon a decoder learns a corpus.
#pragma once

#include <functional>

#include "attention/draw/line_plot.hpp"
#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// Trains chapter 08's model with `loss` on all pairs in one batch. After steps x = 5, 10 .. and the last it
// translates them, greedily and fed back; y is the number of pairs that come out word for word. The line has the
// score's name.
Line learning_curve(
    const Corpus& corpus, const AttentionDecoderOptions& options, std::uint64_t seed, int steps,
    const std::function<Tensor(const Translator&, const Batch&)>& loss =
        [](const Translator& model, const Batch& batch) { return model.loss(batch); });

float first_at(const Line& line, float y);  // the first x with this y; infinity: there is none

}  // namespace lookback::inline LOOKBACK_NS
