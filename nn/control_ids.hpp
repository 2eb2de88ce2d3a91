// The ids that stand for no word. Note II has the first three; UNK is ours, for words unseen in training.
#pragma once

#include <cstdint>

namespace lookback {

inline constexpr std::int32_t PAD = 0, GO = 1, EOS = 2, UNK = 3;

}  // namespace lookback
