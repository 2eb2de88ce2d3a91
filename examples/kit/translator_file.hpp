// Models in files that keep a run (keep.hpp): what they are, and from a file one that answers.
#pragma once

#include <memory>

#include "examples/kit/text/run_text.hpp"
#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// Its kind, options, sizes and vocabularies: "model": "recurrent", "score": "additive", "heads": "1", "source words": a
// word a line.
RunText describe(const TranslationModel& model);

// The model of a file. Its weights are those of the least validation loss, if the run had one, else the
// last; stderr says which. Throws std::runtime_error, "m.safetensors: reason", when it is not such a file, and
// when it does not say the same as `given` (run_text.hpp).
std::unique_ptr<TranslationModel> load_model(const std::string& path, const RunText& given = {});
// The same, when it is a Translator.
Translator load_translator(const std::string& path, const RunText& given = {});

}  // namespace lookback::inline LOOKBACK_NS
