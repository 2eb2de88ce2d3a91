// Other words in the place of one.
#include "examples/kit/replace.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("only word i differs, by every other word of a small vocabulary") {
  const std::vector<std::int32_t> sentence{5, 4, 6};
  const Batch batch = replace_word(sentence, 1, 7);  // UNK 3, words 4, 5, 6
  CHECK(batch.source.shape == Shape({4, 3}));
  CHECK(batch.source.values == std::vector<std::int32_t>{5, 4, 6, 5, 3, 6, 5, 5, 6, 5, 6, 6});
  CHECK(batch.lengths == std::vector<Index>{3, 3, 3, 3});
  CHECK(replace_word({UNK}, 0, 5).source.values == std::vector<std::int32_t>{UNK, 4});
  CHECK_THROWS_AS(replace_word(sentence, 3, 7), std::out_of_range);
}

TEST_CASE("of a large vocabulary 60 words are enough") {
  const Ids ids = replace_word({1000, 9}, 1, 5000).source;
  CHECK(ids.shape == Shape({61, 2}));
  CHECK(ids.column(0).values == std::vector<std::int32_t>(61, 1000));
  const std::vector<std::int32_t> seconds = ids.column(1).values;
  CHECK(std::count(seconds.begin(), seconds.end(), 9) == 1);
  CHECK(seconds.back() == 63);
}

TEST_CASE("the mean move is a mean of distances from row 0") {
  const Tensor x({3, 2}, {1, 1, 4, 5, 1, 1});  // distances 5 and 0
  CHECK(mean_move(x) == 2.5f);
}
