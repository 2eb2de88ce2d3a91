// Translator: the whole model of Note II, from words to words.
#pragma once

#include "attention/attention_decoder.hpp"
#include "examples/kit/translation_model.hpp"

namespace lookback::inline LOOKBACK_NS {

struct TranslatorSizes {
  Index embedding = 24, hidden = 16, alignment = 16;  // E, H, A
};

// The encoder has the decoder's kind of cell, and drops as much of its embedded words.
class Translator : public TranslationModel {
 public:
  Translator(Params params, Vocabulary source, Vocabulary target, AttentionDecoderOptions options = {},
             TranslatorSizes sizes = {}, TextView view = {});

  const AttentionDecoder& decoder() const override { return decoder_; }
  Encoded encode(const Ids& source, std::span<const Index> lengths, Random* dropout = nullptr) const override;

  const TranslatorSizes& sizes() const { return sizes_; }

 private:
  TranslatorSizes sizes_;
  Embedding embedding_;
  Recurrent encoder_;  // which is all that a GRU or an LSTM is
  AttentionDecoder decoder_;
};

}  // namespace lookback::inline LOOKBACK_NS
