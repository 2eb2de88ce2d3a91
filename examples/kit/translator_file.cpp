#include "examples/kit/translator_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "core/tell.hpp"
#include "examples/kit/transformer_translator.hpp"
#include "nn/checkpoint.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

// Every option and size of a kind with its name in the file; choices have their names in the order of the enumeration.
template <class View, class F>
void each(View& v, const F& f) {
  f("source with ends", v.ends);
  f("memory", v.memory, "all", "first", "last");
}

template <class Options, class Sizes, class F>
void each_recurrent(Options& o, Sizes& n, const F& f) {
  f("embedding size", n.embedding);
  f("hidden size", n.hidden);
  f("alignment size", n.alignment);
  f("score", o.score);
  f("score bias", o.score_bias);
  f("heads", o.heads);
  f("layers", o.layers);
  f("cell", o.cell, "gru", "lstm");
  f("query", o.query, "new", "previous");
  f("bridge", o.bridge, "copy", "linear_tanh");
  f("first context", o.first_context, "zero", "attended");
  f("input", o.input, "projected", "direct");
  f("readout", o.readout, "projected", "direct");
  f("tied", o.tied);
  f("dropout", o.dropout);
  f("fed-back embedding learns", o.update_embedding_for_previous);
}

template <class Options, class Tied, class F>
void each_transformer(Options& o, Tied& tied, const F& f) {
  f("width", o.width);
  f("heads", o.heads);
  f("feed-forward size", o.feed_forward);
  f("layers", o.layers);
  f("norm", o.norm, "post", "pre");
  f("tied", tied, "none", "target", "all");
  f("dropout", o.dropout);
}

constexpr const char *kind = "model", *source_words = "source words", *target_words = "target words",
                     *merges = "merges";

}  // namespace

RunText describe(const TranslationModel& model) {
  RunText text{{source_words, words_to_text(model.source().words())},
               {target_words, words_to_text(model.target().words())}};
  const auto put = [&]<class T>(const char* name, const T& value, auto... choices) {
    if constexpr (std::is_enum_v<T>)
      text[name] = std::array{choices...}.at(static_cast<std::size_t>(value));
    else
      text[name] = fmt::format("{}", value);
  };
  each(model.view(), put);
  if (model.view().pieces) text[merges] = words_to_text(model.view().pieces->merges());
  if (const auto* transformer = dynamic_cast<const TransformerTranslator*>(&model)) {
    text[kind] = "transformer";
    each_transformer(transformer->options(), transformer->tied(), put);
  } else {
    const auto& recurrent = dynamic_cast<const Translator&>(model);
    text[kind] = "recurrent";
    each_recurrent(recurrent.decoder().options(), recurrent.sizes(), put);
  }
  return text;
}

std::unique_ptr<TranslationModel> load_model(const std::string& path, const RunText& given) {
  Checkpoint c = load_checkpoint(path);
  require_same(path, c.text, given);
  const auto take = [&]<class T>(const char* name, T& value, auto... choices) {
    const std::string& text = text_of(path, c.text, name);
    const auto require = [&](bool holds, const std::string& what) {
      if (!holds) throw std::runtime_error(fmt::format("{}: {} is \"{}\", {}", path, name, text, what));
    };
    if constexpr (std::is_enum_v<T>) {
      const auto names = std::array{std::string(choices)...};
      const auto found = std::find(names.begin(), names.end(), text);
      require(found != names.end(), fmt::format("not {}", fmt::join(names, " or ")));
      value = static_cast<T>(found - names.begin());
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = text;
    } else {
      std::istringstream(text) >> std::boolalpha >> value;
      require(fmt::format("{}", value) == text, "not what such a file has there");
      if constexpr (std::is_same_v<T, Real>) require(value >= 0 && value < 1, "not in [0, 1)");
      // nothing is made so often, and no product overflows
      if constexpr (std::is_same_v<T, Index>) require(value <= 1'000'000, "too large");
    }
  };
  const auto words = [&](const char* name) {
    return Vocabulary::from_words(words_from_text(text_of(path, c.text, name)));
  };
  try {
    if (!c.best.empty()) c.weights = c.best;
    TextView view;
    each(view, take);
    if (c.text.contains(merges)) view.pieces = Bpe(words_from_text(c.text.at(merges)));
    std::unique_ptr<TranslationModel> model;
    const std::string& of = text_of(path, c.text, kind);
    if (of != "transformer" && of != "recurrent")
      throw std::runtime_error(fmt::format("{}: {} is \"{}\", not transformer or recurrent", path, kind, of));
    if (of == "transformer") {
      TransformerOptions options;
      Tied tied{};
      each_transformer(options, tied, take);
      model = std::make_unique<TransformerTranslator>(Params(c.weights), words(source_words),
                                                      words(target_words), options, tied, view);
    } else {
      AttentionDecoderOptions options;
      TranslatorSizes sizes;
      each_recurrent(options, sizes, take);
      model = std::make_unique<Translator>(Params(c.weights), words(source_words), words(target_words),
                                           options, sizes, view);
    }
    c.restore(model->params());  // no weight is left over
    if (!c.best.empty())
      tell("{}: the weights of epoch {}, the best on validation\n", path,
           text_of(path, c.text, "best.epoch"));
    return model;
  } catch (const std::logic_error& error) {  // of a vocabulary or a size
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

Translator load_translator(const std::string& path, const RunText& given) {
  const std::unique_ptr<TranslationModel> model = load_model(path, given);
  if (const auto* translator = dynamic_cast<const Translator*>(model.get())) return *translator;
  throw std::runtime_error(fmt::format("{}: its model is a Transformer, which is no Translator", path));
}

}  // namespace lookback::inline LOOKBACK_NS
