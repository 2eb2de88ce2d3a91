// PyTorch's state dicts, written by tests/interop/make_fixtures.py, load and compute the same here.
#include <algorithm>
#include <string>
#include <vector>

#include "nn/adam.hpp"
#include "nn/checkpoint.hpp"
#include "nn/embedding.hpp"
#include "nn/gru.hpp"
#include "nn/linear.hpp"
#include "nn/loss.hpp"
#include "nn/lstm.hpp"
#include "nn/safetensors.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

constexpr double tolerance = sizeof(Real) == 4 ? 1e-5 : 1e-9;

std::string file(const std::string& name) { return LOOKBACK_INTEROP "/fixtures/" + name + ".safetensors"; }

// What PyTorch read and wrote: "x", "y" ..
struct Io {
  TensorFile content;

  explicit Io(const std::string& name) : content(read_safetensors(file(name + ".io"))) {}
  Tensor operator[](const std::string& name) const {
    const auto found = std::find_if(content.tensors.begin(), content.tensors.end(),
                                    [&](const Param& p) { return p.name == name; });
    return found == content.tensors.end() ? Tensor() : found->value;
  }
  Ids ids(const std::string& name) const {
    const Tensor x = (*this)[name];
    return Ids(x.shape(), std::vector<std::int32_t>(x.data(), x.data() + x.size()));
  }
  std::vector<Index> lengths() const {
    const Tensor x = (*this)["lengths"];
    return std::vector<Index>(x.data(), x.data() + x.size());
  }
};

std::vector<CellState> states(const Tensor& h, const Tensor& c) {  // of [layers directions, B, H]
  std::vector<CellState> all;
  for (Index k = 0; k < h.shape()[0]; ++k) all.push_back({h.select(k), c.defined() ? c.select(k) : c});
  return all;
}

template <class Net>
void check_recurrent(const std::string& name) {
  const Io io(name);
  const Params params(1);
  const Net net(params["encoder"], io["x"].cols(), io["h0"].cols(), {.layers = 2, .bidirectional = true});
  load_weights(file(name), params["encoder"]);
  const States got = net(io["x"], io.lengths(), states(io["h0"], io["c0"]));
  CHECK(distance(got.h, io["y"]) <= tolerance);
  const std::vector<CellState> want = states(io["h_n"], io["c_n"]);
  for (std::size_t k = 0; k < want.size(); ++k) {
    CHECK(distance(got.final[k].h, want[k].h) <= tolerance);
    if (want[k].c.defined()) CHECK(distance(got.final[k].c, want[k].c) <= tolerance);
  }
}

struct Encoder {  // reads a sentence and says what its first word was
  Params params{1};
  Embedding embedding{params["encoder.embedding"], 11, 8};
  GRU gru{params["encoder.gru"], 8, 12};
  Linear readout{params["encoder.readout"], 12, 11};

  Tensor operator()(const Ids& ids, std::span<const Index> lengths) const {
    return readout(gru(embedding(ids), lengths).last);
  }
};

// The loss before each step of a new Adam.
std::vector<double> fit(const Encoder& model, const Io& io, int steps) {
  const Ids ids = io.ids("ids"), first = ids.column(0);
  Adam adam({.rate = Real(1e-2)});
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) {
    Tape tape;
    const Tensor loss = cross_entropy(model(ids, io.lengths()), first);
    losses.push_back(loss.item());
    tape.backward(loss);
    adam.step(model.params);
  }
  return losses;
}

}  // namespace

TEST_CASE("a GRU of PyTorch's, two layers in two directions, computes the same here") {
  check_recurrent<GRU>("gru");
}

TEST_CASE("an LSTM of PyTorch's, two layers in two directions, computes the same here") {
  check_recurrent<LSTM>("lstm");
}

TEST_CASE("a linear layer and an embedding of PyTorch's compute the same here") {
  const Params params(1);
  const Linear linear(params["linear"], 5, 3);
  const Embedding embedding(params["embedding"], 7, 4);
  load_weights(file("linear"), params["linear"]);
  load_weights(file("embedding"), params["embedding"]);
  CHECK(distance(linear(Io("linear")["x"]), Io("linear")["y"]) <= tolerance);
  CHECK(distance(embedding(Io("embedding").ids("ids")), Io("embedding")["y"]) == 0);
}

// [trained]
TEST_CASE("a model that PyTorch has trained goes on training here, from the loss where it was") {
  const Encoder model;
  const Io io("encoder");
  CHECK(fit(model, io, 1)[0] > 2);  // untrained
  load_weights(file("encoder"), model.params["encoder"]);
  const std::vector<double> losses = fit(model, io, 31);
  for (Index i = 0; i < io["losses"].size(); ++i)  // step by step with PyTorch's own
    CHECK(losses[static_cast<std::size_t>(i)] == Approx(io["losses"].at({i})).epsilon(tolerance));
  CHECK(losses.back() < 0.3 * losses[0]);
}
// [/trained]

TEST_CASE("a part is loaded from a file of the whole, and what is missing or too much is named") {
  const Encoder whole;
  const Params params(1);
  const Linear readout(params["readout"], 12, 11), other(params["other"], 12, 10);
  const GRU gru(params, 8, 12);
  const std::string path = file("encoder");
  load_weights(path, whole.params["encoder"]);
  load_weights(path, params["readout"], "readout");
  CHECK(distance(readout.weight, whole.readout.weight) == 0);
  CHECK(distance(readout.bias, whole.readout.bias) == 0);

  const Tensor before = other.weight.detach();
  CHECK_THROWS_WITH(
      load_weights(path, params["other"], "readout"),
      path +
          ": readout.weight is [11, 12] there and [10, 12] here, readout.bias is [11] there and [10] here");
  CHECK_THROWS_WITH(load_weights(path, params["other"]),
                    path +
                        ": only here: weight, bias; only there: embedding.weight, gru.bias_hh_l0, "
                        "gru.bias_ih_l0 and 4 more");
  CHECK_THROWS_WITH(load_weights(file("gru"), params["other"], "gru"),
                    file("gru") + ": only here: gru.weight, gru.bias; only there: none");
  CHECK_THROWS_WITH(load_weights(path, params["another"], "readouts"),
                    path + ": no parameter's name begins with \"another.\"");
  CHECK_THROWS_WITH(load_weights(path, Encoder().params["encoder.gru"], "grv"),
                    ContainsSubstring("only there: none"));
  CHECK_THROWS_WITH(load_checkpoint(path), ContainsSubstring("there is no run to go on with"));
  CHECK(distance(other.weight, before) == 0);
}
