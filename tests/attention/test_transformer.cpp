// The Transformer, encoder and decoder, against its equations written out from the parameters' names alone,
// with and without dropout; and what it refuses.
#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention/transformer.hpp"
#include "core/gradcheck.hpp"
#include "nn/dropout.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Lengths = std::vector<Index>;
using Catch::Matchers::ContainsSubstring;

struct Equations {
  Params params;
  TransformerOptions n;
  Random* random = nullptr;
  Tensor weights{};  // of the last attention

  Tensor p(const std::string& name) const { return params.find(name); }
  Tensor drop(const Tensor& x) const { return dropout(x, n.dropout, random); }
  Tensor norm(const Tensor& x, const std::string& name) const {
    return layer_norm(x, p(name + ".weight"), p(name + ".bias"));
  }
  Tensor map(const Tensor& x, const std::string& name) const {
    return linear(x, p(name + ".weight"), p(name + ".bias"));
  }

  // sqrt(E) embedding + sines and cosines
  Tensor embed(const Ids& ids, const std::string& name) const {
    const Index E = n.width;
    Tensor at({ids.shape[1], E});
    for (Index t = 0; t < ids.shape[1]; ++t)
      for (Index i = 0; i < E / 2; ++i) {
        const double angle =
            static_cast<double>(t) / std::pow(1e4, 2. * static_cast<double>(i) / static_cast<double>(E));
        at.write()[t * E + 2 * i] = static_cast<Real>(std::sin(angle));
        at.write()[t * E + 2 * i + 1] = static_cast<Real>(std::cos(angle));
      }
    return drop(std::sqrt(static_cast<Real>(E)) * lookup(p(name + ".weight"), ids) + at);
  }

  // x looks at m, head by head.
  Tensor attend(const Tensor& x, const Tensor& m, const std::string& name, const Mask& mask) {
    const Index E = n.width, d = E / n.heads;
    const auto part = [&](const Tensor& of, Index which) {
      return linear(of, slice(p(name + ".in_proj_weight"), 0, which * E, (which + 1) * E),
                    slice(p(name + ".in_proj_bias"), 0, which * E, (which + 1) * E));
    };
    const Tensor q = part(x, 0), k = part(m, 1), v = part(m, 2);
    const auto head = [&](const Tensor& of, Index j) { return slice(of, -1, j * d, (j + 1) * d); };
    std::vector<Tensor> contexts, alphas;
    for (Index j = 0; j < n.heads; ++j)
      alphas.push_back(
          masked_softmax(matmul_nt(head(q, j), head(k, j)) / std::sqrt(static_cast<Real>(d)), mask));
    weights = stack(alphas, 1);
    const Tensor kept = drop(weights);
    for (Index j = 0; j < n.heads; ++j) contexts.push_back(matmul(select(kept, 1, j), head(v, j)));
    return map(concat(contexts, -1), name + ".out_proj");
  }

  Tensor feed_forward(const Tensor& x, const std::string& layer) const {
    return map(drop(relu(map(x, layer + ".linear1"))), layer + ".linear2");
  }

  Tensor residual(const Tensor& x, const std::string& name,
                  const std::function<Tensor(const Tensor&)>& f) const {
    if (n.norm == Norm::pre) return x + drop(f(norm(x, name)));
    return norm(x + drop(f(x)), name);
  }

  Tensor encode(const Ids& ids, const Mask& mask) {
    Tensor x = embed(ids, "encoder.embedding");
    for (Index l = 0; l < n.layers; ++l) {
      const std::string layer = "encoder.layers." + std::to_string(l);
      x = residual(x, layer + ".norm1",
                   [&](const Tensor& z) { return attend(z, z, layer + ".self_attn", mask); });
      x = residual(x, layer + ".norm2", [&](const Tensor& z) { return feed_forward(z, layer); });
    }
    return n.norm == Norm::pre ? norm(x, "encoder.norm") : x;
  }

  Tensor decode(const Tensor& h, const Mask& mask, const Ids& inputs) {  // logits
    const Index T = inputs.shape[1];
    const Mask causal = Mask::causal(T).reshape({1, T, T});
    Tensor x = embed(inputs, "decoder.embedding");
    for (Index l = 0; l < n.layers; ++l) {
      const std::string layer = "decoder.layers." + std::to_string(l);
      x = residual(x, layer + ".norm1",
                   [&](const Tensor& z) { return attend(z, z, layer + ".self_attn", causal); });
      x = residual(x, layer + ".norm2",
                   [&](const Tensor& z) { return attend(z, h, layer + ".multihead_attn", mask); });
      x = residual(x, layer + ".norm3", [&](const Tensor& z) { return feed_forward(z, layer); });
    }
    return map(n.norm == Norm::pre ? norm(x, "decoder.norm") : x, "decoder.vocab");
  }
};

struct Model {
  Params params{4};
  TransformerOptions n;
  TransformerEncoder encode;
  TransformerDecoder decode;

  explicit Model(const TransformerOptions& options)
      : n(options), encode(params["encoder"], 9, n), decode(params["decoder"], 7, n) {
    for (std::size_t k = 0; k < params.all().size(); ++k) {  // biases and norms too
      const Tensor p = params.all()[k].value, values = random_leaf(p.shape(), k, -1, 1);
      std::copy_n(values.data(), p.size(), p.write());
    }
  }
};

const Ids source({2, 3}, {4, 5, 6, 7, 8, 0}), inputs({2, 4}, {1, 4, 5, 6, 1, 6, 3, 5});
const Lengths lengths = {3, 2};
const Mask mask = Mask::lengths(lengths, 3);

}  // namespace

TEST_CASE("encoder and decoder equal the equations, with dropout from the same stream and without") {
  for (const Norm norm : {Norm::post, Norm::pre})
    for (const bool dropped : {false, true}) {
      INFO((norm == Norm::pre ? "pre-norm" : "post-norm") << (dropped ? ", dropped" : ""));
      const Model model(
          {.width = 4, .heads = 2, .feed_forward = 5, .layers = 2, .norm = norm, .dropout = Real(0.3)});
      Random stream(8), same(8);
      Equations by_hand{model.params, model.n, dropped ? &same : nullptr};
      const Tensor h = by_hand.encode(source, mask.reshape({2, 1, 3}));
      const Encoded encoded = model.encode(source, lengths, dropped ? &stream : nullptr);
      CHECK(distance(encoded.h, h) <= 1e-5);
      CHECK(distance(encoded.last, last_states(h, mask)) <= 1e-5);
      const Tensor logits = by_hand.decode(h, mask.reshape({2, 1, 3}), inputs);
      const Forced forced =
          model.decode.teach(model.decode.read(encoded), inputs, dropped ? &stream : nullptr);
      CHECK(distance(forced.logits, logits) <= 1e-5);
      CHECK(distance(forced.weights, by_hand.weights) <= 1e-5);
      CHECK(stream.position() == same.position());
    }
}

TEST_CASE("maps begin as glorot has them, each of the three of attention too, embeddings as N(0, 1 / E)") {
  const Params params(1);
  const TransformerDecoder decoder(params, 500, {.width = 64, .heads = 4, .feed_forward = 80});
  const auto largest = [&](const char* name) {
    const auto values = params.find(name).values();
    return std::abs(*std::max_element(values.begin(), values.end(),
                                      [](Real a, Real b) { return std::abs(a) < std::abs(b); }));
  };
  CHECK(largest("layers.0.self_attn.in_proj_weight") == Approx(std::sqrt(6. / 128)).epsilon(0.01));
  CHECK(largest("layers.0.self_attn.out_proj.weight") == Approx(std::sqrt(6. / 128)).epsilon(0.01));
  CHECK(largest("layers.0.linear1.weight") == Approx(std::sqrt(6. / 144)).epsilon(0.01));
  const Tensor rows = params.find("embedding.weight");
  CHECK(mean(rows * rows).item() == Approx(1. / 64).epsilon(0.03));
}

TEST_CASE("encoder and decoder over one embedding: one matrix, which learns from all of its uses") {
  const Params params(1);
  const TransformerOptions n{.width = 4, .heads = 2, .feed_forward = 5};
  const TransformerEncoder encode(params["encoder"], 9, n);
  const TransformerDecoder decode(params["decoder"], encode.embedding(), n, true);
  CHECK_THROWS_AS(params.find("decoder.embedding.weight"), std::out_of_range);
  CHECK_THROWS_AS(params.find("decoder.vocab.weight"), std::out_of_range);
  const auto gradient = [&](bool source_too) {
    const std::vector<Tensor> of{encode.embedding().weight};
    return gradients(of, [&] {
      const Encoded h = encode(source, lengths);
      return sum(
          decode.teach(decode.read(source_too ? h : Encoded{h.h.detach(), h.last, h.mask}), inputs).logits);
    })[0];
  };
  const Tensor all = gradient(true), target = gradient(false);
  CHECK_FALSE(all_zero((all - target).select(7)));  // read by the source alone, written by the readout
  CHECK_FALSE(all_zero(target.select(7)));
}

TEST_CASE("a Transformer of impossible sizes is refused before it adds a parameter") {
  const Params params(1);
  for (const TransformerOptions& n :
       {TransformerOptions{.layers = 0}, TransformerOptions{.layers = -1}, TransformerOptions{.heads = 0},
        TransformerOptions{.width = 0}, TransformerOptions{.width = 12},
        TransformerOptions{.feed_forward = 0}}) {
    const std::string sizes = std::to_string(n.layers) + " layers, " + std::to_string(n.heads) +
                              " heads, width " + std::to_string(n.width) + ", feed_forward " +
                              std::to_string(n.feed_forward);
    CHECK_THROWS_WITH(TransformerEncoder(params, 9, n), ContainsSubstring("TransformerEncoder: " + sizes));
    CHECK_THROWS_WITH(TransformerDecoder(params, 9, n), ContainsSubstring("TransformerDecoder: " + sizes));
  }
  CHECK_THROWS_WITH(MultiHead(params["attention"], 4, 3), "attention: 4 features cannot be cut into 3 heads");
  CHECK(params.all().empty());
}

TEST_CASE("multi-head attention refuses keys of another batch, of another width or with another mask") {
  const Params params(1);
  const MultiHead attend(params["two"], 4, 2), wide(params["wide"], 6, 2);
  const Tensor x({1, 2, 4});
  CHECK_THROWS_WITH(attend(x, attend.read(Tensor({3, 5, 4}))),
                    "multi_head([1, 2, 4], [3, 5, 4], [3, 5, 4]): this x needs keys and values of the shape "
                    "[1, S, 4]");
  CHECK_THROWS_WITH(attend(x, wide.read(Tensor({1, 5, 6}))), ContainsSubstring("of the shape [1, S, 4]"));
  CHECK_THROWS_WITH(attend(Tensor({3, 2, 4}), attend.read(x)), ContainsSubstring("of the shape [3, S, 4]"));
  CHECK_THROWS_WITH(attend(x, {}), ContainsSubstring("multi_head([1, 2, 4], empty, empty)"));
  Keys keys = attend.read(Tensor({1, 5, 4}));
  keys.mask = Mask({1, 1, 1, 4}, {1, 1, 1, 1});
  for (const bool causal : {false, true})
    CHECK_THROWS_WITH(attend(x, keys, causal),
                      ContainsSubstring("the keys' mask [1, 1, 1, 4] needs the shape [1, 1, 1, 5]"));
}
