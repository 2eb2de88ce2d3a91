#include "tests/bench/micro.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "attention/attention.hpp"
#include "core/kernels/gemm.hpp"
#include "core/kernels/lanes.hpp"
#include "core/tape.hpp"
#include "nn/loss.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/workload.hpp"

namespace lookback {
namespace {

nlohmann::ordered_json rates(const Measured& m, double flop) {  // of calls that make so many operations
  const double best = *std::min_element(m.wall.begin(), m.wall.end());
  return {{"gflops", rounded(flop / median(m.wall) / 1e6, 1)},
          {"best_gflops", rounded(flop / best / 1e6, 1)}};
}

struct Form {
  const char* name;
  bool transposes_a, transposes_b;
  void (*gemm)(Index, Index, Index, const float*, Index, const float*, Index, float*, Index, bool);
};

void product(const Form& form, Index M, Index N, Index K, int calls) {
  const Tensor a = draw_tensor(1, {M, K}, 1), b = draw_tensor(2, {K, N}, 1), c({M, N});
  const auto flop = static_cast<double>(2 * M * N * K);
  const int inner = std::max(1, static_cast<int>(4e7 / flop));
  const auto all = [&](int) {
    for (int i = 0; i < inner; ++i)
      form.gemm(M, N, K, a.data(), form.transposes_a ? M : K, b.data(), form.transposes_b ? K : N, c.write(),
                N, false);
  };
  const Measured m = measure(all, calls);
  report(fmt::format("sgemm {}{}x{}x{}", form.name, M, N, K), m, rates(m, flop * inner), inner);
}

// c = softmax(v . tanh(W1 s + keys)) h and its gradients; keys = W2 h is given.
void attention_step(Index S, int calls) {
  constexpr Index B = 64, H = 256;
  const Params params(1);
  const Attention attend(params, "additive", {.query = H, .key = H, .hidden = H});
  const Tensor s = draw_tensor(1, {B, H}, 1), h = draw_tensor(2, {B, S, H}, 1),
               keys = draw_tensor(3, {B, S, H}, 1), seed({B, H}, 1);
  const Tensor leaves[] = {s.want_grad(), h.want_grad(), keys.want_grad(), params.find("W1"),
                           params.find("v")};
  const auto step = [&](int) {
    for (const Tensor& x : leaves) x.drop_grad();
    Tape tape;
    tape.backward(attend(s, {h, keys, {}}).context, seed);
  };
  report(fmt::format("additive attention step B{} H{} S{}", B, H, S), measure(step, calls));
}

// y = leaf, then 1000 times y = y + z: what recording an op costs, and running it backward.
void chain(const std::string& label, const Tensor& leaf, const Tensor& z, int calls) {
  constexpr int nodes = 1000;
  const Tensor seed(leaf.shape(), 1);
  Measured forward, backward;
  for (int i = -5; i < calls; ++i) {
    if (i == 0) forward = backward = {};  // that was to warm up
    leaf.drop_grad();
    Tape tape;
    Tensor y = leaf;
    const Stopwatch out;
    for (int k = 0; k < nodes; ++k) y = y + z;
    out.stop(forward);
    const Stopwatch back;
    tape.backward(y, seed);
    back.stop(backward);
  }
  for (const auto& [part, m] : {std::pair("forward", forward), std::pair("backward", backward)})
    report(fmt::format("chain of {} adds with a {}, {}", nodes, label, part), m,
           {{"ns_per_node", rounded(median(m.wall) * 1e6 / nodes, 1)}});
}

// x = x a + b in as many registers at once as it takes to keep every multiplier busy: none waits for the one
// before.
float multiply_add(Index times, float seed) {
  constexpr int registers = 12;
  const Lanes a = Lanes{} + 0.999f, b = Lanes{} + seed;
  Lanes x[registers];
  for (int k = 0; k < registers; ++k)
    x[k] = b + static_cast<float>(k);  // were they equal, one would do for all
  for (Index i = 0; i < times; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < registers; ++k) x[k] = x[k] * a + b;
  }
  Lanes sum{};
  for (const Lanes& each : x) sum += each;
  return sum[0];
}

}  // namespace

void bench_peak(int steps) {
  constexpr Index times = 2000000;
  volatile float sink = 1e-3f;  // what is stored here has to be computed
  const Measured m = measure([&](int) { sink = multiply_add(times, sink); }, std::max(steps, 9));
  report("peak", m, rates(m, 2.0 * 12 * lanes * times));
}

void bench_micro(int steps) {
  constexpr Form forms[] = {{"", false, false, gemm_nn<float>},
                            {"NT ", false, true, gemm_nt<float>},
                            {"TN ", true, false, gemm_tn<float>}};
  constexpr Index sizes[][3] = {{64, 256, 256},     {64, 768, 256},   {1024, 6000, 256},
                                {1024, 1024, 1024}, {2048, 128, 128}, {20, 32, 32}};
  for (const auto& [M, N, K] : sizes)
    for (const Form& form : forms) product(form, M, N, K, std::max(steps, 9));

  const Tensor x = draw_tensor(1, {1024, 6000}, 4);
  report("softmax 1024x6000", measure([&](int) { softmax(x); }, steps));
  Ids targets({1024});
  for (std::size_t i = 0; i < targets.values.size(); ++i)
    targets.values[i] = static_cast<std::int32_t>(random_bits(2, i) % 6000);
  x.want_grad();
  const auto loss = [&](int) {
    x.drop_grad();
    Tape tape;
    tape.backward(cross_entropy(x, targets));
  };
  report("cross-entropy 1024x6000 fwd+bwd", measure(loss, steps));

  for (const Index S : {8, 32, 128, 512}) attention_step(S, steps);
  const Tensor leaf = Tensor({16}, 1).want_grad();
  chain("constant", leaf, Tensor({16}, 1), std::max(steps, 50));
  chain("leaf", leaf, leaf, std::max(steps, 50));
}

}  // namespace lookback
