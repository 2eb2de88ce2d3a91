// Colours, text and shapes: what every picture is made of.
#include <cmath>

#include "attention/draw/characters.hpp"
#include "attention/draw/image.hpp"
#include "core/utf8.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

// Mean darkness of the picture: 0 where it is all paper.
double inked(const Image& image) {
  double sum = 0;
  for (const std::uint8_t byte : image.rgb) sum += 255 - byte;
  return sum / 3 / 255;
}

}  // namespace

TEST_CASE("viridis runs from violet through teal to yellow and clamps") {
  CHECK(viridis(0) == Colour{68, 1, 84});
  CHECK(viridis(0.5f) == Colour{33, 145, 140});
  CHECK(viridis(1) == Colour{253, 231, 37});
  CHECK(viridis(-3) == viridis(0));
  CHECK(viridis(7) == viridis(1));
  for (int k = 1; k <= 100; ++k) CHECK(luminance(viridis(k / 100.0f)) > luminance(viridis((k - 1) / 100.0f)));
}

TEST_CASE("no weight has the colour of a cell that is not finite") {
  for (int k = 0; k <= 1000; ++k) {
    const Colour a = viridis(k / 1000.0f), b = palette::not_finite;
    CHECK(std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) > 80);
  }
}

TEST_CASE("UTF-8 is decoded, and what is broken becomes U+FFFD") {
  CHECK(decode_utf8_lossy("añЯ日😀") == U"añЯ日😀");
  CHECK(decode_utf8_lossy("\xC3") == U"\uFFFD");              // cut short
  CHECK(decode_utf8_lossy("\xC3(") == U"\uFFFD(");            // not followed
  CHECK(decode_utf8_lossy("\x80z") == U"\uFFFDz");            // starts in the middle
  CHECK(decode_utf8_lossy("\xC0\xAF") == U"\uFFFD");          // overlong
  CHECK(decode_utf8_lossy("\xED\xA0\x80") == U"\uFFFD");      // surrogate
  CHECK(decode_utf8_lossy("\xF4\x90\x80\x80") == U"\uFFFD");  // past U+10FFFF
  CHECK(decode_utf8_lossy("\xFFz") == U"\uFFFDz");
  CHECK(decode_utf8_lossy(std::string_view("a\0b", 3)).size() == 3);
  CHECK(encode_utf8(U"añЯ日😀") == "añЯ日😀");
}

TEST_CASE("labels of our languages need no missing-glyph box") {
  CHECK(missing_glyphs("El niño comió en Cádiz, ¿qué? ¡Sí!") == 0);
  CHECK(missing_glyphs("Äpfel, Öl, Übermut, Straße, „so“ – ẞ") == 0);
  CHECK(missing_glyphs("Съешь ещё этих мягких французских булок; Ґґ Її Єє") == 0);
  CHECK(missing_glyphs("ça œuvre naïve Zażółć gęślą jaźń Příliš žluťoučký") == 0);
  CHECK(missing_glyphs("α β Σ e₁ h₃ Wₒ √ ≤ · × → “quoted” … <s> </s> _EOS") == 0);
  CHECK(missing_glyphs("x\u0302\u0323") == 0);   // marks without a composed form
  CHECK(missing_glyphs("a\u200Db\uFE0F") == 0);  // invisible
  CHECK(missing_glyphs("日本") == 2);
  CHECK(missing_glyphs("\xFF") == 0);  // U+FFFD is in the font
}

TEST_CASE("a combining mark takes no width, a missing glyph does") {
  CHECK(text_width("x\u0302\u0323y", 16) == Approx(text_width("xy", 16)));
  CHECK(text_width("", 16) == 0);
  CHECK(text_width("日", 16) > 8);
  CHECK(text_width("mm", 32) == Approx(2 * text_width("mm", 16)));
}

TEST_CASE("a long text is shortened to fit, a short one is kept") {
  CHECK(shortened("niño", 16, 200) == "niño");
  const std::string cut = shortened(std::string(100000, 'w') + "\xFF", 16, 200);
  CHECK(text_width(cut, 16) <= 200);
  CHECK(text_width(cut, 16) > 180);
  CHECK(decode_utf8_lossy(cut).back() == U'…');
}

TEST_CASE("text stands where its anchor says, at every angle") {
  for (const float angle : {0.0f, 45.0f, 90.0f, 200.0f}) {
    Canvas canvas(200, 200);
    canvas.text("mmmm", {100, 100}, {.size = 16, .anchor = Anchor::centre, .angle = angle});
    double x = 0, y = 0, sum = 0;
    for (int j = 0; j < 200; ++j)
      for (int i = 0; i < 200; ++i) {
        const double dark = 255 - canvas.image().at(i, j).g;
        x += dark * i, y += dark * j, sum += dark;
      }
    const double turn = angle * 3.14159265 / 180;  // the middle of an m is 4.4 above the base line
    CHECK(x / sum == Approx(99.5 - 4.4 * std::sin(turn)).margin(0.7));
    CHECK(y / sum == Approx(99.5 - 4.4 * std::cos(turn)).margin(0.7));
  }
}

TEST_CASE("shapes cover their area, wherever they stand") {
  Canvas square(20, 20), line(60, 60), circle(60, 60), ring(60, 60);
  square.polygon({{2.25f, 3.5f}, {10.5f, 3.5f}, {10.5f, 9.75f}, {2.25f, 9.75f}}, {0, 0, 0});
  CHECK(inked(square.image()) == Approx(8.25 * 6.25).epsilon(0.01));
  line.line({10, 10}, {40, 50}, 3, {0, 0, 0});
  CHECK(inked(line.image()) == Approx(50 * 3).epsilon(0.01));
  circle.circle({30.3f, 29.6f}, 20, {0, 0, 0}, 0.5f);
  CHECK(inked(circle.image()) == Approx(0.5 * 3.14159 * 400).epsilon(0.01));
  ring.fill({{{10, 10}, {50, 10}, {50, 50}, {10, 50}}, {{20, 20}, {20, 40}, {40, 40}, {40, 20}}}, {0, 0, 0});
  CHECK(inked(ring.image()) == Approx(1200).epsilon(0.001));
}

TEST_CASE("what leaves the picture is clipped") {
  Canvas canvas(20, 10);
  canvas.polygon({{-1000, 5}, {1000, 5}, {1000, 1000}, {-1000, 1000}}, {0, 0, 0});
  CHECK(inked(canvas.image()) == Approx(100).epsilon(0.001));
  canvas.rectangle(-5, -5, 100, 100, {0, 0, 0});
  CHECK(inked(canvas.image()) == Approx(200));
  canvas.text("outside", {500, 500});
  canvas.line({5, 5}, {5, 5}, 3, {0, 0, 0});  // no length, no direction
}

TEST_CASE("a picture has sides from 1 to 4096") {
  CHECK_THROWS_WITH(Canvas(0, 5), Catch::Matchers::ContainsSubstring("0 x 5"));
  CHECK_THROWS_WITH(Canvas(10, 5000), Catch::Matchers::ContainsSubstring("10 x 5000"));
}
