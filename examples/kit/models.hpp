// The models of Note I's experiment, by name.
#pragma once

#include <memory>
#include <optional>

#include "attention/attention_decoder.hpp"
#include "examples/kit/transformer_translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// The width is E, H and A; it and dropout, pieces and, of the decoder, layers are everybody's. The rest, and what is
// tied, belongs to the Transformers.
struct ModelOptions {
  TransformerOptions sizes{.dropout = Real(0.1)};
  Tied tied = Tied::none;
  bool ends = true;                // the source is read with GO and EOS round it
  std::optional<Bpe> pieces = {};  // as in TextView
  Input input = Input::direct;     // of the recurrent models; Note II maps both
  Readout readout = Readout::direct;
};

// all, first, last: a Transformer whose decoder sees all source states, the first or the last; then encoder and decoder
// of one recurrent cell, and the score the decoder looks with or none.
std::vector<std::string> model_names();

// Throws std::invalid_argument for another name, listing those above and
// the nearest, and what the models throw.
std::unique_ptr<TranslationModel> make_model(const std::string& name, const Params& params, Vocabulary source,
                                             Vocabulary target, const ModelOptions& options = {});

}  // namespace lookback::inline LOOKBACK_NS
