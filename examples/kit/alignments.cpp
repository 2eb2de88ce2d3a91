#include "examples/kit/alignments.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "attention/draw/alignment_page.hpp"
#include "attention/draw/png.hpp"
#include "core/tell.hpp"

namespace lookback::inline LOOKBACK_NS {

// [forced_alignment]
Alignment forced_alignment(const TranslationModel& model, std::span<const SentencePair> pairs) {
  const Batch batch = make_batch(model.ids(pairs));
  Alignment alignment{{}, {}, model.decoder().teach(model.read(batch), batch.inputs).weights};
  for (const SentencePair& pair : pairs) {
    alignment.source.push_back(model.places(pair.source));
    alignment.target.push_back(model.pieces(pair.target));
    alignment.target.back().push_back(model.target().word(EOS));
  }
  return alignment;
}
// [/forced_alignment]

double row_entropy(const Heatmap& map) {
  check_heatmap(map);
  double sum = 0;
  for (const float alpha : map.weights) sum -= alpha > 0 ? alpha * std::log(alpha) : 0;
  return sum / static_cast<double>(map.rows.size());
}

Heatmap film_frame(const TranslationModel& model, const SentencePair& pair, Index step) {
  Heatmap map = heatmap(forced_alignment(model, {&pair, 1}), 0);
  map.title = fmt::format("step {}, entropy {:.2f}", step, row_entropy(map));
  return map;
}

void print_film(std::span<const Heatmap> film, const std::string& path) {
  std::vector<Image> images;
  const std::size_t S = film.front().columns.size();
  fmt::print("\nhow spread the weights are: mean entropy of a row, of at most ln {} = {:.2f}\n", S,
             std::log(S));
  for (const Heatmap& map : film) {
    fmt::print("  {}\n", map.title);
    images.push_back(draw_heatmap(map, {.cell = 30, .font = 15, .bar = false, .values = false}));
  }
  write_png(path, draw_sheet(images, 2));
}

void draw_alignments(const Alignment& alignment, const std::string& stem, bool pages) {
  std::vector<Image> sheet;
  int count = 0;
  for (std::size_t b = 0; b < alignment.source.size(); ++b) {
    if (alignment.target[b].empty()) continue;  // it wrote nothing: there is nothing to draw
    const Heatmap map = heatmap(alignment, static_cast<Index>(b));
    const std::string name = fmt::format("{}-alignment-{:02}", stem, b + 1);
    write_png(name + ".png", draw_heatmap(map));
    if (pages) write_file(name + ".html", alignment_page(map));
    ++count;
    if (Image small = draw_heatmap(map, small_heatmap); small.width <= 740 && small.height <= 900)
      sheet.push_back(std::move(small));
  }
  if (count == 0)
    return tell("none of pairs 1 to {} is drawn: nothing was written\n", alignment.source.size());
  std::string on_sheet;
  if (!sheet.empty()) {
    write_png(stem + "-sheet.png", draw_sheet(sheet, 5));
    on_sheet = fmt::format("; {} of them are on {}-sheet.png", sheet.size(), stem);
  }
  tell("{} of pairs 1 to {} are drawn, {}-alignment-NN.png{}\n", count, alignment.source.size(), stem,
       on_sheet);
}

}  // namespace lookback::inline LOOKBACK_NS
