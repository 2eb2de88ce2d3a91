// The gradient of module and score against finite differences, which want double.
#include <fmt/format.h>

#include <vector>

#include "core/gradcheck.hpp"
#include "reader.hpp"

int main() {
  using namespace lookback;
  const Params params(1);
  const mine::Reader model(params, "mlp");
  const Ids source({2, mine::S}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 26, 26, 26, 1, 1});
  std::vector<Tensor> x;
  for (const Param& p : params.all()) x.push_back(p.value);
  const Gradcheck g = gradcheck("reader", x, [&] { return model(source); });
  fmt::print("{}\n", g ? fmt::format("{} derivatives agree", g.checked) : g.failure);
  return g ? 0 : 1;
}
