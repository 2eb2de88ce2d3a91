// Beam search over any decoder, watching attentions, and the bottleneck.
#include <cmath>
#include <map>

#include "attention/attention_decoder.hpp"
#include "attention/beam.hpp"
#include "attention/greedy.hpp"
#include "attention/transformer.hpp"
#include "attention/watch.hpp"
#include "core/gradcheck.hpp"
#include "nn/control_ids.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

// A decoder whose next word depends on the previous one alone: logits are rows of a table.
struct Chain : Decoder {
  Tensor table;  // [V, V]
  explicit Chain(Tensor t) : table(std::move(t)) {}
  Memory read(const Encoded& encoded) const override { return {encoded, {}}; }
  State start(const Memory&) const override { return {}; }
  Step step(const Memory& memory, const Ids& previous, State&) const override {
    return {index_select(table, previous, 0), Tensor({previous.size(), 1, memory.encoded.h.shape()[1]})};
  }
  Forced teach(const Memory&, const Ids&, Random*) const override { return {}; }
};

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

TEST_CASE("a Watch is shown every attention under its parameter name, and changes nothing") {
  const Params params(1);
  const TransformerOptions n{.width = 4, .heads = 2, .feed_forward = 4};
  const TransformerEncoder encode(params["encoder"], 9, n);
  const TransformerDecoder decode(params["decoder"], 9, n);
  const auto run = [&] {
    const Memory memory = decode.read(encode(Ids({2, 3}, {4, 5, 6, 7, 0, 0}), std::vector<Index>{3, 1}));
    return decode.teach(memory, Ids({2, 2}, {1, 4, 1, 5}));
  };
  const Forced unwatched = run();
  std::map<std::string, Tensor> seen;
  {
    Watch watch([&](const std::string& name, const Tensor& weights) { seen[name] = weights; });
    CHECK(distance(run().logits, unwatched.logits) == 0);
  }
  run();
  REQUIRE(seen.size() == 3);
  CHECK(seen.at("encoder.layers.0.self_attn").shape() == Shape({2, 2, 3, 3}));
  CHECK(distance(seen.at("decoder.layers.0.multihead_attn"), unwatched.weights) == 0);
  CHECK(distance(sum(unwatched.weights, -1), Tensor({2, 2, 2}, 1)) <= 1e-6);
}

TEST_CASE("one memory slot: the softmax is 1 and query and key maps get exactly no gradient") {
  const Params params(1);
  const MultiHead attend(params, 4, 2);
  const Tensor x = random_leaf({2, 3, 4}, 1), h = random_leaf({2, 5, 4}, 2);
  const Encoded one = limit_memory({h, {}, Mask::lengths(std::vector<Index>{5, 2}, 5)}, MemoryLimit::last);
  CHECK(distance(one.h.select(1).select(0), h.select(1).select(1)) == 0);
  Tape tape;
  const MultiHeaded a = attend(x, attend.read(one.h, one.mask));
  CHECK(distance(a.weights, Tensor(a.weights.shape(), 1)) == 0);
  tape.backward(sum(a.output));
  const Tensor d = params.find("in_proj_weight").grad_tensor();  // [3E, E]
  CHECK(all_zero(slice(d, 0, 0, 8)));
  CHECK_FALSE(all_zero(slice(d, 0, 8, 12)));
}
