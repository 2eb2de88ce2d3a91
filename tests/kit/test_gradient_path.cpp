// How the loss of one step reaches the encoder's states, and the figures of it.
#include <algorithm>
#include <array>
#include <map>

#include "attention/draw/line_plot.hpp"
#include "attention/draw/png.hpp"
#include "examples/kit/copy.hpp"
#include "examples/kit/figures/gradient.hpp"
#include "examples/kit/gradient_path.hpp"
#include "tests/catch.hpp"

using namespace lookback;

namespace {

constexpr Index S = 5, T = 4;

Translator make_model(const std::string& score) {
  return {Params(1),
          copy_vocabulary(),
          copy_vocabulary(),
          {.score = score},
          {.embedding = 6, .hidden = 8, .alignment = 7}};
}

Batch batch() {
  Random random(3);
  return copy_batch(CopyTask::copy, S, 3, random);
}

}  // namespace

TEST_CASE("without attention h_i is (S - i) + t recurrent steps from the loss of step t, with it none") {
  const GradientPaths none = gradient_paths(make_model("none"), batch(), T);
  for (const char* score : {"dot", "additive"}) {
    const GradientPaths attention = gradient_paths(make_model(score), batch(), T);
    REQUIRE((none.steps.size() == T && attention.steps.size() == T));
    for (Index t = 1; t <= T; ++t)
      for (Index i = 1; i <= S; ++i) {
        CHECK(none.steps.at(t - 1).at(i - 1) == S - i + t);
        CHECK(attention.steps.at(t - 1).at(i - 1) == 0);
      }
  }
}

TEST_CASE("what arrives through the contexts: nothing without attention, something at every state with it") {
  const GradientPaths none = gradient_paths(make_model("none"), batch(), T);
  const GradientPaths attention = gradient_paths(make_model("dot"), batch(), T);
  CHECK(none.total.shape() == Shape{T, S});
  CHECK(none.attended.shape() == Shape{T, S});
  for (Index k = 0; k < T * S; ++k) {
    CHECK(none.attended.data()[k] == 0);
    CHECK(none.total.data()[k] > 0);
    CHECK(attention.attended.data()[k] > 0);
  }
  for (Index t = 0; t < T; ++t)  // each recurrent step takes a part away, before training
    for (Index i = 1; i < S; ++i) CHECK(none.total.at({t, i - 1}) < none.total.at({t, i}));
}

TEST_CASE("the parameters' gradients are dropped, so that a training step that follows is its own") {
  const Translator model = make_model("dot");
  gradient_paths(model, batch(), 1);
  for (const Param& p : model.params().all()) CHECK(!p.value.has_grad());
}

TEST_CASE("the update gate is that of the encoder, from its second block of rows") {
  const Translator model = make_model("none");
  for (const Param& p : model.params().all())
    if (p.name.starts_with("encoder.gru.")) std::fill_n(p.value.write(), p.value.size(), Real{0});
  CHECK(gradient_paths(model, batch(), 2).gate == Approx(0.5));
  std::fill_n(model.params().find("encoder.gru.bias_hh_l0").write() + 8, 8, Real{2});  // r, z, n
  CHECK(gradient_paths(model, batch(), 2).gate == Approx(0.880797));                   // sigmoid(2)
}

TEST_CASE("the lines are means over the pairs of one distance, the maps shares of the largest of a row") {
  const float numbers[] = {1, 10,       // t = 1: i = 1 is 2 steps away, i = 2 is 1
                           100, 1000};  // t = 2: 3 and 2
  const Arrivals arrivals{"name", 2, numbers};
  LinePlot plot{"What of step t's error arrives at h_i",
                "(S - i) + t, the recurrent steps without attention",
                "|dL_t/dh_i| / |dL_t/dlogits_t|",
                {{"name", {1, 2, 3}, {10, 500.5f, 100}}}};
  plot.log_y = true;
  CHECK(encode_png(draw_by_distance({&arrivals, 1})) == encode_png(draw_line_plot(plot)));

  const Image image = draw_arrivals({&arrivals, 1});
  std::map<int, int>
      bright;  // pixels of weight 1 by column: those of i = 2 in both rows, and the end of the bar
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) == viridis(1)) ++bright[x];
  CHECK(std::count_if(bright.begin(), bright.end(),
                      [](const auto& column) { return column.second == 2 * 20; }) == 20);
  CHECK(encode_png(draw_arrivals(std::array{arrivals, arrivals})) != encode_png(image));
}
