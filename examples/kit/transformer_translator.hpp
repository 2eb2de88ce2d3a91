// TransformerTranslator: a Transformer from words to words, Note I's model when it has one layer.
#pragma once

#include "attention/transformer.hpp"
#include "examples/kit/translation_model.hpp"

namespace lookback::inline LOOKBACK_NS {

// Which matrices are one: none; the target's embedding and the readout; with them the source's embedding, for two
// languages of one vocabulary.                                                    Press and Wolf 2017
enum class Tied { none, target, all };

class TransformerTranslator : public TranslationModel {
 public:
  // Throws std::invalid_argument for sizes that TransformerEncoder refuses, and for Tied::all with two vocabularies.
  TransformerTranslator(Params params, Vocabulary source, Vocabulary target, TransformerOptions options = {},
                        Tied tied = Tied::none, TextView view = {});

  const TransformerDecoder& decoder() const override { return decoder_; }
  Encoded encode(const Ids& source, std::span<const Index> lengths, Random* dropout = nullptr) const override;

  const TransformerOptions& options() const { return options_; }
  const Tied& tied() const { return tied_; }

 private:
  TransformerOptions options_;
  Tied tied_;
  TransformerEncoder encoder_;
  TransformerDecoder decoder_;
};

}  // namespace lookback::inline LOOKBACK_NS
