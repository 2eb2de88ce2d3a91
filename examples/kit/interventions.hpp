// What do attention's weights do? Change them in one step, leave everything else as it was, and see how far the output
// moves; and whether gradients agree with them.                            Jain & Wallace 2019; Serrano & Smith 2019
#pragma once

#include <functional>

#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Steps {           // of a batch, teacher-forced, before anything is changed
  Tensor h, s, weights;  // [B, S, H], [B, T, H], [B, T, S]
};
// Of the first head; output_with needs a decoder with one head and a projected readout.
Steps steps_of(const Translator& model, const Batch& batch);

// p [B, T, V] with other weights [B, T, S] in each step: softmax(vocab(out([s_t; sum_i alpha_i h_i]))). What came before
// the step is as it was, s_t included.
Tensor output_with(const Translator& model, const Steps& steps, const Tensor& weights);

// The weights of one target token, step t of sentence b: a number for each word of its source.
using Row = std::span<Real>;
using Visit = std::function<void(Row row, Index b, Index t)>;
void each_row(const Tensor& weights, const Batch& batch, const Visit& visit);  // which may write into the row

// The output after a change in each row.
Tensor output_after(const Translator& model, const Steps& steps, const Batch& batch, const Visit& change);

Index largest(std::span<const Real> row);          // its place
void put(Row row, std::span<const Index> places);  // all weight there, evenly; no places: nothing changes
void drop(Row row, Index i);                       // none there, the others grow by one factor
// A random place of the row that is not among these; any, if they are all.
Index other(Row row, std::span<const Index> than, Random& random);

// sum_v |p_v - q_v| / 2, the probability that moved: 0 to 1. [.., V] -> [..]
Tensor total_variation(const Tensor& p, const Tensor& q);

// Kendall's tau-b: 1 for two lists in the same order, -1 in the opposite, near 0 when one says nothing of the other; 0
// when all of a list are equal. Throws std::invalid_argument unless they are equally long.
double kendall_tau(std::span<const Real> a, std::span<const Real> b);

// |d log p(y_t) / dx_j|, y_t the right word and x_j the embedded source word, on every way from one to the other:
// [B, T, S]. The parameters' gradients are dropped.
Tensor word_gradients(const Translator& model, const Batch& batch);

// |d sum(h_i) / dx_j|, in shares of the sum over j: how much of state i is word j. [B, S, S]; what is past a sentence's
// end means nothing.
Tensor word_shares(const Translator& model, const Batch& batch);

}  // namespace lookback::inline LOOKBACK_NS
