// Beam search over any decoder: against greedy decoding, teacher forcing and all sentences there are.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "attention/beam.hpp"
#include "attention/greedy.hpp"
#include "attention/transformer.hpp"
#include "core/gradcheck.hpp"
#include "nn/control_ids.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

// A decoder whose next word depends on the previous one alone: logits are rows of a table.
struct Chain : Decoder {
  Tensor table;  // [V, V]
  mutable int steps = 0;
  explicit Chain(Tensor t) : table(std::move(t)) {}
  Memory read(const Encoded& encoded) const override { return {encoded, {}}; }
  State start(const Memory&) const override { return {}; }
  Step step(const Memory& memory, const Ids& previous, State&) const override {
    ++steps;
    return {index_select(table, previous, 0), Tensor({previous.size(), 1, memory.encoded.h.shape()[1]})};
  }
  Forced teach(const Memory&, const Ids&, Random*) const override { return {}; }
};

constexpr Real inf = std::numeric_limits<Real>::infinity(),
               no_number = std::numeric_limits<Real>::quiet_NaN();

// A chain over PAD, GO, EOS and two or more words, PAD and GO never said.
Chain chain(Index V, const std::vector<std::pair<std::int32_t, std::vector<Real>>>& rows) {  // of EOS, words
  Tensor table({V, V}, -inf);
  for (const auto& [word, logits] : rows)
    std::copy(logits.begin(), logits.end(), table.write() + word * V + EOS);
  return Chain(table);
}

using Sentences = std::vector<std::vector<std::int32_t>>;

Sentences ids_of(const std::vector<Hypothesis>& found) {
  Sentences all;
  for (const Hypothesis& h : found) all.push_back(h.ids);
  return all;
}

Encoded source_of(Index B) { return {Tensor({B, 2, 1}), Tensor({B, 1}), {}}; }

// The likeliest sentence of at most `limit` words, by trying them all.
double best_by_hand(const Tensor& log_p, std::int32_t from, Index limit) {
  double best = log_p.at({from, EOS});
  if (limit == 0) return best;
  for (std::int32_t v = 3; v < log_p.cols(); ++v)
    best = std::max(best, static_cast<double>(log_p.at({from, v})) + best_by_hand(log_p, v, limit - 1));
  return best;
}

}  // namespace

TEST_CASE("beam width 1 equals greedy decoding, for both kinds of decoders") {
  const Params params(3);
  const TransformerOptions n{.width = 8, .heads = 2, .feed_forward = 8, .layers = 2};
  const TransformerEncoder encode(params["encoder"], 12, n);
  const TransformerDecoder transformer(params["transformer"], 11, n);
  const AttentionDecoder recurrent(params["recurrent"], {11, 5, 8, 8, 6}, {.heads = 2});
  const Encoded encoded =
      encode(Ids({3, 4}, {4, 5, 6, 7, 8, 9, 0, 0, 10, 0, 0, 0}), std::vector<Index>{4, 2, 1});
  for (const Decoder* decoder :
       {static_cast<const Decoder*>(&transformer), static_cast<const Decoder*>(&recurrent)}) {
    const Memory memory = decoder->read(encoded);
    const Greedy greedy = greedy_decode(*decoder, memory, 9);
    const auto beams = beam_search(*decoder, memory, {.width = 1, .limit = 9});
    for (std::size_t b = 0; b < 3; ++b) {
      REQUIRE(beams[b].size() == 1);
      CHECK(beams[b][0].ids == greedy.sentences[b].ids);
      CHECK(beams[b][0].ended == greedy.sentences[b].ended);
      const Tensor rows = greedy.weights.select(static_cast<Index>(b));  // [heads, T, S]
      CHECK(distance(beams[b][0].weights, slice(rows, 1, 0, beams[b][0].weights.shape()[1])) <= 1e-6);
    }
  }
}

TEST_CASE("a wide beam finds the likeliest sentence, greedy need not") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Chain chain(random_leaf({7, 7}, seed, -3, 3).detach());
    Tensor open = chain.table.detach();
    for (Index r = 0; r < 7; ++r)
      open.write()[r * 7] = open.write()[r * 7 + 1] = -50;  // PAD and GO are never said
    const Chain decoder(open);
    const auto found = beam_search(decoder, decoder.read(source_of(2)), {.width = 200, .limit = 4});
    CHECK(found[0][0].log_probability == Approx(best_by_hand(log_softmax(open), GO, 3)).margin(1e-4));
    CHECK(found[1][0].ids == found[0][0].ids);
    for (std::size_t k = 1; k < found[0].size(); ++k)
      CHECK((found[0][k - 1].ended > found[0][k].ended || found[0][k - 1].score >= found[0][k].score));
  }
}

TEST_CASE("a long sentence that is all but certain is found, though three short ones have ended before it") {
  std::vector<std::pair<std::int32_t, std::vector<Real>>> rows;
  for (std::int32_t word = UNK; word < 11; ++word) {  // says the next word, else EOS
    std::vector<Real> logits(10, -inf);
    logits[0] = 0, logits[static_cast<std::size_t>(word - UNK + 2)] = 8;
    rows.push_back({word, logits});
  }
  rows.push_back({11, {0}});
  rows.push_back({GO, {0, 8}});
  const Chain decoder = chain(12, rows);
  const auto found = beam_search(decoder, decoder.read(source_of(1)), {.width = 3, .limit = 20});
  CHECK(found[0].size() == 3);
  CHECK(found[0][0].ids == std::vector<std::int32_t>{3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(std::exp(found[0][0].log_probability) > 0.99);
}

TEST_CASE("the length penalty divides by ((5 + words) / 6)^alpha") {
  const Chain decoder(random_leaf({6, 6}, 1).detach());
  const auto found =
      beam_search(decoder, decoder.read(source_of(1)), {.width = 4, .limit = 6, .length_penalty = 0.7f});
  for (const Hypothesis& h : found[0])
    CHECK(h.score ==
          Approx(h.log_probability / std::pow((5.0 + static_cast<double>(h.ids.size())) / 6, 0.7)));
}

TEST_CASE("an empty source ends a beam at once") {
  const Chain decoder(random_leaf({6, 6}, 1).detach());
  Encoded encoded = source_of(1);
  encoded.mask = Mask({1, 2}, {0, 0});
  const auto found = beam_search(decoder, decoder.read(encoded));
  CHECK((found[0].size() == 1 && found[0][0].ended && found[0][0].ids.empty()));
}

TEST_CASE("every hypothesis is worth what teacher forcing says, and looked where it looks") {
  const Params params(5);
  const TransformerOptions n{.width = 6, .heads = 2, .feed_forward = 7, .layers = 2};
  const TransformerEncoder encode(params["encoder"], 12, n);
  const TransformerDecoder transformer(params["transformer"], 9, n);
  const AttentionDecoder recurrent(params["recurrent"], {9, 5, 6, 6, 4}, {.heads = 2, .layers = 2});
  for (const Param& p : params.all())  // far from uniform, so that beams change places
    for (Real* v = p.value.write(); v != p.value.data() + p.value.size(); ++v) *v *= 2;
  const Encoded encoded =
      encode(Ids({3, 5}, {4, 5, 0, 0, 0, 6, 7, 8, 9, 10, 11, 4, 6, 0, 0}), std::vector<Index>{2, 5, 3});
  for (const Decoder* decoder :
       {static_cast<const Decoder*>(&transformer), static_cast<const Decoder*>(&recurrent)}) {
    const auto beams = beam_search(*decoder, decoder->read(encoded), {.width = 3, .limit = 7});
    for (Index b = 0; b < 3; ++b) {
      const Memory memory = select_rows(decoder->read(encoded), Ids({1}, static_cast<std::int32_t>(b)));
      CHECK(beams[static_cast<std::size_t>(b)].size() == 3);
      for (const Hypothesis& h : beams[static_cast<std::size_t>(b)]) {
        std::vector<std::int32_t> said = h.ids, read{GO};
        if (h.ended) said.push_back(EOS);
        read.insert(read.end(), said.begin(), said.end() - 1);
        const auto T = static_cast<Index>(said.size());
        const Forced forced = decoder->teach(memory, Ids({1, T}, read));
        const Tensor log_p = gather(log_softmax(forced.logits), Ids({1, T, 1}, said), 2);
        CHECK(static_cast<double>(sum(log_p).item()) == Approx(h.log_probability).margin(1e-5));
        CHECK(distance(h.weights, forced.weights.select(0)) <= 1e-5);
      }
    }
  }
}

TEST_CASE("as many beginnings go on as there are, however many end beside them") {
  // EOS .4, 3 .31, 4 .29; after 3 nothing is likely, after 4 the end is sure: 4 is found third, or not at all.
  const Chain decoder =
      chain(9, {{GO, {std::log(.4f), std::log(.31f), std::log(.29f)}}, {3, {0, 0, 0, 0, 0, 0, 0}}, {4, {0}}});
  const auto found = beam_search(decoder, decoder.read(source_of(1)), {.width = 2, .limit = 3});
  CHECK(ids_of(found[0]) == Sentences{{}, {4}});
  CHECK(found[0][1].log_probability == Approx(std::log(.29)));
}

TEST_CASE("equal hypotheses come in the order of rows, then of words") {
  const Chain decoder = chain(6, {{GO, {-inf, 0, 0, 0}}, {3, {-inf, 0, 0, 0}}, {4, {-inf, 0, 0, 0}}});
  const Memory memory = decoder.read(source_of(1));
  CHECK(ids_of(beam_search(decoder, memory, {.width = 2, .limit = 1})[0]) == Sentences{{3}, {4}});
  CHECK(ids_of(beam_search(decoder, memory, {.width = 2, .limit = 2})[0]) == Sentences{{3, 3}, {3, 4}});
}

TEST_CASE("beam width 1 is greedy where words are a rounding apart") {
  for (const Real z : {Real(8), Real(0.3), Real(1e-30), Real(-5), Real(-1e-30)}) {
    INFO(z);
    const std::vector<Real> row{-inf, z, std::nextafter(z, inf), std::nextafter(z, -inf)};
    const Chain decoder = chain(6, {{GO, row}, {3, row}, {4, row}, {5, row}});
    const Memory memory = decoder.read(source_of(1));
    const Greedy greedy = greedy_decode(decoder, memory, 40);
    CHECK(greedy.sentences[0].ids == std::vector<std::int32_t>(40, 4));
    CHECK(beam_search(decoder, memory, {.width = 1, .limit = 40})[0][0].ids == greedy.sentences[0].ids);
  }
}

TEST_CASE("a word of logit -inf is never said") {
  const Chain decoder = chain(5, {{GO, {0, 1, -inf}}, {3, {0, -inf, -inf}}});
  const auto found = beam_search(decoder, decoder.read(source_of(1)), {.width = 3, .limit = 9});
  CHECK(ids_of(found[0]) == Sentences{{3}, {}});
  CHECK(decoder.steps == 2);  // then there is nothing to go on with
  CHECK(greedy_decode(decoder, decoder.read(source_of(1)), 9).sentences[0].ids == Sentences{{3}}[0]);
}

TEST_CASE("searches refuse logits that are not finite, by step") {
  for (const std::vector<Real>& bad : {std::vector<Real>{0, no_number, 0}, std::vector<Real>{no_number, 0, 0},
                                       std::vector<Real>{0, 0, inf}, std::vector<Real>(3, -inf)}) {
    const Chain decoder = chain(5, {{GO, {-inf, 1, -inf}}, {3, {-inf, -9, 1}}, {4, bad}});
    const Memory memory = decoder.read(source_of(2));
    for (const Index width : {1, 2})
      CHECK_THROWS_WITH(beam_search(decoder, memory, {.width = width}),
                        "beam_search: step 3's logits are not finite");
    CHECK_THROWS_WITH(greedy_decode(decoder, memory, 9), "greedy_decode: step 3's logits are not finite");
    CHECK_THROWS_AS(greedy_decode(decoder, memory, 9), std::runtime_error);
    CHECK_NOTHROW(greedy_decode(decoder, memory, 2));
  }
}

TEST_CASE("beam search refuses options that mean nothing") {
  const Chain decoder(Tensor({6, 6}));
  const Memory memory = decoder.read(source_of(1));
  for (const Index width : {0, -2})
    CHECK_THROWS_WITH(beam_search(decoder, memory, {.width = width}),
                      "beam_search: the width " + std::to_string(width) + " is not 1 or more");
  CHECK_THROWS_WITH(beam_search(decoder, memory, {.length_penalty = no_number}),
                    "beam_search: the length penalty nan is not finite");
  CHECK_THROWS_AS(beam_search(decoder, memory, {.length_penalty = inf}), std::invalid_argument);
}
