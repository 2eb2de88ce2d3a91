// What can be known of Note I's experiment before it is run.
#include <algorithm>

#include "examples/kit/copy.hpp"
#include "examples/kit/note_experiment.hpp"
#include "tests/catch.hpp"

using namespace lookback;

TEST_CASE("over one slot the maps of queries and keys get no gradient at all, over two they do") {
  const auto one = cross_attention_gradients(1, 1), two = cross_attention_gradients(2, 1);
  CHECK((one[0] == 0 && one[1] == 0 && one[2] > 0));
  CHECK((two[0] > 0 && two[1] > 0 && two[2] > 0));
}

TEST_CASE("the first state moves with every word") {
  const std::vector<Real> norms = words_in_first_state(7, 1);
  REQUIRE(norms.size() == 7);
  for (const Real norm : norms) CHECK(norm > Real(1e-3));
  CHECK(std::max_element(norms.begin(), norms.end()) == norms.begin());  // most with its own
}

TEST_CASE("largest weights are counted at the word written and at the word read") {
  const Vocabulary words = copy_vocabulary();
  const Translator model(Params(1), words, words, {.score = "dot"});
  Random random(1);
  const Batch batch = copy_batch(CopyTask::copy, 5, 3, random);
  const Tensor weights =
      mean(model.decoder().teach(model.read(batch), batch.inputs).weights, 1);  // [3, 6, 5]
  double written = 0, read = 0;
  for (Index b = 0; b < 3; ++b)
    for (Index t = 0; t < 5; ++t) {  // EOS, the sixth, is left out
      Index best = 0;
      for (Index i = 1; i < 5; ++i)
        if (weights.at({b, t, i}) > weights.at({b, t, best})) best = i;
      written += best == t, read += best == t - 1;
    }
  const auto [at_written, at_read] = largest_weights(model, batch);
  CHECK(at_written == Approx(written / 15));
  CHECK(at_read == Approx(read / 15));
  CHECK(written + read > 0);
}
