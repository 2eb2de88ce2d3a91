#include "examples/kit/translator.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "attention/greedy.hpp"
#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// [copied]
// Sentence b of the batch with its UNKs replaced; weights [B, T, S].
void copy_unknown(Translation& translation, std::span<const std::int32_t> ids, const Tokens& source,
                  const Tensor& weights, Index b) {
  auto word = translation.words.begin();  // of step t; GO and PAD have none
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (ids[t] == UNK) {
      const Real* row =
          weights.data() + (b * weights.shape()[1] + static_cast<Index>(t)) * weights.shape()[2];
      *word = source[static_cast<std::size_t>(std::max_element(row, row + source.size()) - row)];
      translation.copied.push_back(*word);
    }
    if (ids[t] != GO && ids[t] != PAD) ++word;
  }
}
// [/copied]

}  // namespace

Translator::Translator(Params params, Vocabulary source, Vocabulary target, AttentionDecoderOptions options,
                       TranslatorSizes n)
    : params_(params),
      sizes_(n),
      source_(std::move(source)),
      target_(std::move(target)),
      embedding_(params["encoder.embedding"], source_.size(), n.embedding),
      encoder_(params["encoder.gru"], n.embedding, n.hidden),
      decoder_(params["decoder"], {target_.size(), n.embedding, n.hidden, n.hidden, n.alignment},
               std::move(options)) {}

IdPair Translator::ids(const SentencePair& pair) const {
  return {source_.ids(pair.source), target_.ids(pair.target)};
}

std::vector<IdPair> Translator::ids(std::span<const SentencePair> pairs) const {
  std::vector<IdPair> all;
  for (const SentencePair& pair : pairs) all.push_back(ids(pair));
  return all;
}

// [encode]
Encoded Translator::encode(const Ids& source, std::span<const Index> lengths) const {
  const States states = encoder_(embedding_(source), lengths);  // [B, S, H], [B, H]
  return {states.h, states.last, Mask::lengths(lengths, source.shape[1])};
}
// [/encode]

Memory Translator::read(const Batch& batch) const {
  return decoder_.read(encode(batch.source, batch.lengths));
}

// [loss]
Tensor Translator::loss(const Batch& batch) const {
  const Forced forced = decoder_.teach(read(batch), batch.inputs);  // logits [B, T, V]
  return cross_entropy(forced.logits, batch.targets, {.ignore = PAD});
}
// [/loss]

Tensor Translator::loss_fed_back(const Batch& batch) const {
  const Forced fed = feed_previous(decoder_, read(batch), batch.targets.shape[1]);
  return cross_entropy(fed.logits, batch.targets, {.ignore = PAD});
}

Translations Translator::translate(std::span<const Tokens> sentences, Unknown unknown) const {
  std::vector<IdPair> pairs;
  for (const Tokens& tokens : sentences) {
    if (tokens.empty())
      throw std::invalid_argument("there is nothing to translate: the sentence has no words");
    pairs.push_back({source_.ids(tokens), {EOS}});  // a batch wants a target; this one is not read
  }
  const Batch batch = make_batch(pairs);
  const Greedy greedy = greedy_decode(decoder_, read(batch), 2 * batch.source.shape[1] + 10);
  Translations result;
  result.alignment.weights = greedy.weights;
  const bool copies = unknown == Unknown::copied && greedy.weights.size() > 0;
  const Tensor weights = copies ? result.alignment.mean() : Tensor();  // [B, T, S]
  for (std::size_t b = 0; b < sentences.size(); ++b) {
    const Written& written = greedy.sentences[b];
    result.sentences.push_back({target_.tokens(written.ids), written.ended});
    if (copies)
      copy_unknown(result.sentences.back(), written.ids, sentences[b], weights, static_cast<Index>(b));
    result.alignment.source.push_back(sentences[b]);
    result.alignment.target.push_back(result.sentences.back().words);
  }
  return result;
}

}  // namespace lookback::inline LOOKBACK_NS
