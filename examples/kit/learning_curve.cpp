#include "examples/kit/learning_curve.hpp"

#include <limits>

#include "examples/kit/train.hpp"

namespace lookback::inline LOOKBACK_NS {

// [curve]
Line learning_curve(const Corpus& corpus, const AttentionDecoderOptions& options, std::uint64_t seed,
                    int steps, const std::function<Tensor(const Translator&, const Batch&)>& loss) {
  const std::vector<Tokens> all = sources(corpus.pairs);
  const Translator model(Params(seed), Vocabulary(all), Vocabulary(targets(corpus.pairs)), options);
  std::vector<IdPair> ids;
  for (const SentencePair& pair : corpus.pairs) ids.push_back(model.ids(pair));
  Line line{options.score, {}, {}};
  const auto count = [&](int step) {
    if (step % 5 && step < steps) return;
    const Translations t = model.translate(all);
    int exact = 0;
    for (std::size_t b = 0; b < all.size(); ++b) exact += t.sentences[b].words == corpus.pairs[b].target;
    line.x.push_back(static_cast<float>(step)), line.y.push_back(static_cast<float>(exact));
  };
  const Batch batch = make_batch(ids);
  train(model.params(), {&batch, 1}, [&](const Batch& b) { return loss(model, b); },
        {.title = options.score, .epochs = steps, .after_epoch = count});
  return line;
}
// [/curve]

float first_at(const Line& line, float y) {
  for (std::size_t i = 0; i < line.y.size(); ++i)
    if (line.y[i] == y) return line.x[i];
  return std::numeric_limits<float>::infinity();
}

}  // namespace lookback::inline LOOKBACK_NS
