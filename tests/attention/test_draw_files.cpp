// Files are whole or not there, and what went wrong is said.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>

#include "attention/draw/png.hpp"
#include "tests/catch.hpp"

#ifndef _WIN32
#include <sys/resource.h>

#include <csignal>
#endif

using namespace lookback;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

// A folder that goes away with the test.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("lookback draw ü " + std::to_string(std::random_device{}()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::ptrdiff_t entries() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("case 17: a file is written under any name, over an old one, and nothing else is left") {
  const Folder folder;
  for (const std::string& name :
       {std::string("heat.png"), std::string("with spaces.png"), std::string("añ–ü Ж.png"),
        std::string("no_extension"), std::string(255, 'n')}) {
    CAPTURE(name);
    write_file(folder / name, "old");
    write_file(folder / name, std::string_view("new\0bytes", 9));
    CHECK(read(folder / name) == std::string("new\0bytes", 9));
    fs::remove(folder / name);
    CHECK(folder.entries() == 0);
  }
}

TEST_CASE("a PNG says its size, and an empty picture is refused before any file is touched") {
  const Folder folder;
  write_png(folder / "a.png", Image(300, 2, palette::ink));
  CHECK(read(folder / "a.png").substr(12, 12) == std::string("IHDR\0\0\1\x2C\0\0\0\2", 12));
  CHECK_THROWS_WITH(write_png(folder / "a.png", Image()), ContainsSubstring("empty"));
  CHECK(read(folder / "a.png").size() > 60);
}

TEST_CASE("case 17: what cannot be written is refused with the path and the reason") {
  const Folder folder;
  write_file(folder / "file", "kept");
  const std::string missing = folder / "no/folder/x.png", below = folder / "file/x.png";
  const std::string longer = folder / std::string(256, 'n');
  CHECK_THROWS_WITH(write_file(missing, "x"), "cannot write " + missing + ": No such file or directory");
  CHECK_THROWS_WITH(write_file(below, "x"), "cannot write " + below + ": Not a directory");
  CHECK_THROWS_WITH(write_file(longer, "x"), "cannot write " + longer + ": File name too long");
  CHECK_THROWS_WITH(write_file(folder.path.string(), "x"),
                    "cannot write " + folder.path.string() + ": Is a directory");
  CHECK_THROWS_AS(write_file("", "x"), std::system_error);
  CHECK(folder.entries() == 1);
  CHECK(read(folder / "file") == "kept");
}

TEST_CASE("case 17: folders are made, nested too, and one that cannot be is refused") {
  const Folder folder;
  make_folder(folder / "a/b c/d");
  make_folder(folder / "a/b c/d");   // again is fine
  make_folder(folder / "a/b c/d/");  // so is a slash
  CHECK(fs::is_empty(folder.path / "a/b c/d"));
  write_file(folder / "file", "x");
  CHECK_THROWS_WITH(make_folder(folder / "file"),
                    "cannot make folder " + (folder / "file") + ": Not a directory");
  CHECK_THROWS_WITH(make_folder(folder / "file/b"),
                    "cannot make folder " + (folder / "file/b") + ": Not a directory");
}

#ifndef _WIN32

TEST_CASE("case 17: a write that breaks off leaves the old file whole") {
  const Folder folder;
  write_file(folder / "a", "old and good");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  std::string message;
  try {
    write_file(folder / "a", std::string(100000, 'x'));
  } catch (const std::system_error& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(message == "cannot write " + (folder / "a") + ": File too large");
  CHECK(read(folder / "a") == "old and good");
  CHECK(folder.entries() == 1);
}

TEST_CASE("case 17: a full device is named, and stays a device") {
  if (!fs::is_character_file("/dev/full")) return;  // Linux has one
  CHECK_THROWS_WITH(write_png("/dev/full", Image(50, 50, palette::ink)),
                    "cannot write /dev/full: No space left on device");
  CHECK(fs::is_character_file("/dev/full"));
}

TEST_CASE("a link to a file keeps being a link") {
  const Folder folder;
  write_file(folder / "a", "old");
  fs::create_symlink(folder.path / "a", folder.path / "link");
  write_file(folder / "link", "new");
  CHECK(fs::is_symlink(folder.path / "link"));
  CHECK(read(folder / "a") == "new");
}

#endif
