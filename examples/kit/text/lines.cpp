#include "examples/kit/text/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "core/file.hpp"
#include "core/utf8.hpp"
#include "examples/kit/text/gz.hpp"

namespace lookback {

std::vector<std::string> read_lines(const std::string& path, std::size_t most) {
  const std::string bytes = path.ends_with(".gz") ? read_gz(path, most) : read_file(path, most + 1);
  if (bytes.size() > most) throw std::runtime_error(fmt::format("{}: holds more than {} bytes", path, most));
  std::string_view rest = bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);

  std::vector<std::string> lines;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    try {
      decode_utf8(line);
    } catch (const Utf8Error& e) {
      throw std::runtime_error(
          fmt::format("{}:{}:{}: invalid UTF-8 ({})", path, lines.size(), e.column, e.reason));
    }
  }
  return lines;
}

}  // namespace lookback
