// The states of chapter 06 as coloured cells.
#include <limits>

#include "attention/draw/png.hpp"
#include "examples/kit/figures/states.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr Colour blue{38, 98, 168}, orange{214, 110, 6};

StatePanel panel(std::vector<float> h, std::vector<float> last, std::ptrdiff_t steps, bool reverse = false) {
  return {"forward", "over the true length", std::move(h), std::move(last), steps, reverse};
}

int count(const Image& image, Colour colour, int from = 0, int to = 1000) {  // pixels in columns from .. to
  int n = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = from; x < std::min(to, image.width); ++x) n += image.at(x, y) == colour;
  return n;
}

}  // namespace

TEST_CASE("a state's numbers have their colours") {
  const auto picture = [](float value) { return draw_states({{"a"}, {panel({value, 0}, {0, 0}, 1)}}); };
  CHECK(count(picture(0), orange) == 0);
  CHECK(count(picture(1), orange) > 500);
  CHECK(count(picture(7), orange) == count(picture(1), orange));
  CHECK(count(picture(-1), blue) == count(picture(1), orange));
  CHECK(count(picture(0.5f), Colour{235, 183, 131}) > 500);
  CHECK(count(picture(std::numeric_limits<float>::quiet_NaN()), palette::not_finite) > 500);
  CHECK(count(draw_states({{"a"}, {panel({0, 0}, {1, 0}, 1)}}), orange) > 300);  // the last state, apart
}

TEST_CASE("columns after the words are padding, and arrows show what is read") {
  const std::vector<float> zeros(4);
  const auto picture = [&](std::vector<std::string> words, std::ptrdiff_t steps, bool reverse) {
    return draw_states({std::move(words), {panel(zeros, {0}, steps, reverse)}});
  };
  const Image short_arrow = picture({"a", "b"}, 2, false), long_arrow = picture({"a", "b"}, 4, false);
  const int right = 216 + 2 * 72;  // where the third column begins
  CHECK(count(long_arrow, palette::soft, right, 500) > count(short_arrow, palette::soft, right, 500) + 100);
  const Image back = picture({"a", "b"}, 2, true);
  CHECK(count(back, palette::soft, 216, 236) > count(short_arrow, palette::soft, 216, 236));  // the head
  CHECK(encode_png(picture({"a", "b", "PAD", "PAD"}, 2, false)) !=
        encode_png(short_arrow));  // in another grey
}

TEST_CASE("long sentences are cut, long words slant, and shapes that disagree are refused") {
  const auto picture = [](int S, const std::string& word) {
    return draw_states({std::vector<std::string>(static_cast<std::size_t>(S), word),
                        {panel(std::vector<float>(static_cast<std::size_t>(2 * S), 1.0f), {1, 1}, S)}});
  };
  CHECK(encode_png(picture(29, "a")) == encode_png(picture(300, "a")));
  CHECK(encode_png(picture(28, "a")) != encode_png(picture(29, "a")));
  CHECK(picture(4, "extraordinarily").height > picture(4, "a").height);
  for (const int S : {1, 28, 300}) {
    const Image image = picture(S, std::string(900, 'w'));
    for (int y = 0; y < image.height; ++y) CHECK(image.at(image.width - 1, y) == palette::paper);
  }
  CHECK_THROWS_AS(draw_states({}), std::invalid_argument);
  CHECK_THROWS_AS(draw_states({{"a"}, {}}), std::invalid_argument);
  CHECK_THROWS_AS(draw_states({{"a"}, {panel({}, {}, 1)}}), std::invalid_argument);
  CHECK_THROWS_AS(draw_states({{"a", "b"}, {panel({1}, {1}, 1)}}), std::invalid_argument);
  CHECK_THROWS_AS(draw_states({{"a"}, {panel({1, 1, 1}, {1, 1}, 1)}}), std::invalid_argument);
  CHECK_THROWS_AS(draw_states({{"a"}, {panel({1}, {1}, 2)}}), std::invalid_argument);
  CHECK_THROWS_AS(draw_states({{"a"}, {panel({1}, {1}, 0)}}), std::invalid_argument);
  CHECK_THROWS_AS(draw_states({{"a"}, {panel({1, 1}, {1}, 1), panel({1}, {1}, 1)}}), std::invalid_argument);
}
