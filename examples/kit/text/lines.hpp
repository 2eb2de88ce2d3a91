// The lines of a text file, the same on every system.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lookback {

// Lines end at \n alone, so that line n here is line n of the file in the other language: U+2028, U+0085, \v
// and \f stay inside theirs. A byte order mark, \r before \n and a missing last \n make no difference. What a file
// named .gz holds is read (gz.hpp).
//
// Throws std::runtime_error with the path and the system's reason, for more than `most` bytes, which a device can have,
// or with the place that is not UTF-8:
//
//   cannot read examples/data/mine.es: No such file or directory
//   /dev/zero: holds more than 1073741824 bytes
//   mine.es:3:17: invalid UTF-8 (byte 0xC3 without its continuation)      line 3, column 17 in code points
std::vector<std::string> read_lines(const std::string& path, std::size_t most = std::size_t{1} << 30);

}  // namespace lookback
