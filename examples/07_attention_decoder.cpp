// Note II's attention_decoder, opened: the shape of every tensor from ids to loss, one step line by line, and
// what the note leaves open side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "attention/additive_scores.hpp"
#include "attention/draw/png.hpp"
#include "core/tape.hpp"
#include "examples/kit/decoder_by_hand.hpp"
#include "examples/kit/heads.hpp"
#include "examples/kit/stopwatch.hpp"
#include "examples/kit/text/options.hpp"
#include "examples/kit/text/text.hpp"
#include "examples/kit/train.hpp"

using namespace lookback;

namespace {

constexpr Index B = 3, E = 5, H = 8, A = 6;  // no two sizes are equal: a mixed-up axis shows

Translator make_model(const Corpus& c, std::uint64_t seed, const AttentionDecoderOptions& o,
                      TranslatorSizes n) {
  return {Params(seed), Vocabulary(sources(c.pairs)), Vocabulary(targets(c.pairs)), o, n};
}

// [model]
// Nobody trains this one. Every weight, biases too, is drawn from U(-1, 1): no term hides behind a zero.
Translator small_model(const Corpus& corpus, std::uint64_t seed, AttentionDecoderOptions options) {
  options.score_bias = true;  // the note's map of the query has one
  const Translator model = make_model(corpus, seed, options, {E, H, A});
  for (const auto& [name, w] : model.params().all()) {
    Random random = Random::named(seed, name);
    uniform(1)({w.write(), static_cast<std::size_t>(w.size())}, w.shape(), random);
  }
  return model;
}
// [/model]

std::string show(std::span<const Real> values) { return fmt::format("({:6.3f})", fmt::join(values, ", ")); }

// [order]
void print_order(const Translator& model, const Batch& batch, const char* asks, const char* first) {
  const Memory memory = model.read(batch);
  State state = model.decoder().start(memory);
  const Tensor c_0 = state.parts.back(), inp = model.decoder().embedding()(batch.inputs.column(0));
  const Tensor c_1 = model.decoder().cell(inp, memory, state).context;
  const bool before = model.decoder().options().query == Query::previous_state;
  fmt::print("  {:5} {:9}", asks, first);
  for (const Tensor& x : {before ? c_1 : c_0, state.parts.end()[-2], c_1})
    fmt::print("  {}", show(x.values().first(3)));
  fmt::print("\n");
}
// [/order]

void print_fused() {
  const Params p(1);
  const auto random = [&](const char* name, Shape shape) { return p.add(name, shape, normal(1)); };
  const Tensor q = random("q", {32, 12, 128}), k = random("k", {32, 20, 128}), v = random("v", {128});
  const auto ms = [&](auto scores) {
    const auto pass = [&] {
      Tape tape;
      tape.backward(sum(scores(q, k, v)));
    };
    return nanoseconds(pass) / 1e6;
  };
  fmt::print("  forward and backward: fused ~{:.2f} ms, composed ~{:.2f} ms\n", ms(additive_scores),
             ms(additive_scores_composed));
}

// [batch]
void print_batch(const Translator& model, std::span<const IdPair> ids) {
  const auto teach = [&](const Batch& x) { return model.decoder().teach(model.read(x), x.inputs).logits; };
  const auto ms = [&](const std::vector<Batch>& batches) {
    const auto pass = [&] {
      for (const Batch& x : batches) teach(x);
    };
    return nanoseconds(pass) / 1e6;
  };
  const std::vector<Batch> all = make_batches(ids, std::ssize(ids)), ones = make_batches(ids, 1);
  const Tensor logits = teach(all[0]);  // [B, T, V]
  std::vector<Tensor> together, alone;  // [T_b, V] of each sentence
  for (const Batch& one : ones) {
    together.push_back(slice(logits.select(std::ssize(alone)), 0, 0, one.tokens));
    alone.push_back(teach(one).select(0));
  }
  print_equal("logits of a sentence in the batch, and alone", concat(together, 0), concat(alone, 0));
  fmt::print("  the batch: {} steps of {} rows, ~{:.2f} ms\n", logits.shape()[1], ids.size(), ms(all));
  fmt::print("  one by one: {} steps of 1 row, ~{:.2f} ms\n", all[0].tokens, ms(ones));
}
// [/batch]

// [heads]
void print_heads(const Corpus& corpus, std::span<const IdPair> ids, int heads, const Options& options) {
  const Translator model = make_model(corpus, options.seed, {.heads = heads}, {});
  const auto loss = [&](const Batch& batch) { return model.loss(batch); };
  train(model.params(), make_batches(ids, 32), loss, {.epochs = 150});
  const Translations t = model.translate({&corpus.pairs[3].source, 1});
  fmt::print("  {} -> {}\n", detokenize(corpus.pairs[3].source), detokenize(t.sentences[0].words));
  fmt::print("  weights of the heads {}, of their mean {}\n", to_string(t.alignment.weights.shape()),
             to_string(t.alignment.mean().shape()));
  write_png(options.out + "/07-heads.png", draw_heads(t.alignment, 0));
}
// [/heads]

}  // namespace

int main(int argc, char** argv) {
  Options options{.seed = 6, .out = "out/07"};
  int heads = 2, layers = 1;
  Chapter chapter("07_attention_decoder", "every tensor of the attention decoder, from ids to loss");
  chapter.takes(options, {"--seed", "--threads", "--out", "--quick"});
  chapter.takes("--heads", heads, "attention heads", 1, 4);
  chapter.takes("--layers", layers, "stacked decoder cells", 1, 4);
  return chapter.run(argc, argv, [&] {
    const Corpus corpus = read_corpus(find_corpus(options.data));
    AttentionDecoderOptions form{.heads = heads, .layers = layers};
    const Translator model = small_model(corpus, options.seed, form);
    std::vector<IdPair> ids;
    for (const SentencePair& pair : corpus.pairs) ids.push_back(model.ids(pair));
    const Batch batch = make_batch(std::span(ids).first(B));
    const Index S = batch.source.shape[1], T = batch.inputs.shape[1], V = model.target().size();
    const Shapes see({{'B', B}, {'S', S}, {'T', T}, {'E', E}, {'H', H}, {'A', A}, {'V', V}, {'K', heads}});
    fmt::print("The encoder, and the features of its states\n");
    const DecoderByHand hand(model, batch, see);
    const Memory memory = model.read(batch);
    // [convolution]
    const Tensor h = memory.encoded.h, W_2 = model.params().find("decoder.attn0.W2");
    const Tensor image = h.reshape(see("[B, S, 1, H]")), k = transpose(W_2).reshape(see("[1, 1, H, A]"));
    const Tensor ring = see("with P = 1 they would be", "[B, S+2, 3, A]", convolution(image, k, 1));
    const Tensor same = convolution(image, k, 0), inside = slice(slice(ring, 1, 1, S + 1), 2, 1, 2);
    print_equal("P = 0, and linear(h, W_2)", same.reshape(see("[B, S, A]")), linear(h, W_2));
    print_equal("P = 1 without its ring, and P = 0", inside, same);
    // [/convolution]
    fmt::print("\nBefore the first step\n");
    State state = hand.start(see), theirs = model.decoder().start(memory);
    fmt::print("\nStep 1\n");
    // [all]
    const Embedding& embedding = model.decoder().embedding();
    std::vector<Tensor> outputs, cells, contexts;
    std::vector<Look> looks;
    AttentionLayer first;
    for (Index t = 0; t < T; ++t) {
      const Ids words = batch.inputs.column(t);
      outputs.push_back(hand.step(words, state, looks, t ? see.quiet() : see));
      contexts.push_back(state.parts.back());
      if (t == 0) first = hand.draw(0, looks[0], 0);
      cells.push_back(model.decoder().cell(embedding(words), memory, theirs).output);
    }
    print_equal("outputs of all steps, by hand and by cell()", stack(outputs, 0), stack(cells, 0));
    // [/all]
    fmt::print("  first head, first sentence\n  e     {}\n  alpha {}\n", show(first.e), show(first.alpha));
    fmt::print("\nAll steps, and the loss\n");
    const Tensor loss = hand.loss(outputs, see);
    print_equal("the loss, by hand and by the library", loss, model.loss(batch));
    fmt::print("  {} words and EOS, loss {:.3f}\n", batch.tokens, loss.item());
    write_png(options.out + "/07-attention-layer.png", draw_attention_layer(first));
    fmt::print("\n\"Adding\" context and input\n");
    // [sum]
    const Tensor W = model.params().find("decoder.in.weight"), inp = embedding(batch.inputs.column(1));
    const Tensor W_inp = slice(W, 1, 0, E), W_c = slice(W, 1, E, W.cols()), both[] = {inp, contexts[0]};
    print_equal("W_in [inp; c], and W_inp inp + W_c c", linear(concat(both, -1), W),
                linear(inp, W_inp) + linear(contexts[0], W_c));
    // [/sum]
    fmt::print("\nWho asks: the first sentence at t = 1, three numbers of each vector\n");
    fmt::print("  asks  c_0        c in x_1                  s_1                       c in output_1\n");
    print_order(model, batch, "s_1", "zero");
    form.first_context = FirstContext::attended;
    print_order(small_model(corpus, options.seed, form), batch, "s_1", "attended");
    form.query = Query::previous_state;
    print_order(small_model(corpus, options.seed, form), batch, "s_0", "either");
    fmt::print("\nThe score fused and composed, B = 32, T = 12, S = 20, A = 128\n");
    print_fused();
    fmt::print("\nThe batch, and sentence by sentence\n");
    print_batch(model, ids);
    fmt::print("\nHeads\n");
    print_heads(corpus, ids, heads, options);
  });
}
