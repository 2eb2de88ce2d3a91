// Greedy decoding with a decoder that says what it is told to.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "attention/greedy.hpp"
#include "tests/attention/decoder_cases.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Words = std::vector<std::int32_t>;

// Sentence b says script[b], one word a step, then EOS for ever; its weights at step t are all t + 1.
struct Scripted : Decoder {
  std::vector<Words> script;
  mutable std::vector<Ids> read_words;

  explicit Scripted(std::vector<Words> s) : script(std::move(s)) {}
  Memory read(const Encoded& encoded) const override { return {encoded, {}}; }
  State start(const Memory&) const override { return {}; }
  Step step(const Memory& memory, const Ids& previous, State&) const override {
    const std::size_t t = read_words.size();
    read_words.push_back(previous);
    const Index B = std::ssize(script), S = memory.encoded.h.shape()[1];
    const Tensor logits({B, 10});
    for (std::size_t b = 0; b < script.size(); ++b)
      logits.write()[static_cast<Index>(b) * 10 + (t < script[b].size() ? script[b][t] : EOS)] = 1;
    return {logits, Tensor({B, 2, S}, static_cast<Real>(t + 1))};
  }
  Forced teach(const Memory&, const Ids&, Random*) const override { return {}; }
};

Memory memory(const Decoder& decoder, const std::vector<Index>& lengths, Index S) {
  const Index B = std::ssize(lengths);
  return decoder.read({Tensor({B, S, 3}), Tensor({B, 3}), Mask::lengths(lengths, S), Tensor({B, 3})});
}

}  // namespace

TEST_CASE("greedy: each sentence stops at its own EOS, and all when all have") {
  const Scripted decoder({{4, 5, 6}, {}, {7}});
  const Greedy greedy = greedy_decode(decoder, memory(decoder, {2, 2, 1}, 2), 100);
  CHECK(greedy.sentences[0].ids == Words{4, 5, 6});
  CHECK(greedy.sentences[1].ids.empty());
  CHECK(greedy.sentences[2].ids == Words{7});
  for (const Written& sentence : greedy.sentences) CHECK(sentence.ended);
  REQUIRE(decoder.read_words.size() == 4);  // three words and EOS, no step more
  CHECK(decoder.read_words[0].values == Words{GO, GO, GO});
  CHECK(decoder.read_words[1].values == Words{4, EOS, 7});  // its own words are read back
  CHECK(decoder.read_words[2].values == Words{5, EOS, EOS});
}

TEST_CASE("greedy: weights past a sentence's EOS are 0, those of EOS itself are kept") {
  const Scripted decoder({{4, 5, 6}, {}, {7}});
  const Greedy greedy = greedy_decode(decoder, memory(decoder, {2, 2, 1}, 2), 100);
  CHECK(greedy.weights.shape() == Shape({3, 2, 4, 2}));
  const std::vector<Index> steps = {4, 1, 2};
  for (Index b = 0; b < 3; ++b)
    for (Index t = 0; t < 4; ++t)
      CHECK(distance(select(greedy.weights.select(b), 1, t),
                     Tensor({2, 2}, static_cast<Real>(t < steps[static_cast<std::size_t>(b)] ? t + 1 : 0))) ==
            0);
}

TEST_CASE("greedy: the limit cuts off, and says so") {
  const Scripted decoder({{4, 5, 6}, {8, 9}});
  const Greedy greedy = greedy_decode(decoder, memory(decoder, {2, 2}, 2), 2);
  CHECK(greedy.sentences[0].ids == Words{4, 5});
  CHECK(!greedy.sentences[0].ended);
  CHECK(greedy.sentences[1].ids == Words{8, 9});
  CHECK(!greedy.sentences[1].ended);  // EOS would have come next
  CHECK(greedy.weights.shape() == Shape({2, 2, 2, 2}));
  for (const Index limit : {0, -1}) {
    const Greedy none = greedy_decode(decoder, memory(decoder, {2, 2}, 2), limit);
    CHECK((none.sentences.size() == 2 && none.sentences[0].ids.empty() && !none.sentences[0].ended));
    CHECK(none.weights.shape()[0] == 2);
  }
}

TEST_CASE("case 10: a source without words ends at once, its mates go on") {
  const Scripted decoder({{4}, {5, 6}});
  const Greedy greedy = greedy_decode(decoder, memory(decoder, {0, 2}, 2), 10);
  CHECK((greedy.sentences[0].ids.empty() && greedy.sentences[0].ended));
  CHECK(greedy.sentences[1].ids == Words{5, 6});
  CHECK(all_zero(greedy.weights.select(0)));
  for (const Index S : {0, 3}) {
    const Scripted silent({{4}, {5, 6}});
    const Greedy none = greedy_decode(silent, memory(silent, {0, 0}, S), 10);
    CHECK((none.sentences[0].ended && none.sentences[1].ended && none.sentences[1].ids.empty()));
    CHECK(silent.read_words.empty());
    CHECK(none.weights.shape() == Shape({2, 0, 0, S}));
  }
}

TEST_CASE("case 10: real decoders, whatever their options, over sources without words") {
  for (const auto& [name, options] : decoder_options()) {
    INFO(name);
    const AttentionDecoder decoder(Params(1), {9, 2, 3, 3, 2}, options);
    for (const Index S : {0, 2}) CHECK(greedy_decode(decoder, memory(decoder, {0}, S), 5).sentences[0].ended);
    const Forced forced = decoder.teach(memory(decoder, {0, 0}, 2), Ids({2, 1}, GO));
    CHECK(all_zero(forced.weights));
    for (const Real v : forced.logits.values()) CHECK(std::isfinite(v));
  }
}
