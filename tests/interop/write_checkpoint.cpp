// Trains a small model for a few steps, and writes it for Python to read.
//
//   interop_write FOLDER    m.safetensors, a checkpoint, and m.io.safetensors: sentences, what the model says
//                           to them, and the losses of its next five steps
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "core/file.hpp"
#include "core/tape.hpp"
#include "nn/adam.hpp"
#include "nn/checkpoint.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "nn/lstm.hpp"
#include "nn/safetensors.hpp"

namespace {

using namespace lookback;

constexpr Index B = 16, S = 7;
const std::vector<std::string> words{"_PAD",  "_GO", "_EOS",   "_UNK", "el", "gato",
                                     "perro", "lee", "duerme", "aquí", "hoy"};

// [model]
struct Model {  // reads a sentence and says what its first word was
  Params params{1};
  Embedding embedding{params["encoder.embedding"], std::ssize(words), 8};
  GRU gru{params["encoder.gru"], 8, 6, {.layers = 2, .bidirectional = true}};
  LSTM lstm{params["encoder.lstm"], 12, 10};
  Linear readout{params["readout"], 10, std::ssize(words)};

  Tensor operator()(const Ids& ids, std::span<const Index> lengths) const {
    return readout(lstm(gru(embedding(ids), lengths).h, lengths).last);
  }
};
// [/model]

Tensor tensor_of(const Ids& ids) { return Tensor(ids.shape, {ids.values.begin(), ids.values.end()}); }

void write(const std::string& folder) {
  make_folder(folder);
  Random random = Random::named(1, "sentences");
  Ids ids({B, S}, PAD);
  std::vector<Index> lengths;
  for (Index b = 0; b < B; ++b) {
    lengths.push_back(3 + random.below(S - 2));
    for (Index i = 0; i < lengths.back(); ++i)
      ids.values[static_cast<std::size_t>(b * S + i)] = static_cast<std::int32_t>(4 + random.below(7));
  }
  const Model model;
  Adam adam({.rate = Real(1e-2)});
  const auto steps = [&](int n) {  // the loss before each of them
    std::vector<Real> losses;
    for (int i = 0; i < n; ++i) {
      Tape tape;
      const Tensor loss = cross_entropy(model(ids, lengths), ids.column(0));
      losses.push_back(loss.item());
      tape.backward(loss);
      adam.step(model.params);
    }
    return losses;
  };
  steps(20);
  const std::string path = folder + "/m.safetensors";
  // [save]
  save_checkpoint(path, {.weights = model.params.all(),
                         .optimizer = adam.state(model.params),
                         .text = {{"step", "20"}, {"words", fmt::format("{}\n", fmt::join(words, "\n"))}}});
  // [/save]
  TensorFile io{{{"ids", tensor_of(ids)}, {"lengths", Tensor({B}, {lengths.begin(), lengths.end()})}}, {}};
  io.tensors.push_back({"y", model(ids, lengths)});
  io.tensors.push_back({"losses", Tensor({5}, steps(5))});
  write_safetensors(folder + "/m.io.safetensors", io);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: interop_write FOLDER");
  write(argv[1]);
} catch (const std::exception& error) {
  fmt::print(stderr, "interop_write: {}\n", error.what());
  return 1;
}
