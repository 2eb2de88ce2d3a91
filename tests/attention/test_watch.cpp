// Watching attentions: names, weights, and that nothing changes.
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/alignment.hpp"
#include "attention/attention_decoder.hpp"
#include "attention/transformer.hpp"
#include "attention/watch.hpp"
#include "core/gradcheck.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

const Attention& cross() {
  static const Attention attend(Params(1)["decoder.cross"], "dot", {.query = 2, .key = 2});
  return attend;
}

}  // namespace

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

TEST_CASE("a Watch gathers an alignment step by step") {
  const Keys keys = cross().read(random_leaf({2, 3, 2}, 1));
  const Tensor s = random_leaf({2, 4, 2}, 2);
  Alignment alignment;
  {
    Watch watch([&](const std::string& name, const Tensor& weights) {
      if (name == "decoder.cross") alignment.add(weights);  // a step: [B, 1, S]
    });
    for (Index t = 0; t < 4; ++t) cross()(select(s, 1, t), keys);
  }
  REQUIRE(alignment.weights.defined());
  CHECK(distance(alignment.head(0), cross()(s, keys).weights) <= 1e-6);
}

TEST_CASE("the names of an AttentionDecoder's heads") {
  const AttentionDecoder decoder(Params(1)["decoder"], {9, 5, 6, 6, 4}, {.heads = 2});
  std::vector<std::string> names;
  const Watch watch([&](const std::string& name, const Tensor&) { names.push_back(name); });
  decoder.teach(decoder.read({Tensor({1, 2, 6}), Tensor({1, 6}), {}}), Ids({1, 1}, GO));
  CHECK(names == std::vector<std::string>{"decoder.attn0", "decoder.attn1"});
}

TEST_CASE(
    "watches see from the inside out; an attention inside one is not shown; a throw leaves all as it was") {
  const Keys keys = cross().read(random_leaf({1, 3, 2}, 1));
  const Tensor s = random_leaf({1, 2}, 2);
  std::string seen;
  const Watch outer([&](const std::string&, const Tensor&) { seen += "o"; });
  {
    const Watch inner([&](const std::string&, const Tensor&) {
      seen += "i";
      if (seen.size() < 9) cross()(s, keys);
    });
    cross()(s, keys);
    CHECK(seen == "io");
    cross()(s, keys);
    CHECK(seen == "ioio");
  }
  {
    const Watch throws([](const std::string&, const Tensor&) { throw std::runtime_error("seen enough"); });
    CHECK_THROWS_WITH(cross()(s, keys), "seen enough");
    CHECK_THROWS_WITH(cross()(s, keys), "seen enough");
  }
  cross()(s, keys);
  CHECK(seen == "ioioo");
}
