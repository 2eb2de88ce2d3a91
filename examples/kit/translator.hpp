// Translator: the whole model of Note II, from words to words.
#pragma once

#include <string>
#include <vector>

#include "attention/alignment.hpp"
#include "attention/attention_decoder.hpp"
#include "examples/kit/batch.hpp"
#include "examples/kit/text/corpus.hpp"

namespace lookback::inline LOOKBACK_NS {

struct TranslatorSizes {
  Index embedding = 24, hidden = 16, alignment = 16;  // E, H, A
};

// What is written for a word that is not in the target vocabulary: UNK, or the source word with the largest
// weight in that step, the mean over the heads.                      Jean et al. 2015; Luong et al. 2015, "rare word"
enum class Unknown { unk, copied };

struct Translation {
  std::vector<std::string> words;
  bool ended = false;                    // EOS came; otherwise the limit cut it off
  std::vector<std::string> copied = {};  // the words that come from the source, in their order
};

struct Translations {
  std::vector<Translation> sentences;
  Alignment alignment;  // source tokens against the words written
};

class Translator {
 public:
  Translator(Params params, Vocabulary source, Vocabulary target, AttentionDecoderOptions options = {},
             TranslatorSizes sizes = {});

  IdPair ids(const SentencePair& pair) const;  // unseen words become UNK
  std::vector<IdPair> ids(std::span<const SentencePair> pairs) const;
  Encoded encode(const Ids& source, std::span<const Index> lengths) const;  // [B, S]
  Memory read(const Batch& batch) const;
  // Mean cross-entropy over the batch's real target tokens, each step given the right previous word.
  Tensor loss(const Batch& batch) const;
  // The same with each step given the model's own previous word (Note II's feed_previous).
  Tensor loss_fed_back(const Batch& batch) const;
  // Greedy, its own words fed back, a batch at once; at most 2 S + 10 words each. Without weights, as with the
  // score "none", nothing is copied.
  Translations translate(std::span<const Tokens> sentences, Unknown unknown = Unknown::unk) const;

  const Params& params() const { return params_; }
  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }
  const AttentionDecoder& decoder() const { return decoder_; }
  const TranslatorSizes& sizes() const { return sizes_; }

 private:
  Params params_;
  TranslatorSizes sizes_;
  Vocabulary source_, target_;
  Embedding embedding_;
  GRU encoder_;
  AttentionDecoder decoder_;
};

}  // namespace lookback::inline LOOKBACK_NS
