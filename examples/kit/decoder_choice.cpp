#include "examples/kit/decoder_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attention/score.hpp"

namespace lookback::inline LOOKBACK_NS {

void DecoderChoice::offer(Chapter& chapter) {
  const std::string scores = fmt::format("{}, or none: the last state only", fmt::join(score_names(), ", "));
  chapter.takes("--score", score, scores.c_str());
  chapter.takes("--query", query, "the state that asks: new or previous");
  chapter.takes("--heads", heads, "attention heads", 1, 16);
  chapter.takes("--layers", layers, "stacked decoder cells", 1, 8);
}

AttentionDecoderOptions DecoderChoice::decoder(const Chapter& chapter) const {
  for (const char* name : {"--heads", "--query"})
    if (score == "none" && chapter.given(name))
      throw UsageError(fmt::format("{} changes nothing with --score none", name));
  if (query != "new" && query != "previous")
    throw UsageError(fmt::format("--query: \"{}\" is not new or previous", query));
  const Query asks = query == "new" ? Query::new_state : Query::previous_state;
  return {.score = score, .heads = heads, .layers = layers, .query = asks};
}

RunText DecoderChoice::given(const Chapter& chapter) const {
  RunText all{{"score", score},
              {"query", query},
              {"heads", fmt::to_string(heads)},
              {"layers", fmt::to_string(layers)}};
  std::erase_if(all, [&](const auto& text) { return !chapter.given("--" + text.first); });
  return all;
}

}  // namespace lookback::inline LOOKBACK_NS
