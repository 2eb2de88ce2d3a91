#include "examples/kit/text/gz.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>

#include "core/file.hpp"

namespace lookback {

std::string read_gz(const std::string& path, std::size_t most) {
  const std::string packed = read_file(path);
  std::string_view rest = packed;
  std::string bytes;
  const auto require = [&](bool good, const std::string& otherwise) {
    if (!good) throw std::runtime_error(fmt::format("{}: {}", path, otherwise));
  };
  const auto begins = [&] { return rest.starts_with("\x1F\x8B"); };
  require(begins(), "not a gz file");

  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();  // + 16: gz, with its checksum
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, &inflateEnd);
  std::array<char, 1 << 16> block;
  while (!rest.empty()) {  // a member
    require(begins(), fmt::format("broken gz file (bytes after its end: {})", rest.size()));
    inflateReset(&stream);
    for (int status = Z_OK; status != Z_STREAM_END;) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));  // read only
      stream.avail_in = static_cast<uInt>(std::min(rest.size(), block.size()));
      stream.next_out = reinterpret_cast<Bytef*>(block.data());
      stream.avail_out = static_cast<uInt>(block.size());
      status = inflate(&stream, Z_NO_FLUSH);
      rest.remove_prefix(std::min(rest.size(), block.size()) - stream.avail_in);
      bytes.append(block.data(), block.size() - stream.avail_out);
      require(status != Z_BUF_ERROR, "the gz file is cut short");  // nothing came of it: it waits for more
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      require(status == Z_OK || status == Z_STREAM_END,
              fmt::format("broken gz file ({})", stream.msg ? stream.msg : zError(status)));
      require(bytes.size() <= most, fmt::format("holds more than {} bytes", most));
    }
  }
  return bytes;
}

}  // namespace lookback
