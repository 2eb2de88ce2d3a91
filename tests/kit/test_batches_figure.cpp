// The picture of words and padding.
#include "attention/draw/png.hpp"
#include "examples/kit/figures/batches.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr Colour words_colour{38, 98, 168}, pad_colour{238, 190, 120};

int count(const Image& image, Colour colour, int from, int to) {  // in columns from .. to, without the legend
  int found = 0;
  for (int y = 0; y < 96 + 400; ++y)
    for (int x = from; x < to; ++x) found += image.at(x, y) == colour;
  return found;
}

}  // namespace

TEST_CASE("a line for each sentence, as long as its places, dark for its words") {
  const BatchesPanel panels[] = {{"padded", {4, 1, 2, 3}, {4, 4, 4, 4}}, {"not", {4, 1, 2, 3}, {4, 1, 2, 3}}};
  const Image image = draw_batches("Batches", panels);
  const int second = image.width / 2;
  CHECK(count(image, words_colour, 0, second) == 10 * 49 * 100);  // 196 pixels are 4 places, 400 are 4 lines
  CHECK(count(image, pad_colour, 0, second) == 6 * 49 * 100);
  CHECK(count(image, words_colour, second, image.width) == 10 * 49 * 100);
  CHECK(count(image, pad_colour, second, image.width) == 0);
  CHECK(encode_png(draw_batches("Batches", panels)) == encode_png(image));
}

TEST_CASE("of many sentences some are drawn, and the picture stays as high") {
  BatchesPanel panel{"many", std::vector<int>(1000, 1), std::vector<int>(1000, 2)};
  const Image image = draw_batches("Batches", {&panel, 1});
  CHECK(count(image, words_colour, 0, image.width) == 98 * 400);
  CHECK(count(image, pad_colour, 0, image.width) == 98 * 400);
  panel.words.resize(3), panel.places.resize(3);
  const Image few = draw_batches("Batches", {&panel, 1});
  CHECK(few.height == image.height);
  CHECK(count(few, words_colour, 0, few.width) == 98 * 400);
}

TEST_CASE("nothing to draw, or more words than places, is refused") {
  CHECK_THROWS_WITH(draw_batches("", {}), "batches: there is no panel");
  BatchesPanel panel{"a", {1, 2}, {2}};
  CHECK_THROWS_WITH(draw_batches("", {&panel, 1}), "batches: \"a\" needs words and places of each sentence");
  panel.places = {2, 1};
  CHECK_THROWS_WITH(draw_batches("", {&panel, 1}), "batches: \"a\" has 2 words in 1 places");
}
