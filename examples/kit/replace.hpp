// What does a state know of a word? Put other words in its place and see how far the state moves.
#pragma once

#include "core/tensor.hpp"
#include "examples/kit/batch.hpp"

namespace lookback::inline LOOKBACK_NS {

// Row 0 is the sentence; in rows 1 .. R word i, counted from 0, is another one: UNK and the first words of a
// vocabulary of V, 60 of them at most. The targets mean nothing. Throws std::out_of_range when there is no word i.
Batch replace_word(const std::vector<std::int32_t>& sentence, Index i, Index V);

// The states x [1 + R, D] of one place in such a batch: the mean distance of rows 1 .. R from row 0.
Real mean_move(const Tensor& x);

}  // namespace lookback::inline LOOKBACK_NS
