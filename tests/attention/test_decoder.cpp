// The attention decoder: greedy decoding, and what it refuses.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "attention/greedy.hpp"
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
  GRU gru{params["encoder.gru"], 5, 6};
  AttentionDecoder decoder;

  explicit Model(const AttentionDecoderOptions& options)
      : decoder(params["decoder"], {9, 5, 6, 6, 4}, options) {
    const Tensor readout =
        params.find(options.tied ? "decoder.embedding.weight"
                                 : "decoder.vocab.weight");  // as sure of its words as a trained one
    std::transform(readout.data(), readout.data() + readout.size(), readout.write(),
                   [](Real w) { return 4 * w; });
  }
  Memory read(const Ids& source, const Lengths& lengths) const {
    const States states = gru(embed(source), lengths);
    return decoder.read({states.h, states.last, Mask::lengths(lengths, source.shape[1])});
  }
};

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
  const Model model({});
  const Memory memory = model.read(source, lengths);
  CHECK_THROWS_WITH(model.decoder.teach(memory, Ids(Shape{2, 4})),
                    "teach([3, 6]): the inputs [2, 4] need the shape [3, T], T > 0");
  CHECK_THROWS_WITH(model.decoder.teach(memory, Ids(Shape{3, 0})),
                    ContainsSubstring("the inputs [3, 0] need the shape [3, T], T > 0"));
  CHECK_THROWS_WITH(model.decoder.teach(memory, Ids(Shape{3})),
                    ContainsSubstring("the inputs [3] need the shape [3, T]"));
  for (const std::int32_t id : {-1, 9, INT32_MAX})
    CHECK_THROWS_WITH(
        model.decoder.teach(memory, Ids({3, 1}, {GO, id, GO})),
        ContainsSubstring("id " + std::to_string(id) + " at place 1 of [3, 1] is not in 0 .. 8 (V = 9)"));
  State state = model.decoder.start(memory);
  for (const Shape& shape : {Shape{2}, Shape{3, 1}, Shape{}})
    CHECK_THROWS_WITH(model.decoder.step(memory, Ids(shape), state),
                      "step([3, 6]): the previous words " + to_string(shape) + " need the shape [3]");
  CHECK_THROWS_WITH(feed_previous(model.decoder, memory, 0), ContainsSubstring("nothing to join"));
}

TEST_CASE("a decoder refuses a state or a memory that is not its own") {
  const Model one({}), two({.heads = 2, .layers = 2});
  const Memory memory = one.read(source, lengths);
  State none, other = one.decoder.start(memory);
  CHECK_THROWS_WITH(one.decoder.step(memory, Ids(Shape{3}, GO), none),
                    "AttentionDecoder: the state has 0 parts, not 2; it begins with start()");
  CHECK_THROWS_WITH(two.decoder.step(two.read(source, lengths), Ids(Shape{3}, GO), other),
                    "AttentionDecoder: the state has 2 parts, not 3; it begins with start()");
  CHECK_THROWS_WITH(
      two.decoder.teach(memory, inputs),
      "AttentionDecoder: the memory holds the keys of 1 heads, not of 2; read() it with this decoder");
}

TEST_CASE("case 11: a decoder of ones, over one word") {
  for (const auto& [name, options] : all_cases()) {
    INFO(name);
    const Params params(1);
    const AttentionDecoder decoder(params, {1, 1, 1, 1, 1}, options);
    const Memory memory = decoder.read({random_leaf({1, 1, 1}, 1), random_leaf({1, 1}, 2), {}});
    const Forced forced = decoder.teach(memory, Ids({1, 1}, 0));
    const Index heads = options.score == "none" ? 0 : options.heads;
    CHECK(forced.logits.shape() == Shape({1, 1, 1}));
    CHECK(distance(forced.weights, Tensor({1, heads, 1, 1}, 1)) == 0);
  }
}
