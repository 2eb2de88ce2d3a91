// The figure of chapter 07.
#include <limits>

#include "attention/draw/png.hpp"
#include "examples/kit/figures/attention_layer.hpp"
#include "tests/catch.hpp"

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

namespace {

AttentionLayer example(std::size_t S = 4, std::size_t length = 3) {  // H = 2, A = 3
  AttentionLayer x;
  x.words.assign(S, "word"), x.length = length;
  x.h.assign(S, {0.5f, -1}), x.keys.assign(S, {0.1f, 0.2f, -0.3f}), x.u.assign(S, {0.9f, 0.1f, -0.5f});
  x.q = {1, -1, 0.5f}, x.e.assign(S, 0.25f), x.alpha.assign(S, 0), x.c = {0.5f, -1};
  x.alpha[0] = 1;
  return x;
}

int differing(const Image& a, const Image& b, int from, int to) {  // pixels in rows from .. to
  int count = 0;
  for (int y = from; y < to; ++y)
    for (int x = 0; x < a.width; ++x) count += !(a.at(x, y) == b.at(x, y));
  return count;
}

}  // namespace

TEST_CASE("a weight shows as colour and as the thickness of its line to the context") {
  AttentionLayer one = example(), spread = example();
  spread.alpha = {0.4f, 0.3f, 0.3f, 0};
  const Image a = draw_attention_layer(one), b = draw_attention_layer(spread);
  CHECK(differing(a, b, 540, 588) > 3000);  // the boxes of the weights
  CHECK(differing(a, b, 590, 666) > 500);   // the lines
  CHECK(differing(a, b, 110, 535) == 0);    // states, keys, scores: as they were
  CHECK(encode_png(a) == encode_png(draw_attention_layer(example())));
}

TEST_CASE("what stands at PAD is grey: no score, no line, no weight") {
  AttentionLayer x = example(), y = example();
  y.e[3] = 9;
  CHECK(encode_png(draw_attention_layer(x)) == encode_png(draw_attention_layer(y)));
  x.length = 4;
  CHECK(encode_png(draw_attention_layer(x)) != encode_png(draw_attention_layer(y)));
}

TEST_CASE("one to fourteen positions and long words stay inside the picture") {
  for (const std::size_t S : {1, 2, 10, 14}) {
    AttentionLayer x = example(S, S);
    x.words[0] = std::string(500, 'w');
    x.h[0] = {9e5f, -9e5f};
    const Image image = draw_attention_layer(x);
    for (int y = 0; y < image.height; ++y) CHECK(image.at(image.width - 1, y) == palette::paper);
    for (int k = 0; k < image.width; ++k) CHECK(image.at(k, image.height - 1) == palette::paper);
  }
}

TEST_CASE("counts that differ and numbers that cannot be drawn are refused by name") {
  const auto refuses = [](auto change, const std::string& message) {
    AttentionLayer x = example();
    change(x);
    CHECK_THROWS_AS(draw_attention_layer(x), std::invalid_argument);
    CHECK_THROWS_WITH(draw_attention_layer(x), ContainsSubstring(message));
  };
  refuses([](AttentionLayer& x) { x.words.clear(); }, "0 words (1 to 14)");
  refuses([](AttentionLayer& x) { x.words.resize(15); }, "15 words (1 to 14)");
  refuses([](AttentionLayer& x) { x.length = 5; }, "5 of them not PAD");
  refuses([](AttentionLayer& x) { x.length = 0; }, "0 of them not PAD");
  refuses([](AttentionLayer& x) { x.h.pop_back(); }, "h has 3, not 4");
  refuses([](AttentionLayer& x) { x.keys.pop_back(); }, "keys has 3, not 4");
  refuses([](AttentionLayer& x) { x.u[1].pop_back(); }, "u has 2, not 3");
  refuses([](AttentionLayer& x) { x.h[2].push_back(1); }, "a state has 3, not 2");
  refuses([](AttentionLayer& x) { x.e.pop_back(); }, "e has 3, not 4");
  refuses([](AttentionLayer& x) { x.alpha.push_back(0); }, "alpha has 5, not 4");
  refuses([](AttentionLayer& x) { x.q[0] = std::numeric_limits<float>::quiet_NaN(); },
          "q is empty, not finite");
  refuses([](AttentionLayer& x) { x.e[0] = std::numeric_limits<float>::infinity(); },
          "e is empty, not finite");
  refuses([](AttentionLayer& x) { x.alpha[0] = -0.1f; }, "alpha is not in [0, 1]");
}
