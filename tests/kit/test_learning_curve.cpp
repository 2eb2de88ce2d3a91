// How soon a corpus is learnt.
#include <cmath>

#include "examples/kit/learning_curve.hpp"
#include "tests/catch.hpp"
#include "tests/stderr_text.hpp"

using namespace lookback;

TEST_CASE("two pairs are counted as they are learnt, every five steps and at last") {
  Corpus corpus;
  corpus.pairs = {{{"a", "blue", "house"}, {"una", "casa", "azul"}, 1}, {{"two"}, {"dos"}, 2}};
  Line line;
  stderr_text([&] { line = learning_curve(corpus, {.score = "dot"}, 1, 82); });
  CHECK(line.name == "dot");
  CHECK(line.x.size() == 17);
  CHECK(line.y.size() == 17);
  CHECK(line.x.front() == 5);
  CHECK(line.x[15] == 80);
  CHECK(line.x.back() == 82);
  CHECK(line.y.front() == 0);
  CHECK(line.y.back() == 2);
  CHECK(first_at(line, 2) > 5);
  CHECK(first_at(line, 2) <= 80);
}

TEST_CASE("a corpus is learnt with the loss that is given") {
  Corpus corpus;
  corpus.pairs = {{{"a", "blue", "house"}, {"una", "casa", "azul"}, 1}, {{"two"}, {"dos"}, 2}};
  int calls = 0;
  const auto nothing = [&](const Translator& model, const Batch& batch) {
    ++calls;
    return 0 * model.loss(batch);
  };
  Line line;
  stderr_text([&] { line = learning_curve(corpus, {.score = "dot"}, 1, 82, nothing); });
  CHECK(calls == 82);
  CHECK(line.y.back() == 0);
}

TEST_CASE("the first place where a line has a value, and infinity where it never has") {
  const Line line{"", {5, 10, 15, 20}, {0, 3, 2, 3}};
  CHECK(first_at(line, 3) == 10);
  CHECK(first_at(line, 2) == 15);
  CHECK(std::isinf(first_at(line, 20)));
}
