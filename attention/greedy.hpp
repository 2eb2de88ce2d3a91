// Greedy decoding: the likeliest word at each step is written and read back.
#pragma once

#include <vector>

#include "attention/decoder.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Written {                  // one sentence
  std::vector<std::int32_t> ids;  // without EOS
  bool ended = false;             // EOS came before the limit
};

struct Greedy {
  std::vector<Written> sentences;  // B of them
  Tensor weights;                  // [B, heads, T, S], T of the longest; 0 past a sentence's EOS
};

// Decodes a whole batch from GO, at most `limit` words a sentence; each stops at its own EOS, and all when
// all have. A sentence without any source token ends at once, with no words. Throws std::runtime_error
// when a step's logits hold a NaN or +inf, or nothing but -inf; and whatever the decoder throws.
Greedy greedy_decode(const Decoder& decoder, const Memory& memory, Index limit);

}  // namespace lookback::inline LOOKBACK_NS
