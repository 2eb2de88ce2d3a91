#include "core/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <system_error>
#ifndef _WIN32
#include <unistd.h>
#endif

namespace lookback {
namespace {

namespace fs = std::filesystem;

std::error_code last_error() { return {errno, std::generic_category()}; }

bool flush_to_disk(std::FILE* file) {
  if (std::fflush(file) != 0) return false;
#ifndef _WIN32
  return fsync(fileno(file)) == 0 || errno == EINVAL || errno == ENOTSUP;  // a pipe has no disk
#else
  return true;
#endif
}

// Mode "wb" writes over what is there, "wbx" refuses when something is.
std::error_code put(const fs::path& path, const char* mode, std::string_view bytes) {
  std::FILE* file = std::fopen(path.string().c_str(), mode);
  if (!file) return last_error();
  std::error_code error;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || !flush_to_disk(file))
    error = last_error();
  if (std::fclose(file) != 0 && !error) error = last_error();
  return error;
}

// The name is short whatever the target's, which may already have the 255 bytes a name may have.
fs::path temporary_in(const fs::path& folder) {
  return folder / fmt::format(".lookback-{:08x}.part", std::random_device{}());
}

// What is at the path, and why no file can come there: a name that none can have, or an old file that may not be
// changed, about which a rename would not ask.
fs::file_status look(const fs::path& path, std::error_code& error) {
  const fs::file_status there = fs::status(path, error);
  if (there.type() == fs::file_type::not_found) error.clear();
  if (fs::is_regular_file(there)) error = put(path, "ab", "");
  return there;
}

// Where a link leads, even if nothing is there yet.
fs::path followed(fs::path path) {
  std::error_code ignored;
  while (fs::is_symlink(path, ignored)) path = path.parent_path() / fs::read_symlink(path, ignored);
  return path;
}

}  // namespace

void write_file(const std::string& path, std::string_view bytes) {
  std::error_code error, ignored;
  const fs::file_status there = look(path, error);
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    error = put(path, "wb", bytes);
  } else if (!error) {
    const fs::path target = followed(path), temporary = temporary_in(target.parent_path());
    error = put(temporary, "wbx", bytes);
    if (!error && fs::exists(there)) fs::permissions(temporary, there.permissions(), error);
    if (!error) fs::rename(temporary, target, error);
    if (error) fs::remove(temporary, ignored);
  }
  if (error) throw std::system_error(error, fmt::format("cannot write {}", path));
}

std::string read_file(const std::string& path, std::size_t most) {
  const auto require = [&](bool good) {
    if (!good) throw std::system_error(last_error(), fmt::format("cannot read {}", path));
  };
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  require(file != nullptr);
  std::string bytes;
  std::array<char, 1 << 16> block;
  while (const std::size_t n =
             std::fread(block.data(), 1, std::min(block.size(), most - bytes.size()), file.get()))
    bytes.append(block.data(), n);
  require(!std::ferror(file.get()));  // a folder opens, but does not read
  return bytes;
}

std::uint32_t crc32(std::string_view bytes, std::uint32_t crc) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      t[i] = i;
      for (int bit = 0; bit < 8; ++bit) t[i] = t[i] >> 1 ^ (t[i] & 1 ? 0xEDB88320 : 0);
    }
    return t;
  }();
  crc = ~crc;
  for (const char c : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

void make_folder(const std::string& path) {
  std::error_code error, ignored;
  const fs::path folder = path.empty() ? "." : path;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, ignored)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw std::system_error(error, fmt::format("cannot make folder {}", path));
  const fs::path probe = temporary_in(folder);
  error = put(probe, "wbx", "can it be written to?");
  fs::remove(probe, ignored);
  if (error) throw std::system_error(error, fmt::format("cannot write in folder {}", path));
}

void make_folder_of(const std::string& file) {
  std::error_code error;
  const fs::file_status there = look(file, error);
  if (fs::exists(there) && !fs::is_regular_file(there))
    error = std::make_error_code(std::errc::not_supported);
  if (fs::is_directory(there) || !fs::path(file).has_filename())
    error = std::make_error_code(std::errc::is_a_directory);
  if (error) throw std::system_error(error, fmt::format("cannot write {}", file));
  make_folder(followed(file).parent_path().string());
}

}  // namespace lookback
