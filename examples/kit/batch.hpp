// Sentence pairs as rectangles of ids, with what tells padding from words.
#pragma once

#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/tensor.hpp"
#include "examples/kit/text/vocabulary.hpp"

namespace lookback {

struct IdPair {
  std::vector<std::int32_t> source,
      target;  // words only, no control ids but those of a source with ends (translation_model.hpp)
};

// A batch of B pairs, S and T the longest of them.                                  Note II, "Data"
struct Batch {
  std::vector<Index> lengths;  // B source lengths
  Ids source;                  // [B, S] words, then PAD
  Mask mask;                   // [B, S] true where there is a word
  Ids inputs;                  // [B, T] what the decoder reads: GO, y
  Ids targets;                 // [B, T] what it is to write:    y, EOS, then PAD
  Index tokens = 0;            // words and EOS in targets: what the loss is a mean over
};

struct Bounds {
  Index S = 0, T = 0;  // of a batch: source words; target words and EOS
};

// S and T are at least these. Throws std::invalid_argument for an empty list and for a pair with an empty side, naming
// its place.
Batch make_batch(std::span<const IdPair> pairs, Bounds least = {});

// Every parts-th pair from place `part` on, padded to the longest of them; without one, no batch at all, {}. The batch
// itself if it is the only part.
Batch share(const Batch& batch, Index part, Index parts);

// Batches of `size` pairs in the given order, the last one with what is left.
std::vector<Batch> make_batches(std::span<const IdPair> pairs, Index size = 32, Bounds least = {});

// Each pair goes into the first bucket whose bounds hold both of its sides, and is padded to them: batches of the first
// bucket, then of the second. Throws std::invalid_argument when no bucket holds a pair.    Note II, "Model with buckets"
std::vector<Batch> make_buckets(std::span<const IdPair> pairs, std::span<const Bounds> buckets,
                                Index size = 32);

}  // namespace lookback

namespace lookback::inline LOOKBACK_NS {

// 1 where the target is a word or EOS, 0 where it is PAD: [B, T].
Tensor target_weights(const Batch& batch);

}  // namespace lookback::inline LOOKBACK_NS
