#include "examples/kit/translator.hpp"

#include <stdexcept>
#include <utility>

#include "attention/greedy.hpp"
#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {

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

Translations Translator::translate(std::span<const Tokens> sentences) const {
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
  for (std::size_t b = 0; b < sentences.size(); ++b) {
    result.sentences.push_back({target_.tokens(greedy.sentences[b].ids), greedy.sentences[b].ended});
    result.alignment.source.push_back(sentences[b]);
    result.alignment.target.push_back(result.sentences.back().words);
  }
  return result;
}

}  // namespace lookback::inline LOOKBACK_NS
