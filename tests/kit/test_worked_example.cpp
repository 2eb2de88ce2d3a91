// The worked example of Note I, ready to use.
#include "examples/kit/worked_example.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

using namespace lookback;

TEST_CASE(
    "every registered score meets the example's states, with the example's parameters where it has them") {
  int known = 0;
  for (const std::string& name : score_names()) {
    CAPTURE(name);
    const Params params(1), started(1);
    const Attention attend = example_score(name, params);
    const Attention plain(started, name, {.query = 2, .key = 2, .hidden = 2});
    const Attended a = attend(example_s(), attend.read(example_h()));
    CHECK(a.context.shape() == Shape({1, 2}));
    known += has_example_parameters(name);
    CHECK((distance(tensors_of(params), tensors_of(started)) > 0.01) == has_example_parameters(name));
    if (name == "general") CHECK(distance(a.context, Tensor({1, 2}, {0.632080798f, 0.817296731f})) < 1e-6);
    if (name == "additive" || name == "concat")
      CHECK(distance(a.context, Tensor({1, 2}, {0.660320372f, 0.771470980f})) < 1e-6);
  }
  CHECK(known == 3);
  CHECK_THROWS_AS(example_score("genral", Params(1)), std::invalid_argument);
}
