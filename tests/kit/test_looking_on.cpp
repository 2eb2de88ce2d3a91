// Who looks on while a model learns changes nothing: no number is drawn, no gradient left, no buffer read too early.
#include <functional>
#include <string>

#include "attention/draw/png.hpp"
#include "core/file.hpp"
#include "core/tape.hpp"
#include "examples/kit/evaluate.hpp"
#include "examples/kit/models.hpp"
#include "examples/kit/train.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/stderr_text.hpp"

namespace {

using namespace lookback;
using Look = std::function<void(const TranslationModel&)>;

const std::vector<SentencePair> pairs = {
    {{"a", "blue", "house"}, {"una", "casa", "azul"}, 1},
    {{"two", "houses"}, {"dos", "casas"}, 2},
    {{"a", "blue", "and", "a", "red", "one"}, {"una", "azul", "y", "una", "roja"}, 3},
};

// The bytes of weights, optimizer and random stream after 10 epochs with dropout.
std::string learned(const std::string& name, const Look& look) {
  const TemporaryFolder folder;
  const auto model = make_model(name, Params(1), Vocabulary(sources(pairs)), Vocabulary(targets(pairs)),
                                {{.width = 32, .heads = 4, .feed_forward = 64, .dropout = Real(0.2)}});
  Random dropping(3);
  stderr_text([&] {
    train(model->params(), make_batches(model->ids(pairs), 2),
          [&](const Batch& batch) { return model->loss(batch, &dropping); },
          {.epochs = 10,
           .after_epoch = [&](int) { look(*model); },
           .keep = {.path = folder / "m", .streams = {{"dropping", &dropping}}}});
  });
  return read_file(folder / "m");
}

}  // namespace

TEST_CASE("evaluating, translating and drawing between the epochs changes no byte of what is learned") {
  for (const std::string name : {"gru-additive", "all"}) {
    const std::string undisturbed = learned(name, [](const TranslationModel&) {});
    const auto same = [&](const Look& look) { return learned(name, look) == undisturbed; };
    INFO(name);
    CHECK(same([](const TranslationModel& model) { evaluate(model, pairs); }));
    CHECK(same([](const TranslationModel& model) { evaluate(model, pairs, Unknown::unk, {.width = 3}); }));
    CHECK(same([](const TranslationModel& model) { model.loss_fed_back(make_batch(model.ids(pairs))); }));
    CHECK(same([](const TranslationModel& model) {
      encode_png(draw_heatmap(heatmap(model.translate(sources(pairs)).alignment, 2)));
    }));
    CHECK_FALSE(same([](const TranslationModel& model) {  // a gradient that is left behind
      Tape tape;
      tape.backward(model.loss(make_batch(model.ids(pairs))));
    }));
  }
}
