// Reading files, and the checksum of bytes. (How files are written: tests/attention/test_draw_files.cpp.)
#include <filesystem>
#include <string>
#include <system_error>

#include "core/file.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"

using namespace lookback;

TEST_CASE("the checksum is CRC-32, in one piece or in several") {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xCBF43926);  // the value every description of it gives
  CHECK(crc32("6789", crc32("12345")) == 0xCBF43926);
  CHECK(crc32(std::string_view("\0", 1)) == 0xD202EF8D);
}

TEST_CASE("a file is read to the byte, and what cannot be read is named with the reason") {
  const TemporaryFolder folder;
  const std::string bytes = std::string(70'000, 'x') + std::string("\0\xFF\n", 3);
  CHECK(read_file(folder.write("file", bytes)) == bytes);
  CHECK(read_file(folder.write("empty", "")).empty());
  CHECK(read_file(folder / "file", 66'000) == std::string(66'000, 'x'));
  CHECK(read_file(folder / "file", 0).empty());
  CHECK_THROWS_WITH(read_file(folder / "none"),
                    "cannot read " + (folder / "none") + ": No such file or directory");
  CHECK_THROWS_WITH(read_file(folder.path.string()),
                    "cannot read " + folder.path.string() + ": Is a directory");
  CHECK_THROWS_AS(read_file(""), std::system_error);
}

TEST_CASE("a file in the place of another has its permissions") {
  const TemporaryFolder folder;
  const std::string path = folder.write("private", "old");
  const auto owner = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(path, owner);
  write_file(path, "new");
  CHECK(read_file(path) == "new");
  CHECK(std::filesystem::status(path).permissions() == owner);
}
