// attend(h, h) with a score that a model has learned.
#include <stdexcept>

#include "core/gradcheck.hpp"
#include "examples/kit/inside.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

Translator small_model(const std::string& score) {
  const std::vector<Tokens> words{{"a", "b", "c"}};
  return {Params(1), Vocabulary(words), Vocabulary(words), {.score = score}};
}

}  // namespace

TEST_CASE("look_inside asks with the parameters of the model's decoder") {
  const Translator model = small_model("general");
  const Index H = model.sizes().hidden;
  const Tensor h = random_leaf({1, 4, H}, 1).detach(), W = model.params().find("decoder.attn0.W");
  const Attended a = look_inside(model, "general", h);
  CHECK(a.weights.shape() == Shape({1, 4, 4}));
  CHECK(distance(a.scores, matmul_nt(h, linear(h, W))) <= 1e-6);
  CHECK(distance(a.context, matmul(softmax(a.scores), h)) <= 1e-6);
}

TEST_CASE("look_inside with a score that needs no model, and with one that the model has not learned") {
  const Translator model = small_model("general");
  const Tensor h = random_leaf({1, 4, model.sizes().hidden}, 1).detach();
  CHECK(distance(look_inside(model, "dot", h).scores, matmul_nt(h, h)) <= 1e-6);
  CHECK_THROWS_WITH(look_inside(model, "additive", h), ContainsSubstring("decoder.attn0.W1"));
}
