#include "examples/kit/translator.hpp"

#include <utility>

#include "nn/dropout.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

Recurrent make_encoder(Cell cell, const Params& params, const TranslatorSizes& n) {
  if (cell == Cell::lstm) return LSTM(params["lstm"], n.embedding, n.hidden);
  return GRU(params["gru"], n.embedding, n.hidden);
}

}  // namespace

Translator::Translator(Params params, Vocabulary source, Vocabulary target, AttentionDecoderOptions options,
                       TranslatorSizes n, TextView view)
    : TranslationModel(params, std::move(source), std::move(target), std::move(view)),
      sizes_(n),
      embedding_(params["encoder.embedding"], this->source().size(), n.embedding),
      encoder_(make_encoder(options.cell, params["encoder"], n)),
      decoder_(params["decoder"], {this->target().size(), n.embedding, n.hidden, n.hidden, n.alignment},
               std::move(options)) {}

// [encode]
Encoded Translator::encode(const Ids& source, std::span<const Index> lengths, Random* dropout) const {
  const Tensor x = lookback::dropout(embedding_(source), decoder_.options().dropout, dropout);
  const States states = encoder_(x, lengths);  // [B, S, H], [B, H]; an LSTM's c
  return {states.h, states.last, Mask::lengths(lengths, source.shape[1]), states.final[0].c};
}
// [/encode]

}  // namespace lookback::inline LOOKBACK_NS
