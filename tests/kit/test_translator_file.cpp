// Translators that a file keeps, and the options of a command line that say which.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "examples/kit/decoder_choice.hpp"
#include "examples/kit/keep.hpp"
#include "examples/kit/translator_file.hpp"
#include "tests/catch.hpp"
#include "tests/kit/temporary_folder.hpp"
#include "tests/stderr_text.hpp"

namespace {

using namespace lookback;

const std::vector<Tokens> english{{"i", "see", "her"}, {"i", "run"}}, spanish{{"la", "veo"}, {"corro"}};

Translator make(AttentionDecoderOptions options = {}, TranslatorSizes sizes = {5, 6, 7}) {
  return {Params(1), Vocabulary(english), Vocabulary(spanish), std::move(options), sizes};
}

void keep(const std::string& path, const Translator& model, std::vector<Param> best = {}) {
  RunText text = describe(model);
  text["best.epoch"] = "3";
  save_checkpoint(path, {.weights = model.params().all(), .best = std::move(best), .text = text});
}

std::string refusal(const std::string& path, const RunText& given = {}) {
  try {
    load_translator(path, given);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a translator of any form comes back from its file and writes the same") {
  const TemporaryFolder folder;
  const std::string path = folder / "m";
  for (const AttentionDecoderOptions& options :
       std::vector<AttentionDecoderOptions>{{},
                                            {.score = "none", .bridge = Bridge::linear_tanh},
                                            {.score = "additive",
                                            .score_bias = true,
                                            .heads = 2,
                                            .layers = 2,
                                            .query = Query::previous_state,
                                            .first_context = FirstContext::attended,
                                            .readout = Readout::direct,
                                            .dropout = Real(0.1),
                                            .update_embedding_for_previous = false},
                                            {.score = "general", .tied = true}}) {
    const Translator model = make(options);
    keep(path, model);
    const Translator back = load_translator(path);
    CHECK(describe(back) == describe(model));
    CHECK(describe(back).at("dropout") == fmt::to_string(options.dropout));
    REQUIRE(back.params().all().size() == model.params().all().size());
    const Translations a = model.translate(english), b = back.translate(english);
    for (std::size_t i = 0; i < english.size(); ++i) CHECK(a.sentences[i].words == b.sentences[i].words);
    if (options.score != "none")
      CHECK(a.alignment.weights.at({1, 0, 0, 1}) == b.alignment.weights.at({1, 0, 0, 1}));
  }
}

TEST_CASE("it answers with the weights of the least validation loss, and says so on stderr") {
  const TemporaryFolder folder;
  const std::string path = folder / "m";
  const Translator model = make();
  std::vector<Param> best;
  for (const auto& [name, value] : model.params().all()) best.push_back({name, Tensor(value.shape(), 2)});
  keep(path, model, best);
  CHECK(stderr_text([&] {
          CHECK(load_translator(path).params().all()[0].value.at({1, 1}) == 2);
        }) == path + ": the weights of epoch 3, the best on validation\n");
}

TEST_CASE("case 18: a file of another translator is refused by what differs") {
  const TemporaryFolder folder;
  const std::string path = folder / "m";
  keep(path, make({.heads = 2}));
  CHECK(refusal(path, {{"heads", "2"}, {"score", "additive"}}) == "none");
  CHECK(refusal(path, {{"heads", "1"}}) == path + ": heads is \"2\" there and \"1\" here");
  const Checkpoint good = load_checkpoint(path);
  const auto with = [&](const char* name, const char* text) {
    Checkpoint c = good;
    c.text[name] = text;
    save_checkpoint(path, c);
    return refusal(path);
  };
  CHECK(with("query", "both").starts_with(path + ": "));
  CHECK(with("heads", "two").starts_with(path + ": "));
  CHECK(with("heads", "0").starts_with(path + ": "));
  CHECK(with("heads", "3").starts_with(path + ": only here: "));
  CHECK(with("hidden size", "8").starts_with(path + ": "));
  for (const char* size : {"embedding size", "hidden size", "alignment size", "heads", "layers"})
    CHECK(with(size, "1000000000000").starts_with(path + ": "));  // and none of that is allocated
  CHECK(with("score", "dott").ends_with("did you mean \"dot\"?"));
  CHECK(with("source words", "_PAD\n_GO\n").starts_with(path + ": "));
  CHECK(with("source words", "_PAD\n_GO\n_EOS\n_UNK\ni\nrun\n").find("is [8, 5] there and [6, 5] here") !=
        std::string::npos);
}

TEST_CASE("the decoder of a command line") {
  const auto parsed = [](const std::vector<std::string>& arguments,
                         const std::function<void(const DecoderChoice&, const Chapter&)>& look) {
    Chapter chapter("08", "");
    DecoderChoice choice;
    choice.offer(chapter);
    chapter.parse(arguments);
    look(choice, chapter);
  };
  parsed({"--query", "previous", "--heads=2"}, [](const DecoderChoice& choice, const Chapter& chapter) {
    const AttentionDecoderOptions o = choice.decoder(chapter);
    CHECK((o.score == "additive" && o.heads == 2 && o.layers == 1 && o.query == Query::previous_state));
    CHECK(choice.given(chapter) == RunText{{"query", "previous"}, {"heads", "2"}});
  });
  using Refusal = std::pair<std::vector<std::string>, std::string>;
  for (const Refusal& refusal : std::vector<Refusal>{
           {{"--query", "last"}, "--query: \"last\" is not new or previous"},
           {{"--score", "none", "--heads", "1"}, "--heads changes nothing with --score none"},
           {{"--score", "none", "--query", "new"}, "--query changes nothing with --score none"}})
    parsed(refusal.first, [&](const DecoderChoice& choice, const Chapter& chapter) {
      CHECK_THROWS_WITH(choice.decoder(chapter), refusal.second);
    });
}

TEST_CASE("the file of a part of a run lies beside that of the run") {
  const TemporaryFolder folder;
  Options options;
  CHECK(keep_run(options, {}, "hold-out").path.empty());
  options.save = folder / "out.d/m.safetensors", options.seed = 7, options.resume = true;
  CHECK(keep_run(options, {}).path == options.save);
  const Keep part = keep_run(options, {{"score", "dot"}}, "hold-out");
  CHECK(part.path == folder / "out.d/m-hold-out.safetensors");
  CHECK(part.resume);
  CHECK(part.same == RunText{{"score", "dot"}, {"seed", "7"}});
  options.save = folder / std::string(255, 'm');  // has no room for more
  CHECK(keep_run(options, {}).path == options.save);
  CHECK_THROWS_WITH(keep_run(options, {}, "hold-out"),
                    "cannot write " + options.save + "-hold-out: File name too long");
}
