// A folder that lives as long as a test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

struct TemporaryFolder {
  std::filesystem::path path;

  TemporaryFolder() {
    static int count = 0;
    const std::string name = "lookback " + std::to_string(getpid()) + " ñ " + std::to_string(++count);
    path = std::filesystem::temp_directory_path() / name;
    std::filesystem::create_directories(path);
  }
  ~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path, none);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(std::string_view name) const { return (path / name).string(); }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(*this / name, std::ios::binary) << bytes;
    return *this / name;
  }
};
