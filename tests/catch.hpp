// The one way our tests include Catch2: version 3, or 2.13 (Debian 12), under version 3's names.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>
using Catch::Approx;  // version 2 has this line itself, and breaks on a second one

#else

#include <catch2/catch.hpp>
#include <string>

namespace Catch::Matchers {

inline auto ContainsSubstring(const std::string& text) { return Contains(text); }

}  // namespace Catch::Matchers

#endif
