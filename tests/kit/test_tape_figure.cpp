// The figure of chapter 01: a tape in boxes and arcs, and as text.
#include "attention/draw/png.hpp"
#include "core/ops.hpp"
#include "core/tape.hpp"
#include "examples/kit/figures/tape.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr Colour crimson{176, 22, 90}, pale_blue{226, 236, 247}, pale_orange{253, 232, 209},
    pale_grey{241, 243, 244};

TapeFigure product() {  // y = a b
  return {"t",
          "c",
          2,
          {{"a", "", {}, {2}, {3}, {}}, {"b", "", {}, {3}, {2}, {}}, {"y", "mul", {}, {6}, {1}, {0, 1}}}};
}

int count(const Image& image, Colour colour, int from = 0, int to = 4096) {  // pixels between two rows
  int n = 0;
  for (int y = from; y < std::min(to, image.height); ++y)
    for (int x = 0; x < image.width; ++x) n += image.at(x, y) == colour;
  return n;
}

}  // namespace

TEST_CASE("a tape as text: who reads whom, values beside gradients, row by row") {
  TapeFigure figure{"", "", 1, {}};
  figure.boxes = {{"h", "", {2, 2}, {1, 2, 3, -0.04}, {-1.25, 0, 0.5, 10}, {}},
                  {"t", "", {}, {4}, {}, {}},
                  {"z", "", {0, 3}, {}, {}, {}},
                  {"y", "mul", {2, 2}, {4, 8, 12, 0}, {1, 1, 1, 1}, {0, 1}},
                  {"q", "mul", {2, 2}, {16, 64, 144, 0}, {1, 1, 1, 1}, {3, 3}}};
  CHECK(list_tape(figure) == R"(                 shape       value  gradient
  h              [2, 2]    1.0 2.0  -1.2 0.0
                           3.0 0.0  0.5 10.0
  t              []            4.0      none
  z              [0, 3]      empty      none
  y = mul(h, t)  [2, 2]    4.0 8.0   1.0 1.0
                          12.0 0.0   1.0 1.0
  q = mul(y, y)  [2, 2]  16.0 64.0   1.0 1.0
                         144.0 0.0   1.0 1.0
)");
}

TEST_CASE("leaves, constants and ops have their colours, gradients are crimson") {
  TapeFigure figure = product();
  const Image image = draw_tape(figure);
  CHECK(encode_png(image) == encode_png(draw_tape(product())));
  for (const Colour colour : {pale_blue, pale_orange, crimson}) CHECK(count(image, colour) > 50);
  CHECK(count(image, pale_grey) == 0);
  figure.boxes[1].grad.clear();
  CHECK(count(draw_tape(figure), pale_grey) > 100);
  CHECK(count(draw_tape(figure), crimson) < count(image, crimson));
}

TEST_CASE("an arc leads from each input to its reader, over the boxes between") {
  const auto ink = [](const TapeFigure& figure) {  // dark pixels above the boxes
    const Image image = draw_tape(figure);
    int n = 0;
    for (int y = 96; y < 150; ++y)
      for (int x = 0; x < image.width; ++x) n += luminance(image.at(x, y)) < 0.7f;
    return n;
  };
  TapeFigure figure = product();
  const int both = ink(figure);
  figure.boxes[2].inputs = {0};
  const int far = ink(figure);
  CHECK(far > 100);
  CHECK(both > far + 50);
  const int width = draw_tape(figure).width, height = draw_tape(figure).height;
  for (int k = 0; k < 9; ++k) figure.boxes.push_back(figure.boxes[2]);  // all read a: higher arcs
  CHECK(draw_tape(figure).width > width);
  CHECK(draw_tape(figure).height > height + 100);
}

TEST_CASE("a tape that cannot be drawn is refused") {
  CHECK_THROWS_WITH(draw_tape({}), "tape: there is no box");
  TapeFigure figure = product();
  figure.boxes[1].inputs = {1};
  CHECK_THROWS_WITH(draw_tape(figure), "tape: b reads box 1, which is not before it");
  figure.boxes[1].inputs = {-1};
  CHECK_THROWS_AS(list_tape(figure), std::invalid_argument);
  figure = product();
  figure.boxes[0].shape = {2};
  CHECK_THROWS_WITH(draw_tape(figure), "tape: a [2] has 1 values and 1 gradients");
  figure = product();
  figure.boxes.resize(99, figure.boxes[0]);
  CHECK_THROWS_AS(draw_tape(figure), std::length_error);
}

TEST_CASE("the boxes of a tape: leaves, then ops; a view is what it is a view of") {
  const Tensor x({2, 2}, {1, 2, 3, 4}), t({2}, 5), leaves[] = {x.want_grad(), t};
  Tape tape({.trace = true});
  const Tensor y = x.select(1) * t, L = sum(y.reshape({2, 1}));
  tape.backward(L);
  const std::vector<TapeBox> boxes = tape_boxes(tape, leaves, {"x", "t", "y", "L"});
  REQUIRE(boxes.size() == 4);
  CHECK(boxes[0].grad == std::vector<double>{0, 0, 5, 5});
  CHECK(boxes[1].grad.empty());
  CHECK(boxes[2].op == "mul");
  CHECK(boxes[2].shape == Shape{2});
  CHECK(boxes[2].value == std::vector<double>{15, 20});
  CHECK(boxes[2].inputs == std::vector{0, 1});
  CHECK(boxes[3].inputs == std::vector{2});
  CHECK_THROWS_WITH(tape_boxes(tape, leaves, {"x", "t", "y"}),
                    "tape: it needs a name for each leaf and each op");
  CHECK_THROWS_WITH(tape_boxes(tape, std::vector{x}, {"x", "y", "L"}),
                    "tape: y reads a leaf that is not listed");
}

TEST_CASE("a table of gradients has a column for each way to find them") {
  CHECK(list_gradients({"a", "b"}, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}) ==
        "  gradient of    by hand      engine        tape   differences\n"
        "  a             1.000000    3.000000    5.000000      7.000000\n"
        "  b             2.000000    4.000000    6.000000      8.000000\n");
  CHECK_THROWS_AS(list_gradients({"a"}, {{1}, {2}, {3}}), std::out_of_range);
}
