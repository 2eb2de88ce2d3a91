// Decoder: what writes a target sentence word by word. One interface, so that teacher forcing, feeding back
// and searching are written once for all decoders.
#pragma once

#include <vector>

#include "attention/attention.hpp"
#include "core/random.hpp"
#include "nn/embedding.hpp"
#include "nn/linear.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Encoded {       // what an encoder hands over
  Tensor h;            // [B, S, H]: a state after each source token
  Tensor last;         // [B, H]: the state after the last one
  Mask mask;           // [B, S], true = a real token
  Tensor last_c = {};  // [B, H]: with an LSTM's h_S its c_S, which nobody attends to; else empty
};

// How much of the source a decoder may see: all states, or one of them, Note I's artificial bottleneck.
enum class MemoryLimit { all, first, last };
// first, last: h [B, 1, H], mask [B, 1], false for a sentence without tokens; `last` and last_c stay.
Encoded limit_memory(const Encoded& encoded, MemoryLimit limit);

// The state of each sentence's last token: h [B, S, H] -> [B, H]; 0 for a sentence without tokens. Throws
// std::invalid_argument unless the mask is empty or [B, S].
Tensor last_states(const Tensor& h, const Mask& mask);
// Does sentence b have a token? Throws like last_states, and when there is no sentence b.
bool has_source(const Encoded& encoded, Index b);

struct Memory {  // the source as the decoder reads it, made once a sentence
  Encoded encoded;
  std::vector<Keys> keys;  // one a head, or one a layer
};

struct State {  // what changes from step to step; every tensor has the batch first
  std::vector<Tensor> parts;
};

// The given rows of a batch, in that order, each as often as it is named: what a beam search goes on with.
// Throws std::out_of_range for a row that is not there.
Memory select_rows(const Memory& memory, const Ids& rows);
State select_rows(const State& state, const Ids& rows);

// The map from a decoder's output [.., O] to logits [.., V]: "weight" and "bias" of its own, or, tied, the
// embedding's rows for a weight, so that reading and writing share what a word is (Press & Wolf 2017). PAD's
// row then moves with the readout. Throws std::invalid_argument when tied and O is not E.
Linear make_readout(const Params& p, Index O, const Embedding& embedding, bool tied);

struct Step {
  Tensor logits;   // [B, V]
  Tensor weights;  // [B, heads, S]
};

struct Forced {    // all steps of a target
  Tensor logits;   // [B, T, V]
  Tensor weights;  // [B, heads, T, S]
};

// [decoder]
struct Decoder {
  virtual ~Decoder() = default;
  virtual Memory read(const Encoded& encoded) const = 0;
  virtual State start(const Memory& memory) const = 0;
  // One step of the whole batch: reads the previous words [B], moves `state` on.
  virtual Step step(const Memory& memory, const Ids& previous, State& state) const = 0;
  // Teacher forcing: reads inputs [B, T] = GO + y, whatever the model would have said.
  virtual Forced teach(const Memory& memory, const Ids& inputs, Random* dropout = nullptr) const = 0;
};
// [/decoder]

// T steps from GO in which each word read is the model's own (Note II's loop function): argmax, no stop at
// EOS. Recorded by a tape, so that a model can be trained on its own words. Throws std::invalid_argument for
// T < 1.
Forced feed_previous(const Decoder& decoder, const Memory& memory, Index T);

// What all decoders check. Each throws std::invalid_argument with a message that begins with `decoder`.
void require_inputs(const char* decoder, const Memory& memory, const Ids& inputs);      // [B, T], T > 0
void require_previous(const char* decoder, const Memory& memory, const Ids& previous);  // [B]
void require_keys(const char* decoder, const Memory& memory, std::size_t count);
void require_parts(const char* decoder, const State& state, std::size_t count);
// What all searches check: throws std::runtime_error, beginning with `search`, when this row of step t's logits
// holds a NaN or +inf, or nothing but -inf, which stands for a word that cannot be said.
void require_finite(const char* search, Index t, const Tensor& logits, Index row);

}  // namespace lookback::inline LOOKBACK_NS
