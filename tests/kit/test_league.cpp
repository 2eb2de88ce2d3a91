// The picture of the scores side by side.
#include "attention/draw/png.hpp"
#include "examples/kit/figures/league.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr Colour blue{38, 98, 168};

League two_scores() {
  return {{{1, 0}, {0, 1}, {1, 1}},
          {{"dot", {0.25f, 0.25f, 0.5f}, {0.75f, 0.75f}}, {"cosine", {0.5f, 0.25f, 0.25f}, {0.75f, 0.5f}}}};
}

// Pixels of one colour above the line plot, and where the first of them stands.
struct Bars {
  int pixels = 0, x = -1;
};
Bars bars(const Image& image, Colour colour, int from, int to) {  // rows from .. to
  Bars found;
  for (int y = from; y < to; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) == colour && ++found.pixels == 1) found.x = x;
  return found;
}

}  // namespace

TEST_CASE("a row of bars a score, as long as the weights, the longest in full colour") {
  const Image image = draw_league(two_scores());
  const Bars dot = bars(image, blue, 84, 84 + 34), cosine = bars(image, blue, 84 + 34, 84 + 68);
  CHECK(dot.pixels == cosine.pixels);
  CHECK(dot.x > cosine.x + 200);  // the third state, and the first
  const Bars rest = bars(image, {176, 200, 226}, 84, 84 + 34);
  CHECK(rest.pixels == Approx(dot.pixels).epsilon(0.05));  // two quarters and a half
  CHECK(encode_png(draw_league(two_scores())) == encode_png(image));

  League surest = two_scores();
  surest.rows[0].alpha = {0, 0, 1};  // the longest bar fills its column, whatever its weight
  CHECK(bars(draw_league(surest), blue, 84, 84 + 34).pixels == dot.pixels);
}

TEST_CASE("one score more is one row and one mark more, and a long name stays inside") {
  League league = two_scores();
  const Image two = draw_league(league);
  league.rows.push_back(league.rows[0]);
  CHECK(draw_league(league).height == two.height + 34);
  league.rows[0].score = std::string(500, 'w');
  const Image image = draw_league(league);
  for (int y = 0; y < image.height; ++y) CHECK(image.at(image.width - 1, y) == palette::paper);
}

TEST_CASE("a league without scores, or with weights that do not fit, is refused") {
  League league = two_scores();
  league.rows[1].alpha.pop_back();
  CHECK_THROWS_WITH(draw_league(league), "league: the score \"cosine\" has 2 weights for 3 states");
  league.rows.clear();
  CHECK_THROWS_WITH(draw_league(league), "league: 3 states (2 to 4) and 0 scores (1 or more)");
  league = two_scores();
  league.h.resize(5);
  CHECK_THROWS_AS(draw_league(league), std::invalid_argument);
}
