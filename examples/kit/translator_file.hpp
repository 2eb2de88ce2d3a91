// Translators in files that keep a run (keep.hpp): what they are, and from a file one that answers.
#pragma once

#include "examples/kit/text/run_text.hpp"
#include "examples/kit/translator.hpp"

namespace lookback::inline LOOKBACK_NS {

// Its options, sizes and vocabularies: "score": "additive", "heads": "1", "source words": a word a line.
RunText describe(const Translator& model);

// The translator of a file. Its weights are those of the least validation loss, if the run had one, else the
// last; stderr says which. Throws std::runtime_error, "m.safetensors: reason", when it is not such a file, and
// when it does not say the same as `given` (run_text.hpp).
Translator load_translator(const std::string& path, const RunText& given = {});

}  // namespace lookback::inline LOOKBACK_NS
