// What a page may ask of the engine: chapter 03's step on states of the reader's, and chapter 08's model, one
// training step at a time. JavaScript values go in and come out; what the engine throws comes out as {error: "..."}.
#include <emscripten/bind.h>
#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "attention/attention.hpp"
#include "core/tape.hpp"
#include "examples/kit/alignments.hpp"
#include "examples/kit/evaluate.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator.hpp"

namespace lookback {
extern const unsigned long toy_en_size, toy_es_size;  // examples/data/toy.en and toy.es, which CMake puts in
extern const unsigned char toy_en[], toy_es[];
}  // namespace lookback

using namespace lookback;
using emscripten::val;

namespace {

template <class F>
val answer(F f) {
  try {
    return f();
  } catch (const std::exception& error) {
    val failed = val::object();
    failed.set("error", std::string(error.what()));
    return failed;
  }
}

template <class T>
val array(const std::vector<T>& values) {
  return val::array(values.begin(), values.end());
}

val numbers(const Tensor& x) { return val::array(x.values().begin(), x.values().end()); }

// [[1, 0], [0, 1]] as 1, 0, 0, 1.
std::vector<Real> flat(const val& rows) {
  return emscripten::convertJSArrayToNumberVector<Real>(rows.call<val>("flat"));
}

// As the chapters print it: text(1/3, ".3f") is 0.333.
std::string text(double x, const std::string& how) { return fmt::format(fmt::runtime("{:" + how + "}"), x); }

// --- one step

// dc/ds by the tape, a row for each component of c.
val follow(const Attention& attend, const Keys& keys, const Tensor& s) {
  val rows = val::array();
  for (Index i = 0; i < s.size(); ++i) {
    Tape tape;
    const Tensor x = s.detach().want_grad(), seed(s.shape());
    seed.write()[i] = 1;
    tape.backward(attend(x, keys).context, seed);
    rows.call<void>("push", numbers(x.grad_tensor()));
  }
  return rows;
}

// {score, seed, h: S vectors, s, length: how many of the S are words, W_o: a row for each word of the vocabulary}
val one_step(const val& given) {
  return answer([&] {
    const Index S = given["h"]["length"].as<int>(), V = given["W_o"]["length"].as<int>(), H = 2;
    const Params params(given["seed"].as<unsigned>());
    const Attention attend(params, given["score"].as<std::string>(), {.query = H, .key = H, .hidden = H});
    const Tensor h({1, S, H}, flat(given["h"])), s({1, H}, flat(given["s"]));
    const std::vector<Index> length{given["length"].as<int>()};
    const Keys keys = attend.read(h, length[0] < S ? Mask::lengths(length, S) : Mask());
    const Attended a = attend(s, keys);
    const Tensor W_o({V, 2 * H}, flat(given["W_o"])), both[] = {s, a.context};
    const Tensor logits = linear(concat(both, -1), W_o);

    val step = val::object(), parameters = val::array();
    step.set("e", numbers(a.scores));
    step.set("alpha", numbers(a.weights));
    step.set("c", numbers(a.context));
    step.set("logits", numbers(logits));
    step.set("p", numbers(softmax(logits)));
    step.set("dc_ds", follow(attend, keys, s));
    for (const Param& w : params.all()) {
      val parameter = val::object();
      parameter.set("name", w.name);
      parameter.set("shape", to_string(w.value.shape()));
      parameter.set("values", numbers(w.value));
      parameters.call<void>("push", parameter);
    }
    step.set("parameters", parameters);
    return step;
  });
}

// --- watch it learn

std::vector<SentencePair> toy_pairs() {
  const auto stream = [](const unsigned char* bytes, unsigned long size) {
    return std::istringstream({reinterpret_cast<const char*>(bytes), size});
  };
  std::istringstream source = stream(toy_en, toy_en_size), target = stream(toy_es, toy_es_size);
  std::vector<SentencePair> pairs;
  for (std::string x, y; std::getline(source, x) && std::getline(target, y);)
    pairs.push_back({tokenize(x), tokenize(y), static_cast<int>(pairs.size()) + 1});
  return pairs;
}

val drawn(const Heatmap& map) {
  val picture = val::object();
  picture.set("rows", array(map.rows));
  picture.set("columns", array(map.columns));
  picture.set("weights", array(map.weights));
  picture.set("entropy", row_entropy(map));
  return picture;
}

class Learner {
 public:
  Learner(const std::string& score, std::uint64_t seed)
      : model_(Params(seed), Vocabulary(sources(pairs_)), Vocabulary(targets(pairs_)), {.score = score}) {
    adam_.options.rate = TrainOptions().rate;
  }

  double step() {
    const auto loss = [&](const Batch& batch) { return model_.loss(batch); };
    return train_step(model_.params(), adam_, loss, batch_, TrainOptions().max_norm, ++steps_);
  }

  val look(std::size_t pair) const {
    return drawn(heatmap(forced_alignment(model_, {&pairs_.at(pair), 1}), 0));
  }

  val exact() const {
    const Evaluation all = evaluate(model_, pairs_);
    val result = val::object();
    result.set("exact", static_cast<int>(all.exact));
    result.set("of", static_cast<int>(pairs_.size()));
    return result;
  }

  val translate(const std::string& sentence) const {
    const Tokens words = tokenize(sentence);
    const Translations found = model_.translate({&words, 1});
    val result = val::object();
    result.set("words", array(found.sentences[0].words));
    result.set("sentence", detokenize(found.sentences[0].words));
    result.set("ended", found.sentences[0].ended);
    result.set("unseen", array(model_.source().unseen(words)));
    if (!found.sentences[0].words.empty()) result.set("map", drawn(heatmap(found.alignment, 0)));
    return result;
  }

  val describe() const {
    val pairs = val::array(), result = val::object();
    for (const SentencePair& pair : pairs_) {
      val both = val::array();
      both.call<void>("push", detokenize(pair.source));
      both.call<void>("push", detokenize(pair.target));
      pairs.call<void>("push", both);
    }
    result.set("pairs", pairs);
    result.set("parameters", static_cast<int>(model_.params().count()));
    result.set("words", static_cast<int>(model_.target().size()));
    return result;
  }

 private:
  std::vector<SentencePair> pairs_ = toy_pairs();
  Translator model_;
  Batch batch_ = make_batch(model_.ids(pairs_));
  Adam adam_;
  Index steps_ = 0;
};

std::unique_ptr<Learner> learner;  // one at a time

val begin(const std::string& score, unsigned seed) {
  return answer([&] {
    learner = std::make_unique<Learner>(score, seed);
    return learner->describe();
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(lookback) {
  using emscripten::function;
  function(
      "scores", +[] { return array(score_names()); });
  function("text", &text);
  function("oneStep", &one_step);
  function("begin", &begin);
  function(
      "step", +[] { return answer([] { return val(learner->step()); }); });
  function(
      "look", +[](unsigned pair) { return answer([=] { return learner->look(pair); }); });
  function(
      "exact", +[] { return answer([] { return learner->exact(); }); });
  function(
      "translate",
      +[](const std::string& sentence) { return answer([&] { return learner->translate(sentence); }); });
}
