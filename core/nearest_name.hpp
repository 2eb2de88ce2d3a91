// The known name nearest to a misspelt one, for messages that end in "did you mean ...?".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lookback {

// Nearest by edits of one byte: insert, delete, replace, swap two neighbours (Damerau 1964; no byte is edited
// twice). The first of equally near ones; "" when none is within max(1, length of name / 3) edits.
//
//   nearest_name("adittive", {"additive", "dot"}) == "additive"      nearest_name("bilinear", ...) == ""
std::string nearest_name(std::string_view name, std::span<const std::string> known);

// no score function "adittive"; known: additive, dot; did you mean "additive"?
std::string unknown_name(std::string_view kind, std::string_view name, std::span<const std::string> known);

}  // namespace lookback
