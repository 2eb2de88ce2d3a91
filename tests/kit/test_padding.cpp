// Four ways to read a padded batch, and the check-up that tells them apart.
#include <cmath>
#include <vector>

#include "examples/kit/claims.hpp"
#include "examples/kit/padding.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

const std::vector<SentencePair> corpus = {
    {{"a", "blue", "house"}, {"una", "casa", "azul"}, 1},
    {{"two", "houses"}, {"dos", "casas"}, 2},
    {{"here"}, {"aquí"}, 3},
};

Translator translator() {
  return Translator(Params(1), Vocabulary(sources(corpus)), Vocabulary(targets(corpus)), {}, {8, 12, 6});
}

}  // namespace

TEST_CASE("where the GRU stops, and what the mask hides") {
  const Translator model = translator();
  const Batch batch = make_batch(model.ids(corpus));
  const Encoded right = model.encode(batch.source, batch.lengths);
  for (const auto& [name, reading] : readings) {
    INFO(name);
    const Encoded encoded = encode_as(model, batch, reading);
    const bool stops = reading == Reading::lengths || reading == Reading::zeroed;
    const bool masks = reading == Reading::lengths || reading == Reading::mask_only;
    CHECK((difference(encoded.last, right.last) == 0) == stops);
    CHECK((encoded.h.at({1, 2, 0}) == 0) == stops);                  // a place of PAD
    CHECK(difference(encoded.h.select(0), right.h.select(0)) == 0);  // the longest has no PAD
    CHECK(encoded.mask.empty() != masks);
    if (masks) CHECK(encoded.mask.values == batch.mask.values);
  }
}

TEST_CASE("mass on PAD and row entropy are means over the target tokens, not over PAD's rows") {
  Batch batch;
  batch.lengths = {1, 3};
  batch.mask = Mask::lengths(batch.lengths, 3);
  batch.targets = Ids({2, 2}, {EOS, PAD, 4, EOS});
  batch.tokens = 3;
  const Real third = Real(1) / 3;
  const Tensor weights({2, 2, 3}, {0.5, 0.25, 0.25, 0, 0, 1,  // one word; the second row does not count
                                   third, third, third, 0, 1, 0});
  CHECK(mass_on_pad(weights, batch) == Approx(0.5 / 3));
  // -sum alpha ln alpha = 1.5 ln 2 over ln 2 (one word counts as two), ln 3 over ln 3, 0
  CHECK(entropy_share(weights, batch) == Approx((1.5 + 1 + 0) / 3).epsilon(1e-5));
}

TEST_CASE("a check-up: only lengths and mask leave nothing of the batch mates") {
  const Translator model = translator();
  const std::vector<IdPair> pairs = model.ids(corpus);
  for (const Index S : {3, 9})
    for (const auto& [name, reading] : readings) {
      INFO(name << ", S = " << S);
      const Checkup x = check_up(model, pairs, make_batch(pairs, {.S = S}), reading);
      const bool right = reading == Reading::lengths;
      CHECK((x[0] == 0) == (right || reading == Reading::mask_only));
      CHECK(x[1] > 0.7);                     // 2 of 9 rows are of a source of one word
      CHECK(x[2] == Approx(1).margin(0.1));  // it guesses
      CHECK((x[5] < 1e-6) == (right || reading == Reading::zeroed));  // h_S
      CHECK((x[7] < 1e-5) == right);                                  // logits
      if (right) CHECK(x[6] < 1e-6);
    }
  Batch equal = make_batch({pairs.data(), 1});  // without padding nothing is to be masked
  CHECK(check_up(model, {pairs.data(), 1}, equal, Reading::no_lengths)[7] == 0);
}

TEST_CASE("a check-up counts the likeliest words, forced and fed back, and takes the batch's own inputs") {
  const Translator model = translator();
  const std::vector<IdPair> pairs = model.ids(corpus);
  Batch batch = make_batch(pairs);
  const Memory memory = model.read(batch);
  batch.targets = argmax(model.decoder().teach(memory, batch.inputs).logits);  // what it says is called right
  for (std::int32_t& id : batch.targets.values) id = id == PAD ? EOS : id;
  batch.tokens = batch.targets.size();
  const Checkup x = check_up(model, pairs, batch, Reading::lengths);
  CHECK(x[3] > 0.5);
  batch.inputs = batch.targets;  // the fault "shift": other inputs, but alone and among mates the same
  const Checkup shifted = check_up(model, pairs, batch, Reading::lengths);
  CHECK(shifted[2] != x[2]);
  CHECK(shifted[4] == x[4]);
  CHECK(shifted[7] < 1e-5);
}

TEST_CASE("more places, more mass on PAD, unless it is masked") {
  const Translator model = translator();
  const std::vector<IdPair> pairs = model.ids(corpus);
  const Line line = mass_line("zeroed", model, pairs, Reading::zeroed);
  REQUIRE(line.x.size() == 16);
  CHECK(line.x.front() == 3);
  CHECK(line.x.back() == 33);
  for (std::size_t i = 1; i < line.y.size(); ++i) CHECK(line.y[i] > line.y[i - 1]);
  CHECK(line.y.back() == Approx(1 - 2.0 / 33).margin(0.05));  // scores near 0: nearly even weights
  for (const float y : mass_line("right", model, pairs, Reading::lengths).y) CHECK(y == 0);
}
