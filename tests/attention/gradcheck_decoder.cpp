// The attention decoder's gradients in every parameter and in what the encoder handed over, in double.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "attention/attention_decoder.hpp"
#include "core/gradcheck.hpp"
#include "tests/attention/decoder_cases.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using In = std::vector<Tensor>;

const std::vector<std::string> names = score_names();

struct Source {  // two sentences of 2 and 3 words
  Tensor h = random_leaf({2, 3, 3}, 1), last = random_leaf({2, 3}, 2), last_c = random_leaf({2, 3}, 3);
  Encoded encoded() const { return {h, last, Mask::lengths(std::vector<Index>{2, 3}, 3), last_c}; }
};

struct Model {
  Params params{5};
  AttentionDecoder decoder;
  explicit Model(const AttentionDecoderOptions& options) : decoder(params, {7, 2, 3, 3, 2}, options) {}
};

Tensor flat(const Forced& forced) {
  return concat(In{forced.logits.reshape({-1}), forced.weights.reshape({-1})}, 0);
}

void check(const std::string& name, const Model& model, const Source& source,
           const std::function<Forced(const Memory&)>& f) {
  INFO(name);
  In x = tensors_of(model.params);
  x.push_back(source.h);
  x.push_back(source.last);
  const bool lstm = model.decoder.options().cell == Cell::lstm;
  if (lstm) x.push_back(source.last_c);
  const Gradcheck g = gradcheck(name, x, [&] {
    const Forced forced = f(model.decoder.read(source.encoded()));
    return forced.weights.size() ? flat(forced) : forced.logits;
  });
  CHECK(g.failure == "");
  CHECK(g.checked == 2 * (model.params.count() + source.h.size() + (lstm ? 2 : 1) * source.last.size()));
}

// What T steps of feed_previous read: GO, then their own words. [B, T]
Ids words_read(const Tensor& logits) {
  const Ids said = argmax(logits);
  Ids read(said.shape, GO);
  for (Index b = 0; b < said.shape[0]; ++b)
    std::copy_n(said.values.begin() + b * said.shape[1], said.shape[1] - 1,
                read.values.begin() + b * said.shape[1] + 1);
  return read;
}

// A model sure of what it says, and that says neither GO nor PAD.
void speak(const Model& model) {
  const Tensor bias = model.params.find("vocab.bias"),
               weight = model.params.find(model.decoder.options().tied ? "embedding.weight" : "vocab.weight");
  bias.write()[PAD] = bias.write()[GO] = -20;
  Real* w = weight.write();
  for (Index i = 0; i < weight.size(); ++i) w[i] *= 5;
}

// How far the likeliest word of any place is before the next.
Real smallest_lead(const Tensor& logits) {
  const auto V = static_cast<std::size_t>(logits.cols());
  Real smallest = 1e9;
  for (std::size_t row = 0; row < logits.values().size(); row += V) {
    std::vector<Real> words(logits.values().begin() + static_cast<Index>(row),
                            logits.values().begin() + static_cast<Index>(row + V));
    std::sort(words.begin(), words.end());
    smallest = std::min(smallest, words[V - 1] - words[V - 2]);
  }
  return smallest;
}

}  // namespace

TEST_CASE("case 6: the decoder, teacher-forced, for every option") {
  const Ids inputs({2, 3}, {GO, 4, 4, GO, 6, EOS});
  for (const auto& [name, options] : decoder_options()) {
    const Model model(options);
    check(name, model, {}, [&](const Memory& memory) { return model.decoder.teach(memory, inputs); });
  }
}

TEST_CASE("case 6: the decoder, teacher-forced, for every score") {
  REQUIRE(names.size() >= 6);
  const Ids inputs({2, 2}, {GO, 4, GO, 6});
  for (const auto& [name, options] : decoder_scores(names)) {
    const Model model(options);
    check(name, model, {}, [&](const Memory& memory) { return model.decoder.teach(memory, inputs); });
  }
}

TEST_CASE("the decoder with keys of another size than its state") {
  const Params params(1);
  const AttentionDecoder decoder(params, {7, 2, 3, 5, 2, 4}, {.bridge = Bridge::linear_tanh});
  In x = tensors_of(params);
  x.push_back(random_leaf({1, 2, 5}, 1));
  x.push_back(random_leaf({1, 5}, 2));
  const Gradcheck g = gradcheck("oblong", x, [&] {
    return flat(decoder.teach(decoder.read({x[x.size() - 2], x.back(), {}}), Ids({1, 2}, {GO, 4})));
  });
  CHECK(g.failure == "");
}

TEST_CASE("feed_previous: while no word changes, its gradient is that of finite differences") {
  for (const auto& [name, options] : decoder_options()) {
    if (!options.update_embedding_for_previous) continue;  // finite differences see what it leaves out
    const Model model(options);
    speak(model);
    const Source source;
    const Tensor logits = feed_previous(model.decoder, model.decoder.read(source.encoded()), 4).logits;
    INFO(name);
    CHECK(smallest_lead(logits) > 1e-3);  // steps of 1e-5 turn no word
    check(name, model, source, [&](const Memory& memory) { return feed_previous(model.decoder, memory, 4); });
  }
}

TEST_CASE("feed_previous is teacher forcing on its own words") {
  for (const auto& [name, options] : decoder_options()) {
    INFO(name);
    const Model model(options);
    speak(model);
    const Memory memory = model.decoder.read(Source().encoded());
    const Forced own = feed_previous(model.decoder, memory, 5);
    const Forced taught = model.decoder.teach(memory, words_read(own.logits));
    CHECK(distance(own.logits, taught.logits) <= 1e-12);
    CHECK(distance(own.weights, taught.weights) <= 1e-12);
  }
}

TEST_CASE(
    "update_embedding_for_previous: false gives words fed back no gradient at all, GO and other weights the "
    "same") {
  const Source source;
  std::vector<std::vector<Tensor>> of;  // false, true
  Ids read;
  for (const bool update : {false, true}) {
    const Model model({.update_embedding_for_previous = update});
    speak(model);
    const auto run = [&] {
      return feed_previous(model.decoder, model.decoder.read(source.encoded()), 5).logits;
    };
    read = words_read(run());
    const Tensor w = random_leaf(run().shape(), 3).detach();
    of.push_back(gradients(tensors_of(model.params), [&] { return sum(w * run()); }));
  }
  REQUIRE(Model({}).params.all()[0].name == "embedding.weight");
  const Tensor &without = of[0][0], &with = of[1][0];
  int fed_back = 0;
  for (std::int32_t id = 0; id < 7; ++id) {
    const bool was_read = std::count(read.values.begin(), read.values.end(), id) > 0;
    INFO("id " << id);
    CHECK(all_zero(without.select(id)) == (id != GO));
    CHECK(all_zero(with.select(id)) == !was_read);
    fed_back += was_read && id != GO;
  }
  CHECK(fed_back > 0);
  CHECK(distance(without.select(GO), with.select(GO)) <= 1e-12);
  for (std::size_t k = 1; k < of[0].size(); ++k) CHECK(distance(of[0][k], of[1][k]) <= 1e-12);
}
