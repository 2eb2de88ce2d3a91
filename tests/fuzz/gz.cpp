// A packed file, of which a mebibyte is read at most.
#include "examples/kit/text/gz.hpp"

#include <fmt/format.h>

#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {

std::string read_gz(std::string_view bytes) {
  constexpr std::size_t most = 1 << 20;
  const std::size_t size = lookback::read_gz(folder().write("a.gz", bytes), most).size();
  expect(size <= most, "no more is read than was asked for");
  return fmt::format("{} bytes", size);
}

}  // namespace lookback::fuzz
