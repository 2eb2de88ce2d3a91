// Every option of the attention decoder against the equations, written out with primitives.
#include <algorithm>
#include <string>
#include <vector>

#include "attention/additive_scores.hpp"
#include "attention/attention_decoder.hpp"
#include "core/gradcheck.hpp"
#include "nn/dropout.hpp"
#include "tests/attention/decoder_cases.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;

constexpr Index V = 9, E = 5, H = 6, A = 4;

Tensor join(const Tensor& a, const Tensor& b) { return concat(std::vector{a, b}, -1); }

// The additive decoder, one step at a time, from the parameters' names alone.
struct ByHand {
  Params params;
  AttentionDecoderOptions options;
  Tensor h, last, last_c;
  std::vector<CellState> s{};  // of each layer
  Tensor c{};                  // contexts of all heads

  Tensor p(const std::string& name) const { return params.find(name); }
  Tensor mapped(const Tensor& x, const std::string& name) const {
    return linear(x, p(name + ".weight"), p(name + ".bias"));
  }
  bool attends() const { return options.score != "none"; }

  Tensor attend(const Tensor& state) const {
    std::vector<Tensor> contexts;
    for (Index k = 0; k < options.heads; ++k) {
      const std::string head = "attn" + std::to_string(k);
      const Tensor b = options.score_bias ? p(head + ".b") : Tensor({A});
      const Tensor q = linear(state, p(head + ".W1"), b), keys = linear(h, p(head + ".W2"));
      const Tensor alpha =
          softmax(additive_scores_composed(q.reshape({q.rows(), 1, A}), keys, p(head + ".v")));
      contexts.push_back(matmul(alpha, h).reshape({q.rows(), H}));
    }
    return concat(contexts, -1);
  }

  void start() {
    const bool copied = options.bridge == Bridge::copy, lstm = options.cell == Cell::lstm;
    const Tensor h0 = copied ? last : tanh(mapped(last, "bridge"));
    const Tensor c0 = !lstm ? Tensor() : copied ? last_c : tanh(mapped(last_c, "bridge_c"));
    s.assign(static_cast<std::size_t>(options.layers), {h0, c0});
    if (!attends()) return;
    c = options.first_context == FirstContext::attended ? attend(s.back().h)
                                                        : Tensor({last.rows(), options.heads * H});
  }

  Tensor step(const Ids& word) {  // logits
    const Tensor embedded = lookup(p("embedding.weight"), word);
    if (attends() && options.query == Query::previous_state) c = attend(s.back().h);
    Tensor x = attends() ? join(embedded, c) : embedded;
    if (attends() && options.input == Input::projected) x = mapped(x, "in");
    for (std::size_t l = 0; l < s.size(); ++l) {
      const std::string cell = l ? "cell" + std::to_string(l) : "cell";
      const auto gates = [&](const Tensor& of, const std::string& half) {
        return linear(of, p(cell + ".weight_" + half), p(cell + ".bias_" + half));
      };
      const Tensor gi = gates(x, "ih"), gh = gates(s[l].h, "hh");
      s[l] = options.cell == Cell::lstm ? lstm_gates_composed(gi, gh, s[l])
                                        : CellState{gru_gates_composed(gi, gh, s[l].h), {}};
      x = s[l].h;
    }
    if (attends() && options.query == Query::new_state) c = attend(s.back().h);
    const Tensor sc = attends() ? join(s.back().h, c) : s.back().h;
    return linear(options.readout == Readout::projected ? mapped(sc, "out") : sc,
                  p(options.tied ? "embedding.weight" : "vocab.weight"), p("vocab.bias"));
  }
};

}  // namespace

TEST_CASE("three steps of every option equal the equations") {
  std::vector<DecoderCase> cases = decoder_options();
  cases.push_back({"all of them, additive",
                   {.score_bias = true,
                    .heads = 2,
                    .layers = 2,
                    .query = Query::previous_state,
                    .bridge = Bridge::linear_tanh,
                    .first_context = FirstContext::attended,
                    .readout = Readout::direct}});
  for (const auto& [name, options] : cases) {
    if (options.score != "additive" && options.score != "none") continue;  // the equations above
    INFO(name);
    const Params params(2);
    const AttentionDecoder decoder(params, {V, E, H, H, A}, options);
    for (std::size_t k = 0; k < params.all().size(); ++k) {  // biases too, and far from linear
      const Tensor p = params.all()[k].value, values = random_leaf(p.shape(), k, -2, 2);
      std::copy_n(values.data(), p.size(), p.write());
    }
    ByHand by_hand{params, options, random_leaf({2, 3, H}, 1), random_leaf({2, H}, 2),
                   random_leaf({2, H}, 3)};
    const Memory memory = decoder.read({by_hand.h, by_hand.last, {}, by_hand.last_c});
    State state = decoder.start(memory);
    by_hand.start();
    for (const Ids& word : {Ids({2}, {GO, GO}), Ids({2}, {4, 7}), Ids({2}, {5, EOS})}) {
      CHECK(distance(decoder.step(memory, word, state).logits, by_hand.step(word)) <= 1e-5);
      CHECK(distance(state.parts[by_hand.s.size() - 1], by_hand.s.back().h) <= 1e-5);
      if (options.cell == Cell::lstm)
        CHECK(distance(state.parts[2 * by_hand.s.size() - 1], by_hand.s.back().c) <= 1e-5);
      if (by_hand.attends()) CHECK(distance(state.parts.back(), by_hand.c) <= 1e-5);
    }
  }
}

TEST_CASE("no option adds a parameter that is not read") {
  const Ids inputs({2, 3}, {GO, 4, 5, GO, 6, 7});
  for (const auto& [name, options] : decoder_options()) {
    const Params params(2);
    const AttentionDecoder decoder(params, {V, E, H, H, A}, options);
    const Tensor h = random_leaf({2, 3, H}, 1), last = random_leaf({2, H}, 2),
                 last_c = random_leaf({2, H}, 4), w = random_leaf({2, 3, V}, 3).detach();
    const auto loss = [&] {
      return sum(w * decoder.teach(decoder.read({h, last, {}, last_c}), inputs).logits);
    };
    const std::vector<Tensor> all = gradients(tensors_of(params), loss);
    for (std::size_t k = 0; k < all.size(); ++k) {
      INFO(name << ": " << params.all()[k].name);
      CHECK(!all_zero(all[k]));
    }
  }
}

TEST_CASE("dropout: of embedded words and of outputs, from one stream, and nowhere without it") {
  const Params params(2);
  const AttentionDecoder decoder(params, {V, E, H, H, A}, {.dropout = Real(0.4)});
  const Memory memory = decoder.read({random_leaf({2, 3, H}, 1), random_leaf({2, H}, 2), {}});
  const Ids inputs({2, 3}, {GO, 4, 5, GO, 6, 7});
  for (const bool dropped : {false, true}) {
    INFO(dropped);
    Random stream(3), same(3);
    const auto drop = [&](const Tensor& x) { return dropout(x, Real(0.4), dropped ? &same : nullptr); };
    const Tensor words = drop(decoder.embedding()(inputs));
    State state = decoder.start(memory);
    std::vector<Tensor> outputs;
    for (Index t = 0; t < 3; ++t) outputs.push_back(decoder.cell(select(words, 1, t), memory, state).output);
    const Tensor logits =
        linear(drop(stack(outputs, 1)), params.find("vocab.weight"), params.find("vocab.bias"));
    CHECK(distance(decoder.teach(memory, inputs, dropped ? &stream : nullptr).logits, logits) <= 1e-6);
    CHECK(stream.position() == same.position());
  }
}
