// The figure of chapter 05: rows of boxes joined by arrows.
#include "attention/draw/png.hpp"
#include "examples/kit/figures/pipeline.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

std::vector<Box> boxes(int n, Box::Kind kind = Box::word) {
  return {static_cast<std::size_t>(n), Box{"7", "red", kind}};
}

bool has(const Image& image, Colour colour) {
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) == colour) return true;
  return false;
}

int differing(const Image& a, const Image& b) {  // pixels
  int count = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) count += !(a.at(x, y) == b.at(x, y));
  return count;
}

}  // namespace

TEST_CASE("each kind of box has its colour, and each row its place") {
  const Colour orange{253, 232, 209};
  const Pipeline words{"t", "c", {{{"tokens", "", boxes(3)}, {"ids", "", boxes(3)}}}};
  Pipeline control = words;
  control.lanes[0][1].boxes[2].kind = Box::control;
  CHECK_FALSE(has(draw_pipeline(words), orange));
  CHECK(has(draw_pipeline(control), orange));
  CHECK(encode_png(draw_pipeline(words)) == encode_png(draw_pipeline(words)));
  Pipeline longer = words;
  longer.lanes.push_back(words.lanes[0]);
  CHECK(draw_pipeline(longer).height > draw_pipeline(words).height + 100);
  CHECK(draw_pipeline(longer).width == draw_pipeline(words).width);
}

TEST_CASE("an arrow leads from box to box, aside where the row is shifted, and never to padding") {
  const auto picture = [](int shift, Box::Kind kind) {
    return draw_pipeline({"", "", {{{"", "", boxes(2)}, {"", "", boxes(3, kind), shift}}}});
  };
  const auto between = [](const Image& image) {  // dark pixels in the gap between the two rows
    int count = 0;
    for (int y = 104 + 50; y < 104 + 80; ++y)
      for (int x = 0; x < image.width; ++x) count += luminance(image.at(x, y)) < 0.7f;
    return count;
  };
  CHECK(between(picture(0, Box::word)) > 50);
  CHECK(between(picture(1, Box::word)) > 50);
  CHECK(differing(picture(0, Box::word), picture(1, Box::word)) > 100);
  CHECK(between(picture(0, Box::padding)) == 0);
}

TEST_CASE("long rows are cut, long words stay in their boxes, and nothing at all is refused") {
  for (const int n : {1, 2, 14, 15, 100'000}) {
    Pipeline pipeline{std::string(900, 't'),
                      std::string(900, 'c'),
                      {{{std::string(900, 'n'), "", boxes(n)}, {"", "", boxes(n)}}}};
    pipeline.lanes[0][0].boxes[0] = {std::string(900, 'w'), std::string(900, 'b'), Box::word};
    const Image image = draw_pipeline(pipeline);
    for (int y = 0; y < image.height; ++y) CHECK(image.at(image.width - 1, y) == palette::paper);
  }
  const auto row = [](int n) { return draw_pipeline({"", "", {{{"", "", boxes(n)}}}}); };
  CHECK(encode_png(row(15)) == encode_png(row(99)));
  CHECK(encode_png(row(14)) != encode_png(row(15)));
  CHECK_THROWS_AS(draw_pipeline({}), std::invalid_argument);
  CHECK_THROWS_AS(row(0), std::invalid_argument);
  const std::vector<BoxRow> lane(60, BoxRow{"", "", boxes(1)});
  CHECK_THROWS_AS(draw_pipeline({"", "", {lane}}), std::length_error);
}
