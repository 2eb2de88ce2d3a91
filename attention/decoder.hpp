// Decoder: what writes a target sentence word by word. One interface, so that teacher forcing, feeding back
// and searching are written once for all decoders.
#pragma once

#include <vector>

#include "attention/attention.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Encoded {  // what an encoder hands over
  Tensor h;       // [B, S, H]: a state after each source token
  Tensor last;    // [B, H]: the state after the last one
  Mask mask;      // [B, S], true = a real token
};

struct Memory {  // the source as the decoder reads it, made once a sentence
  Encoded encoded;
  std::vector<Keys> keys;  // one a head
};

struct State {  // what changes from step to step; every tensor has the batch first
  std::vector<Tensor> parts;
};

struct Step {
  Tensor logits;   // [B, V]
  Tensor weights;  // [B, heads, S]
};

struct Forced {    // all steps of a target
  Tensor logits;   // [B, T, V]
  Tensor weights;  // [B, heads, T, S]
};

struct Decoder {
  virtual ~Decoder() = default;
  virtual Memory read(const Encoded& encoded) const = 0;
  virtual State start(const Memory& memory) const = 0;
  // One step of the whole batch: reads the previous words [B], moves `state` on.
  virtual Step step(const Memory& memory, const Ids& previous, State& state) const = 0;
  // Teacher forcing: reads inputs [B, T] = GO + y, whatever the model would have said.
  virtual Forced teach(const Memory& memory, const Ids& inputs) const = 0;
};

// T steps from GO in which each word read is the model's own (Note II's loop function): argmax, no stop at
// EOS. Recorded by a tape, so that a model can be trained on its own words.
Forced feed_previous(const Decoder& decoder, const Memory& memory, Index T);

}  // namespace lookback::inline LOOKBACK_NS
