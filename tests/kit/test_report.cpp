// One sentence read both ways.
#include <string>
#include <vector>

#include "examples/kit/report.hpp"
#include "examples/kit/translator.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;
using Words = std::vector<std::string>;

const std::vector<SentencePair> pairs = {
    {{"a", "blue", "house"}, {"una", "casa", "azul"}, 1},
    {{"two", "houses"}, {"dos", "casas"}, 2},
};

}  // namespace

TEST_CASE("both ways: the teacher's words, what follows them, and what follows the model's own") {
  const Translator model(Params(3), Vocabulary(sources(pairs)), Vocabulary(targets(pairs)), {}, {8, 12, 6});
  const Tensor embedding = model.params().find("decoder.embedding.weight"),
               bias = model.params().find("decoder.vocab.bias");
  for (Index i = 0; i < embedding.size(); ++i) embedding.write()[i] *= 20;  // what is read matters
  for (const std::int32_t id : {PAD, GO, EOS, UNK})
    bias.write()[id] = -1000;  // a teacher can say all it writes
  bool parted = false;
  for (const SentencePair& pair : pairs) {
    const Loop loop = read_both_ways(model, pair);
    Words inputs{"_GO"}, targets = pair.target;
    inputs.insert(inputs.end(), pair.target.begin(), pair.target.end());
    targets.push_back("_EOS");
    CHECK(loop.inputs == inputs);
    CHECK(loop.targets == targets);
    CHECK(loop.forced.size() == inputs.size());
    CHECK(loop.forced[0] == loop.fed_back[0]);  // both have read GO
    parted |= loop.forced != loop.fed_back;

    SentencePair own = pair;  // a teacher who says what the model wrote
    own.target.assign(loop.fed_back.begin(), loop.fed_back.end() - 1);
    CHECK(read_both_ways(model, own).forced == loop.fed_back);
  }
  CHECK(parted);
}
