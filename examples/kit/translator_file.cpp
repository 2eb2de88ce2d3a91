#include "examples/kit/translator_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "nn/checkpoint.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// Every option and size with its name in the file; choices have their names in the order of the enumeration.
template <class Options, class Sizes, class F>
void each(Options& o, Sizes& n, const F& f) {
  f("embedding size", n.embedding);
  f("hidden size", n.hidden);
  f("alignment size", n.alignment);
  f("score", o.score);
  f("score bias", o.score_bias);
  f("heads", o.heads);
  f("layers", o.layers);
  f("query", o.query, "new", "previous");
  f("bridge", o.bridge, "copy", "linear_tanh");
  f("first context", o.first_context, "zero", "attended");
  f("readout", o.readout, "projected", "direct");
  f("tied", o.tied);
  f("dropout", o.dropout);
  f("fed-back embedding learns", o.update_embedding_for_previous);
}

constexpr const char *source_words = "source words", *target_words = "target words";

}  // namespace

RunText describe(const Translator& model) {
  RunText text{{source_words, words_to_text(model.source().words())},
               {target_words, words_to_text(model.target().words())}};
  each(model.decoder().options(), model.sizes(),
       [&]<class T>(const char* name, const T& value, auto... choices) {
         if constexpr (std::is_enum_v<T>)
           text[name] = std::array{choices...}.at(static_cast<std::size_t>(value));
         else
           text[name] = fmt::format("{}", value);
       });
  return text;
}

Translator load_translator(const std::string& path, const RunText& given) {
  Checkpoint c = load_checkpoint(path);
  require_same(path, c.text, given);
  AttentionDecoderOptions options;
  TranslatorSizes sizes;
  each(options, sizes, [&]<class T>(const char* name, T& value, auto... choices) {
    const std::string& text = text_of(path, c.text, name);
    if constexpr (std::is_enum_v<T>) {
      const auto names = std::array{std::string(choices)...};
      value = static_cast<T>(std::find(names.begin(), names.end(), text) - names.begin());
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = text;
    } else {
      std::istringstream(text) >> std::boolalpha >> value;
    }
  });
  const auto words = [&](const char* name) {
    return Vocabulary::from_words(words_from_text(text_of(path, c.text, name)));
  };
  try {
    if (!c.best.empty()) {
      c.weights = c.best;
      fmt::print(stderr, "{}: the weights of epoch {}, where the validation loss was least\n", path,
                 text_of(path, c.text, "best.epoch"));
    }
    const Translator model(Params(c.weights), words(source_words), words(target_words), options, sizes);
    require_same(path, c.text, describe(model));  // numbers and choices that were none
    c.restore(model.params());                    // and no weight is left over
    return model;
  } catch (const std::logic_error& error) {  // of a vocabulary or a size
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace lookback::inline LOOKBACK_NS
