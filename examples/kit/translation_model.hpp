// What any model from words to words can do, whatever lies between: learn, translate, and be asked about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attention/alignment.hpp"
#include "attention/decoder.hpp"
#include "examples/kit/batch.hpp"
#include "examples/kit/text/bpe.hpp"
#include "examples/kit/text/corpus.hpp"

namespace lookback::inline LOOKBACK_NS {

// What is written for a word that is not in the target vocabulary: UNK, or the source word with the largest
// weight in that step, the mean over the heads.                      Jean et al. 2015; Luong et al. 2015, "rare word"
enum class Unknown { unk, copied };

// How a translation is looked for: greedily, or with a beam (attention/beam.hpp).
struct Search {
  Index width = 1;  // 1: greedily
  Real length_penalty = 0;
};

struct Translation {
  std::vector<std::string> words;
  bool ended = false;                    // EOS came; otherwise the limit cut it off
  std::vector<std::string> copied = {};  // the words that come from the source, in their order
};

struct Translations {
  std::vector<Translation> sentences;
  Alignment alignment;  // what the model looks at against the pieces written
};

// What of the words a model gets to see.
struct TextView {
  bool ends = false;                      // the encoder reads GO x EOS, not x
  MemoryLimit memory = MemoryLimit::all;  // the states left to its decoder
  std::optional<Bpe> pieces =
      {};  // the words of both languages are cut into these, of which its vocabularies
           // are; what it writes is joined
};

class TranslationModel {
 public:
  virtual ~TranslationModel() = default;

  IdPair ids(const SentencePair& pair) const;  // unseen words become UNK; the source as the encoder reads it
  std::vector<IdPair> ids(std::span<const SentencePair> pairs) const;
  // What words are cut into; the words themselves, if they are not.
  Tokens pieces(const Tokens& sentence) const;
  std::vector<Tokens> pieces(std::span<const Tokens> sentences) const;
  // What stands at the places that the weights are over: the pieces, with ends _GO and _EOS round them; of them
  // the first or the last, where the memory is limited so.
  Tokens places(const Tokens& source) const;

  virtual const Decoder& decoder() const = 0;
  virtual Encoded encode(const Ids& source, std::span<const Index> lengths,
                         Random* dropout = nullptr) const = 0;  // [B, S]; all states
  Memory read(const Batch& batch, Random* dropout = nullptr) const;
  // Mean cross-entropy over the batch's real target tokens, each step given the right previous word. With a
  // stream for dropout, as in training.
  Tensor loss(const Batch& batch, Random* dropout = nullptr, Real label_smoothing = 0) const;
  // The same with each step given the model's own previous word (Note II's feed_previous).
  Tensor loss_fed_back(const Batch& batch) const;
  // Its own words fed back, a batch at once; at most 2 S + 10 words each. Without weights over all places, as
  // with the score "none", nothing is copied.
  Translations translate(std::span<const Tokens> sentences, Unknown unknown = Unknown::unk,
                         Search search = {}) const;

  const Params& params() const { return params_; }
  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }
  const TextView& view() const { return view_; }

 protected:
  TranslationModel(Params params, Vocabulary source, Vocabulary target, TextView view);

 private:
  std::vector<std::int32_t> source_ids(const Tokens& pieces) const;

  Params params_;
  Vocabulary source_, target_;
  TextView view_;
};

}  // namespace lookback::inline LOOKBACK_NS
