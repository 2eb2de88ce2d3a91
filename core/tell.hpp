// Words for whoever watches a run, on stderr.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace lookback {

// Where it is closed or its disk is full the words are lost; fmt::print would end the run.
template <class... A>
void tell(std::FILE* to, fmt::format_string<A...> text, A&&... a) {
  std::fputs(fmt::format(text, std::forward<A>(a)...).c_str(), to);
}
template <class... A>
void tell(fmt::format_string<A...> text, A&&... a) {
  tell(stderr, text, std::forward<A>(a)...);
}

}  // namespace lookback
