// Where a translator looks: teacher-forced weights, their entropy, and the pictures.
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "attention/draw/alignment_page.hpp"
#include "core/file.hpp"
#include "examples/kit/alignments.hpp"
#include "examples/kit/translator.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/stderr_text.hpp"

namespace {

using namespace lookback;

const std::vector<SentencePair> pairs = {
    {{"a", "blue", "house"}, {"una", "casa", "azul"}, 1},
    {{"two", "houses"}, {"dos", "casas"}, 2},
};

Translator translator() {
  return Translator(Params(1), Vocabulary(sources(pairs)), Vocabulary(targets(pairs)), {}, {8, 12, 6});
}

}  // namespace

TEST_CASE("forced alignments have a row for each reference word and EOS, and rows sum to 1") {
  const Alignment alignment = forced_alignment(translator(), pairs);
  CHECK(alignment.source == sources(pairs));
  CHECK(alignment.target == std::vector<Tokens>{{"una", "casa", "azul", "_EOS"}, {"dos", "casas", "_EOS"}});
  const Heatmap map = heatmap(alignment, 1);
  REQUIRE(map.weights.size() == 6);
  for (std::size_t t = 0; t < 3; ++t) CHECK(map.weights[2 * t] + map.weights[2 * t + 1] == Approx(1));
  const Heatmap alone = heatmap(forced_alignment(translator(), {&pairs[1], 1}), 0);
  for (std::size_t i = 0; i < 6; ++i) CHECK(alone.weights[i] == Approx(map.weights[i]).margin(1e-5));
}

TEST_CASE("row entropy: 0 for one word a row, ln S for even weights, the mean of rows in between") {
  const auto entropy = [](std::vector<float> weights) {
    return row_entropy({.rows = {"x", "y"}, .columns = {"a", "b", "c"}, .weights = std::move(weights)});
  };
  const float third = 1.0f / 3;
  CHECK(entropy({1, 0, 0, 0, 0, 1}) == 0);
  CHECK(entropy({third, third, third, third, third, third}) == Approx(std::log(3.0)));
  CHECK(entropy({1, 0, 0, third, third, third}) == Approx(std::log(3.0) / 2));
  CHECK(entropy({0.367919f, 0.182703f, 0.449378f, 0, 1, 0}) == Approx(1.037909 / 2).epsilon(1e-5));
  CHECK_THROWS_AS(row_entropy({}), std::invalid_argument);
}

TEST_CASE("a picture for each pair that wrote a word, one sheet, and older files stay") {
  const TemporaryFolder folder;
  folder.write("08-alignment-07.png", "mine");
  Alignment alignment = forced_alignment(translator(), pairs);
  alignment.target[0].clear();
  const std::string said = stderr_text([&] { draw_alignments(alignment, folder / "08"); });
  CHECK(said == "1 of pairs 1 to 2 are drawn, " + (folder / "08") + "-alignment-NN.png; 1 of them are on " +
                    (folder / "08") + "-sheet.png\n");
  const auto there = [&](const char* name) { return std::filesystem::exists(folder / name); };
  CHECK_FALSE(there("08-alignment-01.png"));
  CHECK(there("08-alignment-02.png"));
  CHECK(there("08-sheet.png"));
  CHECK(std::filesystem::file_size(folder / "08-alignment-07.png") == 4);
  CHECK_FALSE(there("08-alignment-02.html"));
  stderr_text([&] { draw_alignments(alignment, folder / "08", true); });
  CHECK_FALSE(there("08-alignment-01.html"));
  CHECK(read_file(folder / "08-alignment-02.html") == alignment_page(heatmap(alignment, 1)));
  alignment.target[1].clear();
  CHECK(stderr_text([&] { draw_alignments(alignment, folder / "08"); }) ==
        "none of pairs 1 to 2 is drawn: nothing was written\n");
}

TEST_CASE("a frame of the film says its step and entropy") {
  const Heatmap frame = film_frame(translator(), pairs[1], 50);
  CHECK(frame.title == "step 50, entropy 0.69");  // as good as ln 2: an untrained model looks everywhere
}
