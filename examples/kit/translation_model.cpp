#include "examples/kit/translation_model.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "attention/beam.hpp"
#include "attention/greedy.hpp"
#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// [copied]
// Sentence b of the batch with its UNKs replaced; weights [B, T, S], the first word of the source at place `first`.
void copy_unknown(Translation& translation, std::span<const std::int32_t> ids, const Tokens& source,
                  const Tensor& weights, Index b, Index first) {
  auto word = translation.words.begin();  // of step t; GO and PAD have none
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (ids[t] == UNK) {
      const Real* row =
          weights.data() + (b * weights.shape()[1] + static_cast<Index>(t)) * weights.shape()[2] + first;
      *word = source[static_cast<std::size_t>(std::max_element(row, row + source.size()) - row)];
      translation.copied.push_back(*word);
    }
    if (ids[t] != GO && ids[t] != PAD) ++word;
  }
}
// [/copied]

// The best hypothesis of each sentence, as a greedy search would have it.
Greedy best_of(const std::vector<std::vector<Hypothesis>>& found, Index S) {
  Greedy best;
  Index heads = 0, T = 0;
  for (const std::vector<Hypothesis>& hypotheses : found) {
    const Hypothesis& first = hypotheses.front();
    best.sentences.push_back({first.ids, first.ended});
    if (!first.weights.defined()) continue;
    heads = first.weights.shape()[0];
    T = std::max(T, first.weights.shape()[1]);
  }
  best.weights = Tensor({std::ssize(found), heads, T, S});
  Real* to = best.weights.write();
  for (const std::vector<Hypothesis>& hypotheses : found)
    for (Index head = 0; head < heads; ++head, to += T * S)
      if (const Tensor& rows = hypotheses.front().weights; rows.defined())
        std::copy_n(rows.select(head).data(), rows.select(head).size(), to);
  return best;
}

}  // namespace

TranslationModel::TranslationModel(Params params, Vocabulary source, Vocabulary target, TextView view)
    : params_(std::move(params)),
      source_(std::move(source)),
      target_(std::move(target)),
      view_(std::move(view)) {}

std::vector<Tokens> TranslationModel::pieces(std::span<const Tokens> sentences) const {
  return view_.pieces ? view_.pieces->apply(sentences)
                      : std::vector<Tokens>(sentences.begin(), sentences.end());
}

Tokens TranslationModel::pieces(const Tokens& sentence) const { return pieces({&sentence, 1}).front(); }

std::vector<std::int32_t> TranslationModel::source_ids(const Tokens& pieces) const {
  std::vector<std::int32_t> ids = source_.ids(pieces);
  if (!view_.ends) return ids;
  ids.insert(ids.begin(), GO);
  ids.push_back(EOS);
  return ids;
}

IdPair TranslationModel::ids(const SentencePair& pair) const { return ids({&pair, 1}).front(); }

std::vector<IdPair> TranslationModel::ids(std::span<const SentencePair> pairs) const {
  const std::vector<Tokens> source = pieces(sources(pairs)), target = pieces(targets(pairs));
  std::vector<IdPair> all;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    all.push_back({source_ids(source[i]), target_.ids(target[i])});
  return all;
}

Tokens TranslationModel::places(const Tokens& source) const {
  Tokens all = pieces(source);
  if (view_.ends) {
    all.insert(all.begin(), source_.word(GO));
    all.push_back(source_.word(EOS));
  }
  if (view_.memory == MemoryLimit::all) return all;
  return {view_.memory == MemoryLimit::first ? all.front() : all.back()};
}

Memory TranslationModel::read(const Batch& batch, Random* dropout) const {
  return decoder().read(limit_memory(encode(batch.source, batch.lengths, dropout), view_.memory));
}

// [loss]
Tensor TranslationModel::loss(const Batch& batch, Random* dropout, Real label_smoothing) const {
  const Forced forced = decoder().teach(read(batch, dropout), batch.inputs, dropout);  // logits [B, T, V]
  return cross_entropy(forced.logits, batch.targets, {.ignore = PAD, .label_smoothing = label_smoothing});
}
// [/loss]

Tensor TranslationModel::loss_fed_back(const Batch& batch) const {
  const Forced fed = feed_previous(decoder(), read(batch), batch.targets.shape[1]);
  return cross_entropy(fed.logits, batch.targets, {.ignore = PAD});
}

Translations TranslationModel::translate(std::span<const Tokens> sentences, Unknown unknown,
                                         Search search) const {
  std::vector<IdPair> pairs;
  for (const Tokens& tokens : sentences) {
    if (tokens.empty())
      throw std::invalid_argument("there is nothing to translate: the sentence has no words");
    pairs.push_back({source_ids(pieces(tokens)), {EOS}});  // a batch wants a target; this one is not read
  }
  const Batch batch = make_batch(pairs);
  const Memory memory = read(batch);
  const Index limit = 2 * batch.source.shape[1] + 10, S = memory.encoded.h.shape()[1];
  const Greedy found =
      search.width == 1
          ? greedy_decode(decoder(), memory, limit)
          : best_of(beam_search(decoder(), memory, {search.width, limit, search.length_penalty}), S);
  Translations result;
  result.alignment.weights = found.weights;
  const bool copies =
      unknown == Unknown::copied && found.weights.size() > 0 && view_.memory == MemoryLimit::all;
  const Tensor weights = copies ? result.alignment.mean() : Tensor();  // [B, T, S]
  for (std::size_t b = 0; b < sentences.size(); ++b) {
    const Written& written = found.sentences[b];
    Translation translation{target_.tokens(written.ids), written.ended};
    if (copies)
      copy_unknown(translation, written.ids, pieces(sentences[b]), weights, static_cast<Index>(b),
                   view_.ends ? 1 : 0);
    result.alignment.source.push_back(places(sentences[b]));
    result.alignment.target.push_back(translation.words);
    if (view_.pieces) translation.words = Bpe::join(translation.words);
    result.sentences.push_back(std::move(translation));
  }
  return result;
}

}  // namespace lookback::inline LOOKBACK_NS
