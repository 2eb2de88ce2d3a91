// The figure of chapter 08: a decoder that reads the teacher's words, and its own.
#include "attention/draw/png.hpp"
#include "examples/kit/figures/loop.hpp"
#include "tests/catch.hpp"

using namespace lookback;
using Words = std::vector<std::string>;

namespace {

const Loop right{{"_GO", "la", "veo"}, {"la", "veo", "."}, {"la", "veo", "."}, {"la", "veo", "."}};

int pixels(const Image& image, Colour colour, int from, int to) {  // in rows from .. to
  int count = 0;
  for (int y = from; y < to; ++y)
    for (int x = 0; x < image.width; ++x) count += image.at(x, y) == colour;
  return count;
}

}  // namespace

TEST_CASE("wrong words are red where they are written, and where they are read back") {
  const Colour red{250, 226, 236};
  Loop wrong = right;
  wrong.forced[0] = wrong.fed_back[0] = "lo";
  const Image good = draw_loop(right, "now"), bad = draw_loop(wrong, "now");
  const int half = good.height / 2;
  CHECK(pixels(good, red, 0, good.height) == 0);
  const int above = pixels(bad, red, 0, half), below = pixels(bad, red, half, bad.height);
  CHECK(above > 3000);                             // one box: written, and never read
  CHECK(below == Approx(2 * above).epsilon(0.1));  // two: written, and read by the next step
}

TEST_CASE("four steps are drawn, unequal lists refused") {
  const auto picture = [](std::size_t n) {
    const Words words(n, "palabra");
    return draw_loop({words, words, words, words}, "");
  };
  CHECK(picture(4).width > picture(3).width);
  CHECK(encode_png(picture(4)) == encode_png(picture(9)));
  Loop longest = right;
  longest.fed_back[2] = std::string(900, 'w');
  const Image image = draw_loop(longest, std::string(900, 'w'));
  for (int y = 0; y < image.height; ++y) CHECK(image.at(image.width - 1, y) == palette::paper);
  Loop uneven = right;
  uneven.forced.pop_back();
  CHECK_THROWS_WITH(draw_loop(uneven, ""), "loop: 3 inputs, 3 targets, 2 and 3 words written");
  CHECK_THROWS_AS(picture(0), std::invalid_argument);
}
