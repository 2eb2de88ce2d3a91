#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/file.hpp"
#include "tests/fuzz/readers.hpp"

namespace lookback::fuzz {

std::string mended(std::string_view bytes) {
  std::string file(bytes);
  if (const std::size_t braces = file.find("}}", 8);
      braces != file.npos) {  // where the header ends, but for spaces
    const std::uint64_t length =
        std::min(file.find_first_not_of(' ', braces + 2), file.size()) - sizeof length;
    std::memcpy(file.data(), &length, sizeof length);
  }
  constexpr std::string_view before = "\"checksum\":\"", blank = "00000000";
  const std::size_t found = file.find(before), place = found + before.size();
  if (found == file.npos || place + blank.size() > file.size()) return file;
  file.replace(place, blank.size(), blank);
  return file.replace(place, blank.size(), fmt::format("{:08x}", crc32(file)));
}

}  // namespace lookback::fuzz
