// Files packed by gzip, built here by hand: a header, one block that is stored as it is, checksum and size.
#include <string>
#include <string_view>
#include <vector>

#include "core/file.hpp"
#include "examples/kit/text/gz.hpp"
#include "examples/kit/text/lines.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"

using namespace lookback;
using namespace std::string_literals;
using Strings = std::vector<std::string>;

namespace {

std::string number(std::size_t value, int bytes) {  // least byte first
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xFF);
  return text;
}

std::string packed(std::string_view text) {  // up to 65,535 bytes
  return "\x1F\x8B\x08\0\0\0\0\0\0\xFF\x01"s + number(text.size(), 2) + number(~text.size(), 2) +
         std::string(text) + number(crc32(text), 4) + number(text.size(), 4);
}

// "Ein Hund.\nIch sehe einen Hund, der Hund sieht mich, der Hund läuft.\n" as gzip -9 packs it, with a name inside.
const std::string dog =
    "\x1F\x8B\x08\x08\0\0\0\0\x02\xFFx.de\0s\xCD\xCCS\xF0(\xCDK\xD1\xE3\xF2L\xCEP("
    "N\xCDHUH\xCD\xCCK\x85\x08\xEA"
    "(\xA4\xA4\x16\x81Y\x0A\xC5\x99\xA9\x19%\x0A\xB9\x99\xC9\x19H\x82"
    "9\x87\x97\x94\xA6\x95\xE8q\x01\0\xE1"
    "A\x14\xB9"
    "E\0\0\0"s;

}  // namespace

TEST_CASE("Lines of a .gz file are those of the file in it") {
  const TemporaryFolder folder;
  CHECK(read_lines(folder.write("a.gz", dog)) ==
        Strings{"Ein Hund.", "Ich sehe einen Hund, der Hund sieht mich, der Hund läuft."});
  CHECK(read_lines(folder.write("a.gz", packed("\xEF\xBB\xBFuno\r\n\r\ntres ñ"))) ==
        Strings{"uno", "", "tres ñ"});
  CHECK(read_lines(folder.write("a.gz", packed(""))).empty());
  CHECK(read_lines(folder.write("members.gz", packed("uno\ndo") + packed("") + packed("s\ntres") + dog))
            .size() == 4);
  const std::string path = folder.write("broken.gz", packed("uno\ndía \xBF\n"));
  CHECK_THROWS_WITH(read_lines(path), path + ":2:5: invalid UTF-8 (lone continuation byte 0xBF)");
}

TEST_CASE("case 13: a .gz file that is none, or not whole, is refused with the reason") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.gz";
  CHECK_THROWS_WITH(read_gz(path), "cannot read " + path + ": No such file or directory");
  const auto refused = [&](std::string_view bytes, const std::string& why) {
    INFO(why);
    folder.write("a.gz", bytes);
    CHECK_THROWS_WITH(read_gz(path), path + ": " + why);
  };
  for (const std::string_view none : {"", "\x1F", "uno\ndos\n", "PK\x03\x04"}) refused(none, "not a gz file");
  const std::string good = packed("uno\ndos\n");
  const auto changed = [&](std::size_t from_end, char by) {
    std::string bad = good;
    bad[bad.size() - from_end] = static_cast<char>(bad[bad.size() - from_end] ^ by);
    return bad;
  };
  refused(changed(1, 1), "broken gz file (incorrect length check)");
  refused(changed(5, 1), "broken gz file (incorrect data check)");
  refused(changed(12, 1), "broken gz file (incorrect data check)");  // in the text
  refused(changed(good.size() - 2, 1), "broken gz file (unknown compression method)");
  refused(changed(good.size() - 10, 6), "broken gz file (invalid block type)");
  refused(good + "xyz", "broken gz file (bytes after its end: 3)");
  refused(good + "\0"s, "broken gz file (bytes after its end: 1)");
  refused(good + dog.substr(0, 20), "the gz file is cut short");
  for (const std::string& whole : {good, dog})
    for (std::size_t size = 2; size < whole.size(); ++size)
      refused(std::string_view(whole).substr(0, size), "the gz file is cut short");
}

TEST_CASE("case 13: a small .gz file that holds a huge one is refused before it fills the memory") {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("bomb.gz", packed(std::string(60'000, 'a')) + packed(std::string(60'000, 'b')));
  CHECK(read_gz(path, 120'000).size() == 120'000);
  CHECK_THROWS_WITH(read_gz(path, 119'999), path + ": holds more than 119999 bytes");
  CHECK_THROWS_WITH(read_gz(path, 0), path + ": holds more than 0 bytes");
}
