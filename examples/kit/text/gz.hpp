// Files packed by gzip. gz.cpp is the one file that uses zlib.
#pragma once

#include <cstddef>
#include <string>

namespace lookback {

// The bytes packed in a .gz file; of several members, one after the other, as `cat a.gz b.gz` makes them. A small
// file can hold a huge one, so more than `most` bytes are refused. Throws std::runtime_error:
//
//   train.de.gz: not a gz file
//   train.de.gz: the gz file is cut short
//   train.de.gz: broken gz file (incorrect data check)                    zlib's words
//   train.de.gz: broken gz file (bytes after its end: 3)
//   train.de.gz: holds more than 1073741824 bytes
std::string read_gz(const std::string& path, std::size_t most = std::size_t{1} << 30);

}  // namespace lookback
