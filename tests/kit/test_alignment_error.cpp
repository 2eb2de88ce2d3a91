// Weights against known links: by hand, ties, EOS, PAD, words without links, and the rules to compare with.
#include <cmath>
#include <vector>

#include "examples/kit/alignment_error.hpp"
#include "examples/kit/grammar/difficulty.hpp"
#include "examples/kit/grammar/grammar.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

// a b c -> A B C _EOS: A says a; B says b and c; C says b.
Heatmap small(std::vector<float> weights) {
  Heatmap map{{"A", "B", "C", "_EOS"}, {"a", "b", "c"}, std::move(weights)};
  map.links = {{0, 0}, {1, 1}, {1, 2}, {2, 1}};
  return map;
}

const Heatmap looks = small({0.5f, 0.25f, 0.25f,     // right
                             0.125f, 0.25f, 0.625f,  // right, at one of its two
                             0.25f, 0.125f, 0.625f,  // wrong
                             0, 1, 0});              // EOS: not counted

}  // namespace

TEST_CASE("alignment error: a word is wrong when its largest weight is at none of its source words") {
  const AtLinks x = at_links({looks});
  CHECK(x.words == 3);
  CHECK(x.links == 4);
  CHECK(x.right == 2);
  CHECK(x.error() == Approx(1.0 / 3));
  CHECK(x.aer() == Approx(1 - 2 * 2.0 / (3 + 4)));
  CHECK(x.weight == Approx(0.5 + 0.25 + 0.625 + 0.125));
  const AtLinks twice = at_links({looks, looks});
  CHECK(twice.words == 6);
  CHECK(twice.error() == Approx(x.error()));
}

TEST_CASE("against the word that a row reads, and the next: rows without one and EOS are left out") {
  const AtLinks reads = at_links({looks}, -1);  // B's row at a, C's at b and c
  CHECK(reads.words == 2);
  CHECK(reads.links == 3);
  CHECK(reads.right == 1);
  CHECK(reads.weight == Approx(0.125 + 0.125 + 0.625));
  const AtLinks next = at_links({looks}, 1);  // A's row at b and c, B's at b; C's next is EOS
  CHECK(next.words == 2);
  CHECK(next.right == 0);
  CHECK(at_links({looks}, 9).words == 0);
  CHECK(at_links({looks}, -9).words == 0);
}

TEST_CASE("of k equal largest weights each counts 1/k") {
  const float third = 1.0f / 3;
  const AtLinks x = at_links({small({third, third, third, third, third, third, 0.5f, 0.5f, 0, 0, 0, 1})});
  CHECK(x.right == Approx(1.0 / 3 + 2.0 / 3 + 1.0 / 2));
}

TEST_CASE("a word without a link is not counted, as a row or for the next one") {
  Heatmap map = looks;
  map.links = {{0, 0}, {2, 1}};
  CHECK(at_links({map}).words == 2);
  CHECK(at_links({map}).right == 1);
  CHECK(at_links({map}, -1).words == 0);
  map.links.clear();
  CHECK(at_links({map}).words == 0);
}

TEST_CASE("links go with the heads and the mean of an alignment; PAD is not there") {
  const std::vector<SentencePair> pairs = {{{"a", "b", "c"}, {"A"}, 1, {{2, 0}}},
                                           {{"d"}, {"D"}, 2, {{0, 0}}}};
  const Alignment alignment{sources(pairs),
                            {{"A", "_EOS"}, {"D", "_EOS"}},
                            Tensor({2, 2, 2, 3}, {0.75, 0.25, 0, 0, 0, 0, 0, 0.25, 0.75, 0, 0, 0,  //
                                                  0.25, 0.75, 0, 0, 0, 0, 1, 0,    0,    0, 0, 0})};
  CHECK(at_links(linked_heatmaps(alignment, pairs, 0)).right == 1);  // d: the 0.75 is on PAD
  CHECK(at_links(linked_heatmaps(alignment, pairs, 1)).right == 2);
  const AtLinks mean = at_links(linked_heatmaps(alignment, pairs));
  CHECK(mean.right == Approx(1 + 1.0 / 2));
  CHECK(mean.weight == Approx(0.375 + 0.625));
}

TEST_CASE("where the model reads _GO and _EOS round the source, links go with their words") {
  const std::vector<SentencePair> pairs = {{{"a", "b"}, {"A"}, 1, {{1, 0}}}};
  const Alignment alignment{
      {{"_GO", "a", "b", "_EOS"}}, {{"A", "_EOS"}}, Tensor({1, 1, 2, 4}, {0, 0.25, 0.75, 0, 0, 0, 0, 1})};
  CHECK(at_links(linked_heatmaps(alignment, pairs)).weight == Approx(0.75));
}

TEST_CASE("off the diagonal: the mean distance of a look, by output and by input row") {
  const Heatmap map{{"A", "B"}, {"a", "b"}, {1, 0, 0.5f, 0.5f}};
  CHECK(off_diagonal({map}) == Approx((0 + 0.5) / 2));
  CHECK(off_diagonal({map}, -1) == Approx((1 + 0.5) / 2));
}

TEST_CASE("the rules: even weights guess, known links are right, the diagonal is the corpus's own") {
  const std::vector<SentencePair> pairs = make_grammar({.train = 2000, .validation = 1, .test = 1}).train;
  double guess = 0, words = 0;
  for (const SentencePair& pair : pairs) {
    guess += static_cast<double>(pair.links.size()) / static_cast<double>(pair.source.size());
    words += static_cast<double>(pair.target.size());
  }
  const AtLinks chance = at_links(by_rule(pairs, even)), best = at_links(by_rule(pairs, known));
  CHECK(chance.error() == Approx(1 - guess / words));
  CHECK(chance.weight / chance.words == Approx(guess / words));
  CHECK(best.error() == 0);
  CHECK(best.weight == Approx(best.words));
  CHECK(best.aer() > 0.1);  // one link a word cannot say them all
  CHECK(at_links(by_rule(pairs, diagonal)).error() == Approx(difficulty(pairs).diagonal_error));
}
