// Rows of boxes joined by arrows: what becomes of a sentence on its way into a batch.
#pragma once

#include "attention/draw/image.hpp"

namespace lookback {

struct Box {
  enum Kind { plain, word, control, padding };  // white, blue, orange, grey; no arrow leads to padding
  std::string text = {};                        // UTF-8, NFC
  std::string below = {};                       // smaller, under the text
  Kind kind = plain;
};

struct BoxRow {
  std::string name, note;  // at the left, one above the other
  std::vector<Box> boxes;  // a single one is drawn as wide as the row after it
  int shift = 0;           // the arrow from box j of the row above leads to box j + shift
};

struct Pipeline {
  std::string title, claim;
  std::vector<std::vector<BoxRow>> lanes;  // one below the other, without arrows between them
};

// Of a row the first 14 boxes are drawn; when there are more, the last of them is "…". Throws
// std::invalid_argument when there is no row with a box, and std::length_error past 4096 pixels.
Image draw_pipeline(const Pipeline& pipeline);

}  // namespace lookback
