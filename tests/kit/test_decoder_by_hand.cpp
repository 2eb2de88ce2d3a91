// The attention decoder written out line by line against the library's.
#include "examples/kit/decoder_by_hand.hpp"
#include "examples/kit/heads.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

using namespace lookback;

namespace {

const std::vector<Tokens> words{{"a", "b", "c"}, {"b"}};
const std::vector<IdPair> pairs{{{4, 5, 6, 4}, {4, 5}}, {{5}, {6, 6, 4}}};

struct Case {
  Translator model;
  Batch batch = make_batch(pairs);
  Shapes see;

  explicit Case(AttentionDecoderOptions options)
      : model(Params(5), Vocabulary(words), Vocabulary(words), with_bias(options), {4, 3, 6}),
        see(Shapes(
                {{'B', 2}, {'S', 4}, {'T', 4}, {'E', 4}, {'H', 3}, {'A', 6}, {'V', 7}, {'K', options.heads}})
                .quiet()) {
    for (const auto& [name, w] : model.params().all()) {  // no bias stays zero
      Random random = Random::named(5, name);
      uniform(1)({w.write(), static_cast<std::size_t>(w.size())}, w.shape(), random);
    }
  }
  static AttentionDecoderOptions with_bias(AttentionDecoderOptions options) {
    options.score_bias = true;
    return options;
  }
};

}  // namespace

TEST_CASE("by hand and by the library: states, outputs, weights and loss, for heads and layers") {
  for (const Index heads : {1, 2, 3})
    for (const Index layers : {1, 2}) {
      CAPTURE(heads, layers);
      const Case x({.heads = heads, .layers = layers});
      const AttentionDecoder& decoder = x.model.decoder();
      const DecoderByHand hand(x.model, x.batch, x.see);
      const Memory memory = x.model.read(x.batch);
      State mine = hand.start(x.see), theirs = decoder.start(memory);
      CHECK(distance(mine.parts, theirs.parts) == 0);
      std::vector<Tensor> outputs;
      std::vector<Look> looks;
      for (Index t = 0; t < 4; ++t) {
        const Ids read = x.batch.inputs.column(t);
        outputs.push_back(hand.step(read, mine, looks, x.see));
        const auto out = decoder.cell(decoder.embedding()(read), memory, theirs);
        CHECK(distance(outputs.back(), out.output) < 1e-6);
        CHECK(distance(mine.parts, theirs.parts) < 1e-6);
        REQUIRE(std::ssize(looks) == heads);
        for (Index k = 0; k < heads; ++k)
          CHECK(distance(looks[static_cast<std::size_t>(k)].alpha, select(out.weights, 1, k)) < 1e-6);
      }
      CHECK(distance(hand.loss(outputs, x.see), x.model.loss(x.batch)) < 1e-6);
    }
}

TEST_CASE("the convolution: every place by itself, and a ring of zeros") {
  const Tensor image({1, 2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), filters({1, 1, 2, 1}, {10, 1});
  CHECK(distance(convolution(image, filters, 0), Tensor({1, 2, 3, 1}, {12, 34, 56, 78, 100, 122})) == 0);
  const Tensor ring = convolution(image, filters, 1);
  CHECK(ring.shape() == Shape{1, 4, 5, 1});
  CHECK(distance(ring, Tensor({1, 4, 5, 1},
                              {0, 0, 0, 0, 0, 0, 12, 34, 56, 0, 0, 78, 100, 122, 0, 0, 0, 0, 0, 0})) == 0);
}

TEST_CASE("a sentence of the batch as a figure: its words, its numbers") {
  const Case x({.heads = 2});
  const DecoderByHand hand(x.model, x.batch, x.see);
  State state = hand.start(x.see);
  std::vector<Look> looks;
  hand.step(x.batch.inputs.column(0), state, looks, x.see);
  const AttentionLayer layer = hand.draw(1, looks[1], 1);
  CHECK(layer.words == std::vector<std::string>{x.model.source().word(5), "_PAD", "_PAD", "_PAD"});
  CHECK(layer.length == 1);
  CHECK(layer.alpha == std::vector<float>{1, 0, 0, 0});
  CHECK(layer.c == layer.h[0]);
  CHECK(layer.q[5] == looks[1].q.at({1, 0, 0, 5}));
  CHECK(layer.u[2][4] == looks[1].u.at({1, 2, 0, 4}));
  CHECK(layer.keys[3] == std::vector<float>(6));
  CHECK(draw_attention_layer(layer).width > 0);
}

TEST_CASE("heads are drawn side by side, and their mean where there are several") {
  const auto width = [](Index heads) {
    return draw_heads({{{"a", "b"}}, {{"x"}}, Tensor({1, heads, 1, 2}, Real(0.5))}, 0).width;
  };
  const int bar = 60, one = width(1) - bar;
  CHECK(width(2) == bar + 3 * std::max(one, (width(2) - bar) / 3));  // head 1, head 2, their mean
  CHECK(width(2) > width(1) + one);
  CHECK(width(3) == width(2));  // a second row
}

TEST_CASE("a known link is framed in each head and in their mean") {
  const Alignment alignment{{{"a", "b"}}, {{"x"}}, Tensor({1, 2, 1, 2}, Real(0.5))};
  const auto inked = [](const Image& image) {
    int count = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) count += image.at(x, y) == ink_on(viridis(0.5f));
    return count;
  };
  const int frame = 4 * 33 + 4 * 31;  // two rings in a cell of 36
  CHECK(inked(draw_heads(alignment, 0, {{0, 1}})) == inked(draw_heads(alignment, 0)) + 3 * frame);
}
