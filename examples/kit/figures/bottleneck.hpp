// Note II's figure of the model, twice: without attention and with it.
#pragma once

#include <string>

#include "attention/draw/image.hpp"

namespace lookback {

// A source of 3 to 6 letters, copied: the encoder's states at the left, the decoder's at the right. Above, s_0 is
// all that passes, `numbers` of them; below, the third step asks all states too. Throws std::invalid_argument
// for another count of letters.
Image draw_bottleneck(const std::string& letters, int numbers);

}  // namespace lookback
