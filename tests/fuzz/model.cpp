// A file that keeps a model, to translate with.
#include <fmt/format.h>

#include "examples/kit/translator_file.hpp"
#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {

std::string read_model(std::string_view bytes) {
  const auto model = load_model(folder().write("m.safetensors", mended(bytes)));
  const Tokens sentence{"a", "b", "unseen"};
  for (const Index width : {1, 2}) model->translate({&sentence, 1}, Unknown::copied, {.width = width});
  return fmt::format("{} parameters", model->params().count());
}

}  // namespace lookback::fuzz
