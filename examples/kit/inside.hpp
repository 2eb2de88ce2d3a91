// A score inside one sequence: attend(h, h).                                         Note I, "Next"
#pragma once

#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// Every state of one sentence, h [1, S, H], asks every other: scores and weights [1, S, S], context [1, S, H]. What the
// score has to learn is copied from the model's decoder, which learned it with the same score. Prints how much of the
// weights lies on the diagonal, and what holds for every score; throws std::logic_error when it does not hold.
Attended look_inside(const Translator& model, const std::string& score, const Tensor& h);

}  // namespace lookback::inline LOOKBACK_NS
