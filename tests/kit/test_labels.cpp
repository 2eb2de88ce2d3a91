// The figure of chapter 12: rows named by the word written, and by the word read.
#include "attention/draw/png.hpp"
#include "examples/kit/figures/labels.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("named by the word read, a row has the word before it, and known links go with their words") {
  const std::vector<float> weights{0.75f, 0.25f, 0.5f, 0.5f, 0, 1};
  Heatmap writes{{"la", "veo", "_EOS"}, {"see", "her"}, weights, "", "the word it writes"};
  Heatmap reads{{"_GO", "la", "veo"}, {"see", "her"}, weights, "", "the word it reads"};
  writes.links = {{0, 1}, {1, 0}, {2, 0}};  // EOS is read by no row
  reads.links = {{1, 1}, {2, 0}};
  const HeatmapOptions options{.cell = 40, .font = 16, .bar = false};
  const std::vector<Image> both{draw_heatmap(writes, options), draw_heatmap(reads, options)};
  CHECK(encode_png(draw_labels(writes)) == encode_png(draw_sheet(both, 2)));
}
