// Checkpoints: a training run in one safetensors file, to go on from or to answer with. Weights alone, for
// exchange: docs/exchange.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nn/optimizer.hpp"

namespace lookback::inline LOOKBACK_NS {

// [checkpoint]
// What a run needs to go on as if it had not stopped. A part that it does not have stays empty.
struct Checkpoint {
  std::vector<Param> weights = {};    // params.all()
  std::vector<Param> optimizer = {};  // adam.state(params)
  std::vector<Param> best = {};       // copies of the weights that were best so far
  std::vector<Param> past = {};       // and of those at earlier moments: "40.out.bias" if the moment is "40"
  // By names of the run's own choice: options, the step, vocabularies (a word a line), random streams. A file
  // adds "format", "version" and "checksum".
  std::map<std::string, std::string> text = {};
  // What it was read from: messages begin with it.
  std::string path = "";

  // Gives the parameters their weights and the optimizer, unless null, its memory. All names and sizes are
  // compared before anything is written; std::runtime_error when they differ:
  //   m.safetensors: encoder.weight_ih_l0 is [768, 256] there and [384, 128] here
  //   m.safetensors: only here: out.bias; only there: out.bais; is out.bais meant for out.bias?
  void restore(const Params& params, Optimizer* here = nullptr) const;
};
// [/checkpoint]

// Whole or not at all (core/file.hpp). Refuses NaN and infinity, so that a run that broke does not take a
// good file's place. In the file weights keep their names; the others begin with "optimizer.",
// "best." and "past.".
void save_checkpoint(const std::string& path, const Checkpoint& run);

// Refuses whatever is not such a file to the bit: what read_safetensors refuses, and NaN, infinity, another
// version, a missing checksum. Throws std::runtime_error, "path: reason".
Checkpoint load_checkpoint(const std::string& path);

// Every parameter of a scope, from a file of any program's that holds them, without the scope's name, and no
// other; with `from`, from those of its tensors whose names begin with "<from>.", whatever else is there. Of
// a checkpoint its weights are read. All or nothing, as in restore.
void load_weights(const std::string& path, const Params& params, const std::string& from = "");

}  // namespace lookback::inline LOOKBACK_NS
