#include "examples/kit/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/random.hpp"
#include "nn/loss.hpp"

namespace lookback::inline LOOKBACK_NS {

Evaluation evaluate(const TranslationModel& model, std::span<const SentencePair> pairs, Unknown unknown,
                    Search search) {
  constexpr std::size_t at_once = 32;
  if (pairs.empty()) throw std::invalid_argument("evaluate: there are no pairs");
  Evaluation e;
  Index tokens = 0, right = 0;
  std::vector<Words> written;
  for (std::size_t from = 0; from < pairs.size(); from += at_once) {
    const auto part = pairs.subspan(from, std::min(at_once, pairs.size() - from));
    Batch batch = make_batch(model.ids(part));
    for (std::int32_t& target : batch.targets.values)
      if (target == UNK) target = PAD, --batch.tokens;
    const Tensor logits = model.decoder().teach(model.read(batch), batch.inputs).logits;  // [B, T, V]
    e.loss += cross_entropy(logits, batch.targets, {.ignore = PAD, .reduction = Reduction::sum}).item();
    const Ids likeliest = argmax(logits);  // [B, T]
    for (std::size_t i = 0; i < likeliest.values.size(); ++i)
      right += batch.targets.values[i] != PAD && likeliest.values[i] == batch.targets.values[i];
    tokens += batch.tokens;

    Translations translations = model.translate(sources(part), unknown, search);
    for (std::size_t b = 0; b < part.size(); ++b) {
      Translation& translation = translations.sentences[b];
      e.exact += translation.words == part[b].target;
      e.ended += translation.ended;
      written.push_back(translation.words);
      e.written.push_back(std::move(translation));
    }
  }
  e.bleu = bleu(written, targets(pairs));
  e.loss /= static_cast<double>(tokens);
  e.accuracy = static_cast<double>(right) / static_cast<double>(tokens);
  return e;
}

std::array<double, 2> unknown_words(const TranslationModel& model, std::span<const SentencePair> pairs) {
  const auto share = [&](const Vocabulary& known, const std::vector<Tokens>& sentences) {
    int all = 0, unknown = 0;
    for (const Tokens& words : sentences)
      for (const std::string& word : words) {
        const Tokens pieces = model.pieces(Tokens{word});
        ++all, unknown += pieces.size() > 1 || !known.unseen(pieces).empty();
      }
    return unknown / static_cast<double>(all);
  };
  return {share(model.source(), sources(pairs)), share(model.target(), targets(pairs))};
}

Split hold_out(std::span<const SentencePair> pairs, Index count, std::uint64_t seed) {
  if (count < 0 || count > std::ssize(pairs))
    throw std::invalid_argument(fmt::format("hold_out: {} of {} pairs", count, pairs.size()));
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0);
  Random::named(seed, "hold_out").shuffle(order);
  std::vector<bool> held(pairs.size(), false);
  for (Index k = 0; k < count; ++k) held[order[static_cast<std::size_t>(k)]] = true;
  Split split;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    (held[i] ? split.held_out : split.trained).push_back(pairs[i]);
  return split;
}

}  // namespace lookback::inline LOOKBACK_NS
