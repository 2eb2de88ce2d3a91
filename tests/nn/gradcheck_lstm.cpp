// LSTM, stacked and bidirectional nets, dropout, sampled softmax and TensorFlow's sequence loss against finite
// differences.
#include <vector>

#include "core/gradcheck.hpp"
#include "nn/dropout.hpp"
#include "nn/gru.hpp"
#include "nn/loss.hpp"
#include "nn/lstm.hpp"
#include "nn/sampled_softmax.hpp"
#include "tests/catch.hpp"
#include "tests/tensors.hpp"

namespace {

using namespace lookback;
using In = std::vector<Tensor>;

void check(const char* name, In inputs, const Params& params, const std::function<Tensor()>& f) {
  for (const Tensor& p : tensors_of(params)) inputs.push_back(p);
  const Gradcheck result = gradcheck(name, inputs, f);
  INFO(result.failure);
  CHECK(result);
}

template <class Net>
void check_net(const char* name, const RecurrentOptions& options, bool memory) {
  const Params params(1);
  const Net net(params, 2, 3, options);
  const Tensor x = random_leaf({3, 4, 2}, 1);
  const std::vector<Index> lengths = {4, 1, 0};
  std::vector<CellState> first;
  In inputs = {x};
  for (Index k = 0; k < options.layers * (options.bidirectional ? 2 : 1); ++k) {
    first.push_back({random_leaf({3, 3}, 10 + static_cast<std::uint64_t>(k)), {}});
    inputs.push_back(first.back().h);
    if (memory) inputs.push_back(first.back().c = random_leaf({3, 3}, 20 + static_cast<std::uint64_t>(k)));
  }
  check(name, inputs, params, [&] {
    const States s = net(x, lengths, first);
    In all = {s.h.reshape({-1}), s.last.reshape({-1})};
    for (const CellState& final : s.final) {
      all.push_back(final.h.reshape({-1}));
      if (memory) all.push_back(final.c.reshape({-1}));
    }
    return concat(all, 0);
  });
}

}  // namespace

TEST_CASE("case 6: LSTM and GRU, stacked, bidirectional, both") {
  for (const Index layers : {1, 2})
    for (const bool both_ways : {false, true}) {
      check_net<LSTM>("lstm", {.layers = layers, .bidirectional = both_ways}, true);
      check_net<GRU>("gru", {.layers = layers, .bidirectional = both_ways}, false);
    }
}

TEST_CASE("lstm_gates: fused equals composed") {
  for (const Mask& keep : {Mask(), Mask({3, 1}, {1, 0, 1})}) {
    const Tensor gi = random_leaf({3, 8}, 1), gh = random_leaf({3, 8}, 2), h = random_leaf({3, 2}, 3),
                 c = random_leaf({3, 2}, 4);
    const auto all = [](const CellState& s) { return concat(In{s.h, s.c}, 1); };
    const auto fused = [&] { return all(lstm_gates(gi, gh, {h, c}, keep)); };
    const auto composed = [&] { return all(lstm_gates_composed(gi, gh, {h, c}, keep)); };
    CHECK(distance(fused(), composed()) <= 1e-12);
    const Tensor w = random_leaf({3, 4}, 5).detach();
    CHECK(distance(gradients(In{gi, gh, h, c}, [&] { return sum(w * fused()); }),
                   gradients(In{gi, gh, h, c}, [&] { return sum(w * composed()); })) <= 1e-12);
    check("lstm_gates", {gi, gh, h, c}, Params(1), fused);
  }
}

TEST_CASE("case 6: dropout keeps the mean and passes the gradient of what it kept") {
  const Tensor x = random_leaf({4, 5}, 1);
  check("dropout", {x}, Params(1), [&] {
    Random random(3);  // the same draws each time
    return dropout(x, 0.4, &random);
  });
  Random random(1);
  const Tensor kept = dropout(Tensor({100, 100}, 1), 0.25, &random);
  CHECK(mean(kept).item() == Approx(1).margin(0.02));
  CHECK(dropout(x, 0.4, nullptr).data() == x.data());
}

TEST_CASE("case 6: sampled softmax, with and without accidental hits, and sequence_loss") {
  const Tensor x = random_leaf({3, 4}, 1), weight = random_leaf({7, 4}, 2), bias = random_leaf({7}, 3);
  const Ids labels({3}, {1, 6, 0});
  Random random(2);
  Sampled sampled = sample_log_uniform(labels, 5, 7, random);
  sampled.words.values[0] = 6;
  for (const bool keep : {false, true})
    check("sampled_softmax", {x, weight, bias}, Params(1),
          [&] { return sampled_softmax(x, weight, bias, labels, sampled, keep); });
  const Tensor logits = random_leaf({2, 3, 4}, 5), weights({2, 3}, {1, 1, 0, 1, 0.5, 1});
  check("sequence_loss", {logits}, Params(1), [&] {
    return sequence_loss(logits, Ids({2, 3}, {0, 3, 1, 2, 2, 0}), weights).mean;
  });
}
