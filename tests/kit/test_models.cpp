// The models of Note I's experiment, all through one interface: sizes, learning, translating, files.
#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/file.hpp"
#include "examples/kit/alignments.hpp"
#include "examples/kit/evaluate.hpp"
#include "examples/kit/models.hpp"
#include "examples/kit/pools.hpp"
#include "examples/kit/train.hpp"
#include "examples/kit/translator_file.hpp"
#include "nn/loss.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/stderr_text.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Model = std::unique_ptr<TranslationModel>;

const ModelOptions small{{.width = 32, .heads = 4, .feed_forward = 64}};

const std::vector<SentencePair>& toy() {
  static const Corpus corpus = read_corpus(find_corpus("toy"));
  return corpus.pairs;
}

Model make(const std::string& name, ModelOptions sizes = small) {
  return make_model(name, Params(1), Vocabulary(sources(toy())), Vocabulary(targets(toy())), sizes);
}

Vocabulary of_size(int size) {
  std::vector<std::string> words{"_PAD", "_GO", "_EOS", "_UNK"};
  while (std::ssize(words) < size) words.push_back("w" + std::to_string(words.size()));
  return Vocabulary::from_words(words);
}

std::vector<double> learn(const TranslationModel& model, int epochs) {
  std::vector<double> losses;
  stderr_text([&] {
    losses = train(model.params(), make_batches(model.ids(toy())),
                   [&](const Batch& b) { return model.loss(b); }, {.epochs = epochs, .rate = Real(5e-3)})
                 .loss;
  });
  return losses;
}

bool looks(const std::string& name) { return !name.ends_with("-none"); }

}  // namespace

TEST_CASE("parameters of the models at Note I's sizes: as many as their PyTorch twins have") {
  const std::map<std::string, Index> count{
      {"all", 2'987'530},     {"first", 2'987'530},    {"last", 2'987'530},     {"gru-additive", 3'559'946},
      {"gru-dot", 3'526'922}, {"gru-none", 2'722'826}, {"lstm-none", 2'788'874}};
  REQUIRE(model_names().size() == count.size());
  for (const std::string& name : model_names()) {
    INFO(name);
    CHECK(make_model(name, Params(1), of_size(7'882), of_size(5'898))->params().count() == count.at(name));
  }
}

TEST_CASE("an unknown model is refused with the known ones and the nearest") {
  CHECK_THROWS_WITH(make("gru-aditive"),
                    "no model \"gru-aditive\"; known: all, first, last, gru-additive, gru-dot, gru-none, "
                    "lstm-none; did you mean \"gru-additive\"?");
}

TEST_CASE("every model learns the toy corpus; with attention by heart, greedily and with a beam") {
  for (const std::string& name : model_names()) {
    INFO(name);
    const Model model = make(name);
    const std::vector<double> losses = learn(*model, 120);
    CHECK(losses.back() < losses.front() / 4);
    const Evaluation e = evaluate(*model, toy());
    CHECK(e.bleu.score > 0.5);
    if (!looks(name)) continue;
    CHECK(e.exact == 20);
    CHECK(evaluate(*model, toy(), Unknown::unk, {.width = 3}).exact == 20);
  }
}

TEST_CASE("every model: the teacher-forced loss is that of its steps, and smoothing is cross_entropy's") {
  for (const std::string& name : model_names()) {
    INFO(name);
    const Model model = make(name, {{.width = 32, .heads = 4, .feed_forward = 64, .dropout = Real(0.3)}});
    const Batch batch = make_batch(model->ids(toy()));
    const Memory memory = model->read(batch);
    State state = model->decoder().start(memory);
    std::vector<Tensor> logits;
    for (Index t = 0; t < batch.inputs.shape[1]; ++t)
      logits.push_back(model->decoder().step(memory, batch.inputs.column(t), state).logits);
    const Real smoothing = Real(0.1);
    const auto by_steps = [&](Real epsilon) {
      return cross_entropy(stack(logits, 1), batch.targets, {.ignore = PAD, .label_smoothing = epsilon});
    };
    CHECK(model->loss(batch).item() == Approx(by_steps(0).item()).epsilon(1e-5));
    CHECK(model->loss(batch, nullptr, smoothing).item() == Approx(by_steps(smoothing).item()).epsilon(1e-5));
    Random stream(1), same(1);
    CHECK(model->loss(batch, &stream).item() != model->loss(batch).item());
    stream = Random(1);
    CHECK(model->loss(batch, &stream).item() == model->loss(batch, &same).item());
  }
}

TEST_CASE("one state to look at: the query and key maps of the cross-attention get exactly no gradient") {
  for (const std::string name : {"all", "first", "last"}) {
    INFO(name);
    const Model model = make(name);
    const Params& params = model->params();
    const std::vector<Tensor> of{params.find("decoder.layers.0.multihead_attn.in_proj_weight"),
                                 params.find("decoder.layers.0.multihead_attn.in_proj_bias")};
    const auto g = gradients(of, [&] { return model->loss(make_batch(model->ids(toy()))); });
    for (const Tensor& d : g) {
      const Index E = d.shape()[0] / 3;
      CHECK(all_zero(slice(d, 0, 0, E)) == (name != "all"));
      CHECK_FALSE(all_zero(slice(d, 0, 2 * E, 3 * E)));  // the values
    }
    CHECK(all_zero(slice(g[0], 0, 32, 64)) ==
          (name != "all"));  // keys; a bias of theirs shifts all scores alike
  }
}

TEST_CASE("the source is read with GO and EOS, and alignments name the places that are looked at") {
  const Tokens& words = toy()[0].source;
  Tokens framed = words;
  framed.insert(framed.begin(), "_GO");
  framed.push_back("_EOS");
  for (const std::string& name : model_names()) {
    INFO(name);
    const Model model = make(name);
    const IdPair pair = model->ids(toy()[0]);
    CHECK(pair.source.size() == framed.size());
    CHECK((pair.source.front() == GO && pair.source.back() == EOS));
    CHECK(pair.target == model->target().ids(toy()[0].target));
    const Tokens places = name == "first" ? Tokens{"_GO"} : name == "last" ? Tokens{"_EOS"} : framed;
    CHECK(model->places(words) == places);
    for (const Search search : {Search{}, Search{.width = 2}}) {
      const Alignment a = model->translate({&words, 1}, Unknown::copied, search).alignment;
      CHECK(a.source[0] == places);
      if (!looks(name)) continue;
      CHECK(a.weights.cols() == std::ssize(places));
      if (!a.target[0].empty()) CHECK(heatmap(a, 0).columns == places);
    }
    if (looks(name)) CHECK(forced_alignment(*model, {toy().data(), 1}).source[0] == places);
  }
}

TEST_CASE("an unknown word is copied from a word, never from GO or EOS") {
  const Model model = make("all");
  model->params().find("decoder.vocab.bias").write()[UNK] = 1000;
  const Translations t = model->translate(sources(toy()), Unknown::copied);
  const Tensor weights = t.alignment.mean();  // [B, T, S]
  for (std::size_t b = 0; b < toy().size(); ++b) {
    const Tokens& words = toy()[b].source;
    REQUIRE_FALSE(t.sentences[b].copied.empty());
    const Real* row = weights.select(static_cast<Index>(b)).data();
    CHECK(t.sentences[b].copied[0] ==
          words[static_cast<std::size_t>(std::max_element(row + 1, row + 1 + words.size()) - row - 1)]);
  }
}

TEST_CASE("one vocabulary can have one matrix for source, target and readout; two cannot") {
  const Vocabulary both(sources(toy()));
  const ModelOptions three{{.width = 32, .heads = 4, .feed_forward = 64, .norm = Norm::pre}, Tied::all};
  const Model model = make_model("all", Params(1), both, both, three);
  const Model apart = make_model("all", Params(1), both, both, {three.sizes});
  CHECK(model->params().count() == apart->params().count() - 2 * 32 * both.size());
  CHECK(make_model("all", Params(1), both, both, {three.sizes, Tied::target})->params().count() ==
        apart->params().count() - 32 * both.size());
  CHECK_THROWS_WITH(make("all", three), "one matrix for both languages needs one vocabulary of both");
}

TEST_CASE("a model of every kind comes back from its file and writes the same") {
  const TemporaryFolder folder;
  const std::string path = folder / "m";
  const auto keep = [&](const TranslationModel& model) {
    save_checkpoint(path, {.weights = model.params().all(), .text = describe(model)});
  };
  for (const std::string& name : model_names()) {
    INFO(name);
    const Model model = make(name);
    learn(*model, 30);
    keep(*model);
    const Model back = load_model(path);
    CHECK(describe(*back) == describe(*model));
    const Evaluation a = evaluate(*model, toy()), b = evaluate(*back, toy());
    CHECK(a.loss == b.loss);
    for (std::size_t i = 0; i < a.written.size(); ++i) CHECK(a.written[i].words == b.written[i].words);
    Checkpoint c = load_checkpoint(path);
    for (const char* text : {"model", "memory", "layers"}) {
      const std::string good = std::exchange(c.text.at(text), "none");
      save_checkpoint(path, c);
      CHECK_THROWS_AS(load_model(path), std::runtime_error);
      c.text[text] = good;
    }
  }
  const Vocabulary both(sources(toy()));
  const Model tied =
      make_model("first", Params(1), both, both,
                 {{.width = 32, .heads = 4, .feed_forward = 64, .norm = Norm::pre}, Tied::all});
  keep(*tied);
  CHECK(describe(*load_model(path)) == describe(*tied));
  CHECK_THROWS_WITH(load_translator(path), path + ": its model is a Transformer, which is no Translator");
}

TEST_CASE(
    "every model: a run over shuffled pools with dropout, stopped and gone on with, ends in the same bytes") {
  const TemporaryFolder folder;
  for (const std::string& name : model_names()) {
    INFO(name);
    const auto run = [&](const std::string& file, int stop, bool resume) {
      const Model model = make(name, {{.width = 32, .heads = 4, .feed_forward = 64, .dropout = Real(0.1)}});
      const std::vector<IdPair> ids = model->ids(toy());
      Random dropping = Random::named(1, "dropout");
      Keep keep{.path = folder / file, .resume = resume, .streams = {{"dropout", &dropping}}};
      int steps = 0;
      stderr_text([&] {
        const auto pools = [&](int epoch) {
          Random order = Random::named(1, "epoch " + std::to_string(epoch));
          return make_pools(ids, 3, 2, order);  // 7 batches
        };
        const auto loss = [&](const Batch& batch) {
          if (++steps == stop) std::raise(SIGINT);
          return model->loss(batch, &dropping, Real(0.1));
        };
        try {
          train(model->params(), pools, loss,
                {.epochs = 3, .warmup = 4, .decay = Decay::linear, .keep = keep});
        } catch (const Interrupted&) {}
      });
      return read_file(folder / file);
    };
    const std::string whole = run("whole", 0, false);
    for (const int stop : {2, 7, 10, 14}) {  // 7 and 14 end an epoch
      run("stopped", stop, false);
      CHECK(run("stopped", 0, true) == whole);
    }
  }
}
