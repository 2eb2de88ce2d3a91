// The four pictures of chapter 03.
#include <limits>

#include "attention/draw/png.hpp"
#include "examples/kit/figures/one_step.hpp"
#include "tests/catch.hpp"

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

namespace {

// Note I's worked example.
OneStep example() {
  return {{{1, 0}, {0, 1}, {1, 1}}, {0.9f, 0.2f},
          {0.9f, 0.2f, 1.1f},       {0.367919f, 0.182703f, 0.449378f},
          {0.817297f, 0.632081f},   {0.512288f, 0.211383f, 0.276329f},
          {"house", "dog", "book"}, "dot"};
}

constexpr Stage stages[] = {Stage::score, Stage::softmax, Stage::context, Stage::predict};

int differing_rows(const Image& a, const Image& b, int from, int to) {  // in columns from .. to
  int rows = 0;
  for (int y = 90; y < a.height; ++y)
    for (int x = from; x < to; ++x)
      if (!(a.at(x, y) == b.at(x, y))) {
        ++rows;
        break;
      }
  return rows;
}

}  // namespace

TEST_CASE("the four pictures have one size, and each adds to the panel of the one before") {
  std::vector<Image> pictures;
  for (const Stage stage : stages) pictures.push_back(draw_one_step(example(), stage));
  for (std::size_t k = 1; k < pictures.size(); ++k) {
    CHECK(pictures[k].width == pictures[0].width);
    CHECK(pictures[k].height == pictures[0].height);
    CHECK(differing_rows(pictures[k - 1], pictures[k], 600, pictures[k].width) > 20);
  }
  CHECK(differing_rows(pictures[0], pictures[3], 600, 960) > 20);  // c and p are below the scores
  CHECK(differing_rows(pictures[0], pictures[1], 600, 960) == 0);  // which stay where they were
  CHECK(encode_png(draw_one_step(example(), Stage::context)) == encode_png(pictures[2]));
}

TEST_CASE("one to six states are drawn, with negative, equal, zero and huge values") {
  for (std::size_t S = 1; S <= 6; ++S)
    for (const float size : {-1.0f, 0.0f, 1e-5f, 9e5f})
      for (const Stage stage : stages) {
        OneStep step = example();
        step.h.assign(S, {size, -size / 2});
        step.e.assign(S, -size);
        step.alpha.assign(S, 1.0f / static_cast<float>(S));
        step.c = step.h[0];
        step.e[0] = -std::numeric_limits<float>::infinity();  // a masked state
        CHECK(draw_one_step(step, stage).width > 0);
      }
}

TEST_CASE("a long word, many words and a long score name stay inside the picture") {
  OneStep step = example();
  step.words.assign(40, std::string(500, 'w'));
  step.p.assign(40, 0.025f);
  step.score = std::string(500, 's');
  for (const Stage stage : stages) {
    const Image image = draw_one_step(step, stage);
    for (int y = 0; y < image.height; ++y) CHECK(image.at(image.width - 1, y) == palette::paper);
    for (int x = 0; x < image.width; ++x) CHECK(image.at(x, image.height - 1) == palette::paper);
  }
}

TEST_CASE("counts that differ and vectors that cannot be drawn are refused") {
  const auto refuses = [](auto change, const std::string& message) {
    OneStep step = example();
    change(step);
    CHECK_THROWS_AS(draw_one_step(step, Stage::predict), std::invalid_argument);
    CHECK_THROWS_WITH(draw_one_step(step, Stage::predict), ContainsSubstring(message));
  };
  refuses([](OneStep& step) { step.h.clear(); }, "0 states (1 to 6), 3 scores, 3 weights");
  refuses([](OneStep& step) { step.h.resize(7); }, "7 states");
  refuses([](OneStep& step) { step.e.pop_back(); }, "3 states (1 to 6), 2 scores, 3 weights");
  refuses([](OneStep& step) { step.words.pop_back(); }, "3 probabilities, 2 words");
  refuses([](OneStep& step) { step.h[1][0] = std::numeric_limits<float>::quiet_NaN(); }, "not finite");
  refuses([](OneStep& step) { step.s[1] = std::numeric_limits<float>::infinity(); }, "not finite");
  refuses([](OneStep& step) { step.alpha[0] = -0.1f; }, "alpha is not in [0, 1]");
}
