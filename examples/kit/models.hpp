// The models of Note I's experiment, by name.
#pragma once

#include <memory>

#include "examples/kit/transformer_translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// What all of them share comes from `options`: its width is E, H and A, its dropout and, of the decoder, layers are
// everybody's; the rest, and what is tied, belongs to the Transformers.
struct ModelSizes {
  TransformerOptions options{.dropout = Real(0.1)};
  Tied tied = Tied::none;
};

// all, first, last: a Transformer whose decoder sees all source states, the first or the last; then encoder and decoder
// of one recurrent cell, and the score the decoder looks with or none.
std::vector<std::string> model_names();

// The source is read with GO and EOS round it. Throws std::invalid_argument for another name, listing those above and
// the nearest, and what the models throw.
std::unique_ptr<TranslationModel> make_model(const std::string& name, const Params& params, Vocabulary source,
                                             Vocabulary target, const ModelSizes& sizes = {});

}  // namespace lookback::inline LOOKBACK_NS
