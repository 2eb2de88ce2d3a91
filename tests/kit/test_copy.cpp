// Copy and reverse, and the figure of chapter 02.
#include <algorithm>
#include <set>

#include "attention/draw/png.hpp"
#include "examples/kit/copy.hpp"
#include "examples/kit/figures/bottleneck.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("copy and reverse: the target is the source, or the source from its end") {
  for (const CopyTask task : {CopyTask::copy, CopyTask::reverse}) {
    Random random(1);
    const Batch batch = copy_batch(task, 7, 5, random);
    CHECK(batch.source.shape == Shape{5, 7});
    CHECK(batch.targets.shape == Shape{5, 8});
    for (Index b = 0; b < 5; ++b) {
      const auto* x = batch.source.values.data() + b * 7;
      const auto* y = batch.targets.values.data() + b * 8;
      for (Index i = 0; i < 7; ++i) CHECK(y[i] == x[task == CopyTask::copy ? i : 6 - i]);
      CHECK(y[7] == EOS);
    }
  }
}

TEST_CASE("all 26 letters are drawn, and nothing else") {
  const Vocabulary vocabulary = copy_vocabulary();
  REQUIRE(vocabulary.size() == 30);
  CHECK(vocabulary.ids(letters("az")) == std::vector<std::int32_t>{4, 29});
  Random random(1);
  const Batch batch = copy_batch(CopyTask::copy, 40, 50, random);
  const std::set<std::int32_t> drawn(batch.source.values.begin(), batch.source.values.end());
  CHECK(drawn.size() == 26);
  CHECK((*drawn.begin() == 4 && *drawn.rbegin() == 29));
}

TEST_CASE("a sentence has 1 to 40 letters") {
  Random random(1);
  CHECK(copy_batch(CopyTask::copy, 1, 1, random).source.values.size() == 1);
  CHECK_THROWS_WITH(copy_batch(CopyTask::copy, 0, 1, random),
                    "copy_batch: the length 0 is not one of 1 to 40");
  CHECK_THROWS_WITH(copy_batch(CopyTask::copy, 41, 1, random),
                    "copy_batch: the length 41 is not one of 1 to 40");
}

TEST_CASE("batches to learn from have all lengths, one each, and are the same for the same stream") {
  const auto batches = [] { return copy_batches(CopyTask::copy, 30, 500, 2, Random(1)); };
  const std::vector<Batch> list = batches();
  REQUIRE(list.size() == 500);
  std::set<Index> lengths;
  for (const Batch& batch : list) {
    lengths.insert(batch.source.shape[1]);
    CHECK(batch.lengths == std::vector<Index>(2, batch.source.shape[1]));
  }
  CHECK(lengths.size() == 30);
  CHECK((*lengths.begin() == 1 && *lengths.rbegin() == 30));
  CHECK(list[0].source.values != list[1].source.values);
  CHECK(list.back().source.values == batches().back().source.values);
}

TEST_CASE("right by place: wrong, missing and late tokens count as wrong, EOS at its place as right") {
  Batch batch;
  batch.targets = Ids({4, 3}, std::vector<std::int32_t>{4, 5, EOS, 4, 5, EOS, 4, 5, EOS, 4, 5, EOS});
  const std::vector<Written> written{{{4, 5}, true},       // all right
                                     {{4}, true},          // EOS too early
                                     {{5, 4}, false},      // the wrong way round, cut off
                                     {{4, 5, 6}, false}};  // EOS does not come
  CHECK(right_by_place(written, batch) == std::vector<double>{0.75, 0.5, 0.25});
}

TEST_CASE("an untrained model is measured at every length, and guesses") {
  const Translator model(Params(1), copy_vocabulary(), copy_vocabulary(), {.score = "dot"}, {8, 8, 8});
  const CopyScore score = measure_copy(model, CopyTask::reverse, 6, 20, Random(1));
  CHECK(score.share.size() == 6);
  REQUIRE(score.by_place.size() == 7);
  double sum = 0;
  for (const double right : score.by_place) sum += right;
  CHECK(score.share.back() == Approx(sum / 7));
  CHECK(*std::max_element(score.share.begin(), score.share.end()) < 0.3);
}

TEST_CASE("the figure grows with its letters, names the numbers of s_0, and takes 3 to 6 letters") {
  CHECK(draw_bottleneck("stacks", 64).width > draw_bottleneck("stack", 64).width + 100);
  CHECK(encode_png(draw_bottleneck("stack", 64)) == encode_png(draw_bottleneck("stack", 64)));
  CHECK(encode_png(draw_bottleneck("stack", 64)) != encode_png(draw_bottleneck("stack", 65)));
  CHECK(encode_png(draw_bottleneck("stack", 64)) != encode_png(draw_bottleneck("stock", 64)));
  CHECK_THROWS_WITH(draw_bottleneck("ab", 64), "bottleneck: 2 letters, not 3 to 6");
  CHECK_THROWS_WITH(draw_bottleneck("letters", 64), "bottleneck: 7 letters, not 3 to 6");
}
