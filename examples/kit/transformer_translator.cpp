#include "examples/kit/transformer_translator.hpp"

#include <stdexcept>
#include <utility>

namespace lookback::inline LOOKBACK_NS {

TransformerTranslator::TransformerTranslator(Params params, Vocabulary source, Vocabulary target,
                                             TransformerOptions options, Tied tied, TextView view)
    : TranslationModel(params, std::move(source), std::move(target), std::move(view)),
      options_(options),
      tied_(tied),
      encoder_(params["encoder"], this->source().size(), options),
      decoder_(tied == Tied::all ? TransformerDecoder(params["decoder"], encoder_.embedding(), options, true)
                                 : TransformerDecoder(params["decoder"], this->target().size(), options,
                                                      tied != Tied::none)) {
  if (tied == Tied::all && this->source().words() != this->target().words())
    throw std::invalid_argument("one matrix for both languages needs one vocabulary of both");
}

Encoded TransformerTranslator::encode(const Ids& source, std::span<const Index> lengths,
                                      Random* dropout) const {
  return encoder_(source, lengths, dropout);
}

}  // namespace lookback::inline LOOKBACK_NS
