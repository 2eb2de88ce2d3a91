#include "examples/kit/text/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "core/utf8.hpp"

namespace lookback {
namespace {

std::string read_bytes(const std::string& path) {
  const auto require = [&](bool good) {
    if (!good) throw std::system_error(errno, std::generic_category(), "cannot read " + path);
  };
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  require(file != nullptr);
  std::string bytes;
  std::array<char, 1 << 16> block;
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), file.get()))
    bytes.append(block.data(), n);
  require(!std::ferror(file.get()));  // a folder opens, but does not read
  return bytes;
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path) {
  const std::string bytes = read_bytes(path);
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
