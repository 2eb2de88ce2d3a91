// Batches at a glance: a line for each sentence, dark where it has words, pale where it is padded.
#pragma once

#include <span>

#include "attention/draw/image.hpp"

namespace lookback {

struct BatchesPanel {
  std::string title;
  std::vector<int> words, places;  // of each sentence, in the order of the batches; 1 <= words <= places
};

// Panels side by side, all of one height, each with its share of padding. Of more sentences than the panel has lines
// some are drawn. Throws std::invalid_argument when there is nothing to draw, or counts do not fit.
Image draw_batches(const std::string& title, std::span<const BatchesPanel> panels);

}  // namespace lookback
