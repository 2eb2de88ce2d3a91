// The attention decoder of a command line: --score, --query, --heads, --layers.
#pragma once

#include "attention/attention_decoder.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/text/run_text.hpp"

namespace lookback::inline LOOKBACK_NS {

struct DecoderChoice {
  std::string score = "additive", query = "new";
  int heads = 1, layers = 1;

  void offer(Chapter& chapter);  // which it outlives
  // Throws UsageError for a query that is neither, and for options that change nothing with --score none.
  AttentionDecoderOptions decoder(const Chapter& chapter) const;
  RunText given(const Chapter& chapter) const;  // those on the command line, under the names of describe()
};

}  // namespace lookback::inline LOOKBACK_NS
