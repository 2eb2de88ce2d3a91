#include "examples/kit/models.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/nearest_name.hpp"
#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

struct Kind {
  const char* name;
  const char* score = "";  // "": a Transformer
  Cell cell = Cell::gru;
  MemoryLimit memory = MemoryLimit::all;
};

// [kinds]
constexpr Kind kinds[] = {
    {.name = "all"},
    {.name = "first", .memory = MemoryLimit::first},
    {.name = "last", .memory = MemoryLimit::last},
    {.name = "gru-additive", .score = "additive"},
    {.name = "gru-dot", .score = "dot"},
    {.name = "gru-none", .score = "none"},
    {.name = "lstm-none", .score = "none", .cell = Cell::lstm},
};
// [/kinds]

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

std::unique_ptr<TranslationModel> make_model(const std::string& name, const Params& params, Vocabulary source,
                                             Vocabulary target, const ModelOptions& options) {
  const auto kind = std::ranges::find(kinds, name, &Kind::name);
  if (kind == std::end(kinds)) throw std::invalid_argument(unknown_name("model", name, model_names()));
  const TransformerOptions& n = options.sizes;
  const TextView view{options.ends, kind->memory, options.pieces};
  if (*kind->score == '\0')
    return std::make_unique<TransformerTranslator>(params, std::move(source), std::move(target), n,
                                                   options.tied, view);
  // [recurrent]
  const AttentionDecoderOptions decoder{.score = kind->score,
                                        .score_bias = true,
                                        .layers = n.layers,
                                        .cell = kind->cell,
                                        .input = options.input,
                                        .readout = options.readout,
                                        .dropout = n.dropout};
  // [/recurrent]
  return std::make_unique<Translator>(params, std::move(source), std::move(target), decoder,
                                      TranslatorSizes{n.width, n.width, n.width}, view);
}

}  // namespace lookback::inline LOOKBACK_NS
