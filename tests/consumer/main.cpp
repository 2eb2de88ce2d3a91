// A program outside lookback with a score (mlp.cpp) and a module (reader.hpp) of its own. It learns to write eight
// letters backwards, and draws where it looks.
#include <fmt/format.h>

#include "attention/alignment.hpp"
#include "attention/draw/png.hpp"
#include "core/tape.hpp"
#include "nn/adam.hpp"
#include "nn/loss.hpp"
#include "reader.hpp"

using namespace lookback;
using mine::Reader, mine::S, mine::V;

namespace {

constexpr Index B = 32;

Ids reversed(const Ids& ids) {
  Ids y = ids;
  for (Index b = 0; b < ids.shape[0]; ++b)
    for (Index i = 0; i < S; ++i) y.values[b * S + i] = ids.values[b * S + S - 1 - i];
  return y;
}

Ids random_letters(Index sentences, Random& random) {
  Ids ids(Shape{sentences, S});
  for (std::int32_t& id : ids.values) id = 1 + static_cast<std::int32_t>(random.below(V - 1));
  return ids;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string picture = argc > 1 ? argv[1] : "mine.png";
  Random random(1);
  const Params params(1);
  const Reader model(params, "mlp");
  Adam adam({.rate = Real(1e-2)});
  for (int step = 0; step < 300; ++step) {
    const Ids source = random_letters(B, random);
    Tape tape;
    tape.backward(cross_entropy(model(source), reversed(source)));
    adam.step(params);
  }
  const Ids source = random_letters(100, random), written = argmax(model(source)), target = reversed(source);
  int right = 0;
  for (std::size_t k = 0; k < target.values.size(); ++k) right += written.values[k] == target.values[k];
  fmt::print("{} of {} letters right\n", right, target.values.size());

  Alignment alignment;
  const auto spell = [](const Ids& ids) {  // the first sentence
    std::vector<std::string> words;
    for (Index i = 0; i < S; ++i) words.emplace_back(1, static_cast<char>('a' + ids.values[i] - 1));
    return words;
  };
  alignment.source = {spell(source)}, alignment.target = {spell(written)};
  alignment.weights = model.look(source).weights.reshape({100, 1, S, S});
  write_png(picture, draw_heatmap(heatmap(alignment, 0)));
  return right == 100 * S ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
