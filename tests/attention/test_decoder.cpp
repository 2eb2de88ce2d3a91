// The attention decoder: greedy decoding, and what it refuses.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "attention/greedy.hpp"
#include "attention/transformer.hpp"
#include "core/gradcheck.hpp"
#include "tests/attention/decoder_cases.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Lengths = std::vector<Index>;
using Catch::Matchers::ContainsSubstring;

const std::vector<std::string> names = score_names();

std::vector<DecoderCase> all_cases() {
  std::vector<DecoderCase> cases = decoder_options();
  for (DecoderCase& c : decoder_scores(names)) cases.push_back(std::move(c));
  return cases;
}

struct Model {
  Params params{3};
  Embedding embed{params["encoder.embedding"], 12, 5};
  Recurrent rnn;
  AttentionDecoder decoder;

  explicit Model(const AttentionDecoderOptions& options)
      : rnn(make_encoder(options.cell, params["encoder"], 5, 6)),
        decoder(params["decoder"], {9, 5, 6, 6, 4}, options) {
    const Tensor readout =
        params.find(options.tied ? "decoder.embedding.weight"
                                 : "decoder.vocab.weight");  // as sure of its words as a trained one
    std::transform(readout.data(), readout.data() + readout.size(), readout.write(),
                   [](Real w) { return 4 * w; });
  }
  Memory read(const Ids& source, const Lengths& lengths) const {
    return decoder.read(encoded(rnn(embed(source), lengths), lengths));
  }
};

struct Kind {  // of decoder, as its messages name it
  std::string name;
  std::shared_ptr<const Decoder> decoder;
};

std::vector<Kind> kinds() {
  const TransformerOptions n{.width = 6, .heads = 2, .feed_forward = 5, .layers = 2};
  return {{"AttentionDecoder",
           std::make_shared<AttentionDecoder>(Params(1), DecoderSizes{9, 5, 6, 6, 4},
                                              AttentionDecoderOptions{.heads = 2, .layers = 3})},
          {"TransformerDecoder", std::make_shared<TransformerDecoder>(Params(1), 9, n)}};
}

Encoded handed_over(Index B) {  // B sentences of 4 words
  return {Tensor({B, 4, 6}, 1), Tensor({B, 6}, 1), Mask::lengths(Lengths(static_cast<std::size_t>(B), 4), 4)};
}

const Ids source({3, 5}, {4, 5, PAD, PAD, PAD, 6, 7, 8, 9, 10, 11, 4, 6, PAD, PAD});
const Ids inputs({3, 4}, {GO, 4, 5, 6, GO, 7, PAD, PAD, GO, 8, EOS, 3});
const Lengths lengths = {2, 5, 3};

}  // namespace

TEST_CASE("greedy decoding is feed_previous up to EOS") {
  for (const auto& [name, options] : all_cases()) {
    INFO(name);
    const Model model(options);
    const Memory memory = model.read(source, lengths);
    const Greedy greedy = greedy_decode(model.decoder, memory, 8);
    const Forced own = feed_previous(model.decoder, memory, 8);
    const Ids said = argmax(own.logits);
    for (std::size_t b = 0; b < 3; ++b) {
      const auto first = said.values.begin() + static_cast<Index>(b) * 8,
                 last = std::find(first, first + 8, EOS);
      CHECK(greedy.sentences[b].ids == std::vector<std::int32_t>(first, last));
      CHECK(greedy.sentences[b].ended == (last != first + 8));
    }
  }
}

TEST_CASE("a decoder is refused when its sizes do not fit, in words that help") {
  const auto make = [](const DecoderSizes& sizes, const AttentionDecoderOptions& options) {
    AttentionDecoder(Params(1), sizes, options);
  };
  CHECK_THROWS_WITH(make({9, 5, 6, 12, 4}, {}),
                    "AttentionDecoder: h_S of size 12 cannot be copied into s_0 of size 6; "
                    "use bridge = linear_tanh");
  CHECK_THROWS_WITH(make({9, 5, 6, 12, 4}, {.score = "dot", .bridge = Bridge::linear_tanh}),
                    ContainsSubstring("a query of size 6 cannot meet keys of size 12"));
  CHECK_THROWS_WITH(make({9, 5, 6, 6, 4, 7}, {.tied = true}),
                    "a tied readout takes the embedding's 5 features, not 7");
  CHECK_THROWS_WITH(make({9, 5, 6, 6, 4}, {.score = "adittive"}),
                    ContainsSubstring("did you mean \"additive\"?"));
  for (const Readout readout : {Readout::projected, Readout::direct})
    for (const Index none : {0, -3}) {
      CHECK_THROWS_WITH(
          make({9, 5, 6, 6, 4}, {.layers = none, .readout = readout}),
          ContainsSubstring("AttentionDecoder: " + std::to_string(none) + " layers and 1 heads"));
      CHECK_THROWS_WITH(
          make({9, 5, 6, 6, 4}, {.heads = none, .readout = readout}),
          ContainsSubstring("AttentionDecoder: 1 layers and " + std::to_string(none) + " heads"));
    }
}

TEST_CASE("a decoder refuses inputs that do not fit") {
  for (const Kind& kind : kinds()) {
    const Decoder& decoder = *kind.decoder;
    const Memory memory = decoder.read(handed_over(3));
    for (const Shape& shape : {Shape{2, 4}, Shape{3, 0}, Shape{3}})
      CHECK_THROWS_WITH(decoder.teach(memory, Ids(shape, GO)),
                        kind.name + ": the inputs " + to_string(shape) + " need the shape [3, T], T > 0");
    CHECK_THROWS_WITH(decoder.teach(decoder.read(handed_over(1)), Ids({3, 2}, GO)),
                      kind.name + ": the inputs [3, 2] need the shape [1, T], T > 0");
    for (const std::int32_t id : {-1, 9, INT32_MAX})
      CHECK_THROWS_WITH(
          decoder.teach(memory, Ids({3, 1}, {GO, id, GO})),
          ContainsSubstring("id " + std::to_string(id) + " at place 1 of [3, 1] is not in 0 .. 8 (V = 9)"));
    State state = decoder.start(memory);
    for (const Shape& shape : {Shape{2}, Shape{3, 1}, Shape{}})
      CHECK_THROWS_WITH(decoder.step(memory, Ids(shape), state),
                        kind.name + ": the previous words " + to_string(shape) + " need the shape [3]");
    for (const Index T : {0, -1})
      CHECK_THROWS_WITH(feed_previous(decoder, memory, T),
                        "feed_previous: " + std::to_string(T) + " steps; at least one is needed");
  }
}

TEST_CASE("a decoder refuses a state or a memory that is not its own") {
  for (const Kind& kind : kinds()) {
    const Decoder& decoder = *kind.decoder;
    const Memory own = decoder.read(handed_over(3)), none{handed_over(3), {}};
    const std::string needs = ", not " + std::to_string(own.keys.size()) + "; it begins with read()";
    const Ids words(Shape{3}, GO);
    State state = decoder.start(own), empty;
    CHECK_THROWS_WITH(decoder.step(own, words, empty), kind.name + ": the state has 0 parts, not " +
                                                           std::to_string(state.parts.size()) +
                                                           "; it begins with start()");
    CHECK_THROWS_WITH(decoder.step(none, words, state),
                      kind.name + ": the memory holds 0 sets of keys" + needs);
    CHECK_THROWS_WITH(decoder.teach(none, inputs), kind.name + ": the memory holds 0 sets of keys" + needs);
  }
  const Model two({.heads = 2, .layers = 2});
  Encoded other = handed_over(3);
  for (const Shape& shape : {Shape{2, 6}, Shape{3, 5}}) {
    other.last = Tensor(shape);
    CHECK_THROWS_WITH(
        two.decoder.start(two.decoder.read(other)),
        "AttentionDecoder.start(" + to_string(shape) + "): the last states need the shape [3, 6]");
  }
  const Model lstm({.cell = Cell::lstm});  // which a GRU has nothing to hand to
  CHECK_THROWS_WITH(lstm.decoder.start(lstm.decoder.read(handed_over(3))),
                    ContainsSubstring("AttentionDecoder.start, last_c(empty): argument a is empty"));
}

TEST_CASE("a decoder takes a batch without sentences") {
  std::vector<Kind> all = kinds();
  all.push_back({"one head", std::make_shared<AttentionDecoder>(Params(1), DecoderSizes{9, 5, 6, 6, 4})});
  for (const Kind& kind : all) {
    INFO(kind.name);
    const Memory memory = kind.decoder->read(handed_over(0));
    State state = kind.decoder->start(memory);
    CHECK(kind.decoder->step(memory, Ids(Shape{0}), state).logits.shape() == Shape({0, 9}));
    CHECK(kind.decoder->teach(memory, Ids(Shape{0, 2})).logits.shape() == Shape({0, 2, 9}));
    CHECK(greedy_decode(*kind.decoder, memory, 3).sentences.empty());
  }
}

TEST_CASE("case 11: a decoder of ones, over one word") {
  for (const auto& [name, options] : all_cases()) {
    INFO(name);
    const Params params(1);
    const AttentionDecoder decoder(params, {1, 1, 1, 1, 1}, options);
    const Memory memory =
        decoder.read({random_leaf({1, 1, 1}, 1), random_leaf({1, 1}, 2), {}, Tensor({1, 1})});
    const Forced forced = decoder.teach(memory, Ids({1, 1}, 0));
    const Index heads = options.score == "none" ? 0 : options.heads;
    CHECK(forced.logits.shape() == Shape({1, 1, 1}));
    CHECK(distance(forced.weights, Tensor({1, heads, 1, 1}, 1)) == 0);
  }
}
