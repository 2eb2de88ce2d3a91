// The first four steps of a decoder, twice: reading the teacher's words, and its own fed back (Note II's loop function).
#pragma once

#include "attention/draw/image.hpp"

namespace lookback {

struct Loop {                                 // a word a step each
  std::vector<std::string> inputs, targets;   // the teacher's: GO, y_1, ... and y_1, y_2, ...
  std::vector<std::string> forced, fed_back;  // the likeliest word, written after either reading
};

// Words that are not the target's are red. `when` says of what moment the words are: "after 40 steps". Throws
// std::invalid_argument unless all four lists have one length, not 0.
Image draw_loop(const Loop& loop, const std::string& when);

}  // namespace lookback
