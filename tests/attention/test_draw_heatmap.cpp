// Heatmaps as pictures and in the terminal.
#include <cmath>
#include <limits>
#include <locale>
#include <map>

#include "attention/draw/heatmap.hpp"
#include "attention/draw/png.hpp"
#include "attention/draw/shade.hpp"
#include "tests/catch.hpp"

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr float bad = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
constexpr HeatmapOptions cells_only{.cell = 20, .bar = false, .values = false};

Heatmap small() { return {{"el", "niño"}, {"the", "child", "."}, {1, 0, 0.25f, 0.5f, 0.75f, 0.125f}, ""}; }

Heatmap sized(std::size_t T, std::size_t S) {
  Heatmap heatmap{{}, {}, std::vector<float>(T * S, 0.1f), "title"};
  for (std::size_t i = 0; i < T; ++i) heatmap.rows.push_back("t" + std::to_string(i));
  for (std::size_t j = 0; j < S; ++j) heatmap.columns.push_back("source" + std::to_string(j));
  return heatmap;
}

struct Place {
  int x, y, pixels;  // of the first pixel, and how many there are
};

Place find(const Image& image, Colour colour) {
  Place place{-1, -1, 0};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) == colour && ++place.pixels == 1) place.x = x, place.y = y;
  return place;
}

}  // namespace

TEST_CASE("a cell is the viridis of its weight: source across, target down") {
  const Heatmap heatmap = small();
  const Image image = draw_heatmap(heatmap, cells_only);
  const Place corner = find(image, viridis(1));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      const Place place = find(image, viridis(heatmap.weights[3 * i + j]));
      CHECK(place.pixels == 20 * 20);
      CHECK(place.x == corner.x + 20 * j);
      CHECK(place.y == corner.y + 20 * i);
    }
}

TEST_CASE("a known link is a frame in its cell, in the ink that reads on its colour") {
  Heatmap heatmap = small();
  heatmap.links = {{0, 0}, {0, 1}};
  const Image plain = draw_heatmap(small(), cells_only), linked = draw_heatmap(heatmap, cells_only);
  const int frame = 4 * 17 + 4 * 15;  // two rings inside a cell of 20
  CHECK(find(linked, viridis(1)).pixels == 20 * 20 - frame);
  CHECK(find(linked, viridis(0)).pixels == 20 * 20 - frame);
  CHECK(find(linked, viridis(0.5f)).pixels == 20 * 20);
  const Place corner = find(plain, viridis(1));
  CHECK(linked.at(corner.x + 1, corner.y + 1) == ink_on(viridis(1)));
  CHECK(linked.at(corner.x + 2, corner.y + 10) == ink_on(viridis(1)));
  CHECK(linked.at(corner.x + 21, corner.y + 10) == ink_on(viridis(0)));
  CHECK_FALSE(ink_on(viridis(1)) == ink_on(viridis(0)));
  for (const auto& [row, column] : {std::pair(2, 0), {0, 3}, {-1, 0}, {0, -1}}) {
    heatmap.links = {{row, column}};
    CHECK_THROWS_AS(draw_heatmap(heatmap), std::invalid_argument);
  }
  CHECK_THROWS_WITH(draw_heatmap(heatmap), "heatmap: no cell 0,-1 in 2 rows and 3 columns");
  Heatmap many = sized(5000, 2);  // neighbours share a cell
  many.links = {{4999, 1}};
  CHECK_NOTHROW(draw_heatmap(many));
}

TEST_CASE("case 8: cells that are not finite have their own colour, are counted, and change no other cell") {
  Heatmap heatmap = small();
  CHECK(count_not_finite(heatmap) == 0);
  heatmap.weights[1] = bad, heatmap.weights[2] = inf, heatmap.weights[3] = -inf;
  CHECK(count_not_finite(heatmap) == 3);
  const Image image = draw_heatmap(heatmap, cells_only);
  CHECK(find(image, palette::not_finite).pixels > 3 * 20 * 20);  // and the swatch of the notice
  for (const int k : {0, 4, 5}) CHECK(find(image, viridis(heatmap.weights[k])).pixels == 20 * 20);
  CHECK(image.height > draw_heatmap(small(), cells_only).height);  // a line says how many
  CHECK(find(draw_heatmap(small()), palette::not_finite).pixels == 0);
}

TEST_CASE("the same heatmap is the same bytes, in every locale") {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
  };
  const std::string before = encode_png(draw_heatmap(small()));
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string after = encode_png(draw_heatmap(small()));
  std::locale::global(old);
  CHECK(before == after);
  CHECK(before.substr(0, 8) == "\x89PNG\r\n\x1A\n");
  CHECK(before.substr(before.size() - 8, 4) == "IEND");
}

TEST_CASE("a heatmap with nothing in it or the wrong number of weights is refused") {
  CHECK_THROWS_WITH(draw_heatmap({{}, {"a"}, {}, ""}), "heatmap: nothing to draw: 0 rows and 1 columns");
  CHECK_THROWS_WITH(draw_heatmap({{"a"}, {}, {}, ""}), "heatmap: nothing to draw: 1 rows and 0 columns");
  Heatmap heatmap = small();
  heatmap.weights.pop_back();
  CHECK_THROWS_AS(draw_heatmap(heatmap), std::invalid_argument);
  CHECK_THROWS_WITH(draw_heatmap(heatmap), "heatmap: 2 rows and 3 columns need 6 weights, not 5");
  CHECK_THROWS_AS(shade_heatmap(heatmap), std::invalid_argument);
}

TEST_CASE("every size of heatmap stays within 4096 pixels a side") {
  for (const auto& [T, S] : {std::pair{1, 1}, {1, 30}, {30, 1}, {20, 10000}, {10000, 1}, {200, 200}}) {
    CAPTURE(T, S);
    const Image image = draw_heatmap(sized(T, S));
    CHECK(image.width <= Image::max_side);
    CHECK(image.height <= Image::max_side);
    CHECK(image.rgb.size() == std::size_t(3) * image.width * image.height);
  }
  Heatmap endless = sized(2, 2);
  endless.title = endless.rows[0] = endless.columns[1] = endless.row_axis = endless.column_axis =
      std::string(1000000, 'w');
  const Image image = draw_heatmap(endless, {.cell = 1000000, .font = 17});
  CHECK(image.width <= Image::max_side);
}

TEST_CASE("nothing touches the edge of the picture, however long the names") {
  const std::string word(30, 'W'), sentence(2000, 'W');
  for (const auto& [T, S] : {std::pair{1, 1}, {1, 3}, {3, 1}, {3, 2}, {1, 5000}})
    for (const std::string& name : {std::string(), word, sentence}) {
      Heatmap heatmap = sized(T, S);
      heatmap.title = heatmap.row_axis = heatmap.column_axis = heatmap.rows[0] = heatmap.columns.back() =
          name;
      heatmap.weights[0] = bad;
      for (const bool bar : {false, true}) {
        CAPTURE(T, S, name.size(), bar);
        const Image image = draw_heatmap(heatmap, {.cell = 24, .font = 13, .bar = bar});
        int marked = 0;
        for (int x = 0; x < image.width; ++x)
          for (const int y : {0, image.height - 1}) marked += !(image.at(x, y) == palette::paper);
        for (int y = 0; y < image.height; ++y)
          for (const int x : {0, image.width - 1}) marked += !(image.at(x, y) == palette::paper);
        CHECK(marked == 0);
      }
    }
}

TEST_CASE("case 15: among ten thousand columns one sharp weight is still seen, and one NaN") {
  Heatmap heatmap = sized(3, 10000);
  heatmap.weights[12345] = 1, heatmap.weights[23456] = bad;
  const Image image = draw_heatmap(heatmap, cells_only);
  CHECK(find(image, viridis(1)).pixels == 20);  // one pixel wide, a row high
  CHECK(find(image, palette::not_finite).pixels > 20);
}

TEST_CASE("a sheet holds its pictures side by side and below each other") {
  std::vector<Image> images(7, draw_heatmap(small(), small_heatmap));
  const Image sheet = draw_sheet(images, 3);
  CHECK(sheet.width >= 3 * images[0].width);
  CHECK(sheet.height >= 3 * images[0].height);
  CHECK(find(sheet, viridis(0.75f)).pixels >= 7 * 24 * 24);
  CHECK(draw_sheet({images.data(), 2}, 5).width < sheet.width);
  CHECK_THROWS_WITH(draw_sheet({}, 5), ContainsSubstring("0 pictures"));
  CHECK_THROWS_WITH(draw_sheet(images, 0), ContainsSubstring("0 in a row"));
  CHECK_THROWS_WITH(draw_sheet(std::vector<Image>(100, images[0]), 100),
                    ContainsSubstring("a side has 1 to 4096"));
}

TEST_CASE("a heatmap in the terminal") {
  Heatmap heatmap = small();
  heatmap.title = "The decoder looks back";
  CHECK(shade_heatmap(heatmap) ==
        "The decoder looks back\n"
        "      ┌ the\n"
        "      │ ┌ child\n"
        "      │ │ ┌ .\n"
        "     ┌┴─┴─┴─┐\n"
        "  el │██  ▒▒│\n"
        "niño │▓▓██░░│\n"
        "     └──────┘\n"
        "     ░ from .05  ▒ .25  ▓ .5  █ .75\n");
}

TEST_CASE("labels in the terminal are aligned by what they take on the screen") {
  const Heatmap heatmap{
      {"日本", "x\u0302\u0323", "a\x1b[2J\xFF", std::string(50, 'w')}, {"e"}, {1, bad, 0.3f, 0}, ""};
  const std::string text = shade_heatmap(heatmap);
  const std::string margin(28, ' ');
  CHECK_THAT(text, ContainsSubstring("\n" + margin + "日本 │██│\n"));
  CHECK_THAT(text, ContainsSubstring("\n" + margin + "   x\u0302\u0323 │??│\n"));
  CHECK_THAT(text, ContainsSubstring("a�[2J� │▒▒│\n"));  // an escape must not reach the terminal
  CHECK_THAT(text, ContainsSubstring("\n" + std::string(31, 'w') + "… │  │\n"));
  CHECK_THAT(text, ContainsSubstring("? not finite: 1 of 4 weights\n"));
}

TEST_CASE("a very wide heatmap in the terminal says what it leaves out") {
  CHECK_THAT(shade_heatmap(sized(2, 1000)), ContainsSubstring("940 more columns are left out\n"));
}
