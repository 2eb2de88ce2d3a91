// The same weights with their rows labelled in two ways: by the word that the decoder writes, and by the one
// it reads.
#pragma once

#include "attention/draw/heatmap.hpp"

namespace lookback {

// The rows of `map` are words written, EOS the last. In the second heatmap a row has the word before it, the
// first one _GO, and known links go with their words. Throws like draw_heatmap.
Image draw_labels(const Heatmap& map);

}  // namespace lookback
