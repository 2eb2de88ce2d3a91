#include <string>
#include <string_view>
#include <vector>

#include "core/utf8.hpp"
#include "examples/kit/text/lines.hpp"
#include "examples/kit/text/text.hpp"
#include "examples/kit/text/unicode.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"

using namespace lookback;
using namespace std::string_literals;

using Strings = std::vector<std::string>;

TEST_CASE("UTF-8 goes to code points and back at every border of its lengths") {
  const std::u32string borders = {0x1, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
  CHECK(encode_utf8(borders) ==
        "\x01\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF"
        "\xBF");
  CHECK(decode_utf8(encode_utf8(borders)) == borders);
  for (char32_t c = 1; c <= 0x10FFFF; c += 61)
    if (c < 0xD800 || c > 0xDFFF) REQUIRE(decode_utf8(encode_utf8({&c, 1})) == std::u32string{c});
}

TEST_CASE("case 13: broken UTF-8 is reported with its column and reason") {
  const auto error = [](std::string_view text) -> std::string {
    try {
      decode_utf8(text);
      return "none";
    } catch (const Utf8Error& e) {
      return e.what();
    }
  };
  CHECK(error("caffè") == "none");
  CHECK(error("") == "none");
  CHECK(error("ñ\0b"s) == "column 2: invalid UTF-8 (NUL byte)");
  CHECK(error("día\xBF") == "column 4: invalid UTF-8 (lone continuation byte 0xBF)");
  CHECK(error("caf\xC3") == "column 4: invalid UTF-8 (byte 0xC3 without its continuation)");
  CHECK(error("caf\xC3 con leche") == "column 4: invalid UTF-8 (byte 0xC3 without its continuation)");
  CHECK(error("\xE2\x82") == "column 1: invalid UTF-8 (byte 0xE2 without its continuation)");
  CHECK(error("\xF0\x9F\x98z") == "column 1: invalid UTF-8 (byte 0xF0 without its continuation)");
  CHECK(error("a\xC0\xAF") == "column 2: invalid UTF-8 (overlong form of U+002F)");
  CHECK(error("\xC0\x80") == "column 1: invalid UTF-8 (overlong form of U+0000)");
  CHECK(error("\xE0\x82\x80") == "column 1: invalid UTF-8 (overlong form of U+0080)");
  CHECK(error("\xF0\x82\x82\xAC") == "column 1: invalid UTF-8 (overlong form of U+20AC)");
  CHECK(error("\xED\xA0\x80") == "column 1: invalid UTF-8 (surrogate U+D800)");
  CHECK(error("\xED\xBF\xBF") == "column 1: invalid UTF-8 (surrogate U+DFFF)");
  CHECK(error("\xF4\x90\x80\x80") == "column 1: invalid UTF-8 (U+110000, beyond U+10FFFF)");
  CHECK(error("\xFF\xFEh") == "column 1: invalid UTF-8 (byte 0xFF, which begins no character)");
}

TEST_CASE("Tokens: white space separates, punctuation stands alone") {
  CHECK(tokenize("I like my red car.") == Strings{"i", "like", "my", "red", "car", "."});
  CHECK(tokenize("¿Dónde están mis zapatos?") == Strings{"¿", "dónde", "están", "mis", "zapatos", "?"});
  CHECK(tokenize("¡No!") == Strings{"¡", "no", "!"});
  CHECK(tokenize("Wait... (really)") == Strings{"wait", ".", ".", ".", "(", "really", ")"});
  CHECK(tokenize("_EOS <pad> 20€") == Strings{"_", "eos", "<", "pad", ">", "20", "€"});
  CHECK(tokenize("").empty());
  CHECK(tokenize(" \t\r\v\f\u00A0\u0085\u2028\u2029\u3000").empty());
  CHECK(tokenize("a\u2028b\u0085c\fd\u00A0e") == Strings{"a", "b", "c", "d", "e"});
}

TEST_CASE("Tokens: a control character parts words as a space does, so that none comes to a terminal") {
  CHECK(tokenize("a\x1b[31mred\x07\u009Bb\x7F") == Strings{"a", "[", "31mred", "b"});
  CHECK(tokenize("\x01 \x1f\u0080").empty());
}

TEST_CASE("Tokens of a sentence to translate: not of one too long to wait for") {
  std::string line;
  for (int i = 0; i < 250; ++i) line += "ñ é ";
  CHECK(tokenize_short(line).size() == 500);
  CHECK(tokenize_short("\xEF\xBB\xBF"
                       "Ja") == Strings{"ja"});  // as an editor may save it
  CHECK(tokenize_short("T-Shirt", {.split = true}) == Strings{"t", "-", "shirt"});
  CHECK_THROWS_WITH(tokenize_short(line + "."), "1001 characters, and a sentence has 1000 at most");
  CHECK_THROWS_AS(tokenize_short("\xff" + line + "."), Utf8Error);
}

TEST_CASE("Tokens: apostrophes and hyphens stay inside a word, and only there") {
  CHECK(tokenize("I don't, rock'n'roll!") == Strings{"i", "don't", ",", "rock'n'roll", "!"});
  CHECK(tokenize("don\u2019t") == Strings{"don\u2019t"});
  CHECK(tokenize("a T-shirt - red") == Strings{"a", "t-shirt", "-", "red"});
  CHECK(tokenize("'quoted' -5 a--b") == Strings{"'", "quoted", "'", "-", "5", "a", "-", "-", "b"});
}

TEST_CASE("Tokens: split, as Note I's experiment has them") {
  const auto split = [](std::string_view text) { return tokenize(text, {.split = true}); };
  CHECK(split("I don't, rock'n'roll!") ==
        Strings{"i", "don", "'", "t", ",", "rock", "'", "n", "'", "roll", "!"});
  CHECK(split("Don\u2019t wear a T-shirt") == Strings{"don", "\u2019", "t", "wear", "a", "t", "-", "shirt"});
  CHECK(split("a_b _ __x_ -_-") == Strings{"a_b", "_", "__x_", "-", "_", "-"});
  CHECK(split("Nr. 7: 3,5 km, 2x, x²") ==
        Strings{"nr", ".", "7", ":", "3", ",", "5", "km", ",", "2x", ",", "x²"});
  CHECK(split("10\u00A0Uhr\u202F30\u3000\u2009.") == Strings{"10", "uhr", "30", "."});
  CHECK(split("„Hallo“ – 20€…") == Strings{"„", "hallo", "“", "–", "20", "€", "…"});
  CHECK(split("MA\u0308USE Ma\u0308use") == Strings{"m\u00E4use", "m\u00E4use"});
  CHECK(split("x\u0323\u0301y") ==
        Strings{"x\u0323\u0301y"});  // accents that no letter has composed stay inside
  CHECK(tokenize("a_b t-shirt") == Strings{"a", "_", "b", "t-shirt"});
}

TEST_CASE("Tokens: composed form and lower case, one character for one") {
  CHECK(tokenize("cafe\u0301") == tokenize("caf\u00E9"));
  CHECK(tokenize("E\u0301l") == Strings{"\u00E9l"});
  CHECK(tokenize("Die STRAßE") == Strings{"die", "straße"});
  CHECK(tokenize("Die Straße", {.lower = false}) == Strings{"Die", "Straße"});
  CHECK(tokenize("H\u0331") == Strings{"\u1E96"});  // composed exists in lower case only: composed last
  CHECK_THROWS_WITH(tokenize("hola \xC3"), "column 6: invalid UTF-8 (byte 0xC3 without its continuation)");
}

TEST_CASE("Detokenize writes a readable sentence") {
  const auto again = [](std::string_view text) { return detokenize(tokenize(text, {.lower = false})); };
  for (const std::string_view text :
       {"I like my red car.", "¿Puedo ver la camisa azul, por favor?", "¡No! Yes: (a) «b»; T-shirt...",
        "She said \"no\" and left.", "", "„x”"})
    CHECK(again(text) == text);
  CHECK(detokenize(Strings{"me", "gusta", "."}) == "me gusta.");
  CHECK(detokenize(Strings{".", "a"}) == ". a");
}

TEST_CASE("Width in a terminal") {
  CHECK(display_width("") == 0);
  CHECK(display_width("coche") == 5);
  CHECK(display_width("jardín") == 6);
  CHECK(display_width("jardi\u0301n") == 6);
  CHECK(display_width("猫") == 2);
}

TEST_CASE("Lines: byte order mark, \\r\\n and a missing last \\n make no difference") {
  const TemporaryFolder folder;
  const Strings lines = {"uno", "", "tres ñ"};
  CHECK(read_lines(folder.write("plain", "uno\n\ntres ñ\n")) == lines);
  CHECK(read_lines(folder.write("no last newline", "uno\n\ntres ñ")) == lines);
  CHECK(read_lines(folder.write("crlf", "uno\r\n\r\ntres ñ\r\n")) == lines);
  CHECK(read_lines(folder.write("crlf, no last newline", "uno\r\n\r\ntres ñ")) == lines);
  CHECK(read_lines(folder.write("mark", "\xEF\xBB\xBFuno\r\n\r\ntres ñ")) == lines);
  CHECK(read_lines(folder.write("empty", "")).empty());
  CHECK(read_lines(folder.write("only a mark", "\xEF\xBB\xBF")).empty());
  CHECK(read_lines(folder.write("one newline", "\n")) == Strings{""});
  CHECK(read_lines(folder.write("blank last", "a\n\n")) == Strings{"a", ""});
}

TEST_CASE("case 13: lines: only \\n ends one") {
  const TemporaryFolder folder;
  const Strings lines = {"a\u2028b\u2029c\u0085d\ve\ff\rg", "z"};
  CHECK(read_lines(folder.write("separators", "a\u2028b\u2029c\u0085d\ve\ff\rg\nz\n")) == lines);
}

TEST_CASE("Lines: what cannot be read is refused with place and reason") {
  const TemporaryFolder folder;
  const std::string path = folder / "mine.es";
  CHECK_THROWS_WITH(read_lines(path), "cannot read " + path + ": No such file or directory");
  CHECK_THROWS_WITH(read_lines(folder.path.string()),
                    "cannot read " + folder.path.string() + ": Is a directory");
  const auto refused = [&](std::string_view bytes, const std::string& where) {
    folder.write("mine.es", bytes);
    CHECK_THROWS_WITH(read_lines(path), path + where);
  };
  refused("a\nb\nñu\xBF\n", ":3:3: invalid UTF-8 (lone continuation byte 0xBF)");
  refused("a\nsi\xC3\nb\n", ":2:3: invalid UTF-8 (byte 0xC3 without its continuation)");
  refused("a\nsi\xC3", ":2:3: invalid UTF-8 (byte 0xC3 without its continuation)");
  refused("a\nb\0c\nd\n"s, ":2:2: invalid UTF-8 (NUL byte)");
  refused("\xEF\xBB\xBF\xC0\xAF\n", ":1:1: invalid UTF-8 (overlong form of U+002F)");
  refused("\xFF\xFEh\0"s, ":1:1: invalid UTF-8 (byte 0xFF, which begins no character)");
  folder.write("mine.es", "a\nb\n");
  CHECK(read_lines(path, 4) == Strings{"a", "b"});
  CHECK_THROWS_WITH(read_lines(path, 3), path + ": holds more than 3 bytes");
}
