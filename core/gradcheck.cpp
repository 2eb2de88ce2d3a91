#include "core/gradcheck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "core/tape.hpp"

namespace lookback::inline LOOKBACK_NS {
namespace {

Tensor random_like(const Shape& shape, Random& random) {
  Tensor t(shape);
  Real* v = t.write();
  for (Index i = 0; i < t.size(); ++i) v[i] = static_cast<Real>(random.uniform(-1, 1));
  return t;
}

double projected(const Tensor& y, const Tensor& weights) {
  double total = 0;
  for (Index i = 0; i < y.size(); ++i) total += static_cast<double>(y.data()[i]) * weights.data()[i];
  return total;
}

}  // namespace

Gradcheck gradcheck(const std::string& name, std::span<const Tensor> inputs, const std::function<Tensor()>& f,
                    GradcheckOptions options) {
  Random random(options.seed);
  Gradcheck result;
  const Tensor weights = random_like(f().shape(), random);
  for (const bool prefilled : {false, true}) {
    std::vector<Tensor> before;
    for (const Tensor& x : inputs) {
      x.want_grad().drop_grad();
      before.push_back(prefilled ? random_like(x.shape(), random) : Tensor(x.shape()));
      if (prefilled) std::copy_n(before.back().data(), x.size(), x.grad());
    }
    {
      Tape tape;
      const Tensor y = f();
      if (y.wants_grad()) tape.backward(y, weights);
    }
    for (std::size_t k = 0; k < inputs.size(); ++k)
      for (Index i = 0; i < inputs[k].size(); ++i) {
        const Real analytic = (inputs[k].has_grad() ? inputs[k].grad()[i] : 0) - before[k].data()[i];
        const Real kept = inputs[k].data()[i];
        inputs[k].write()[i] = kept + options.step;
        const double above = projected(f(), weights);
        inputs[k].write()[i] = kept - options.step;
        const double below = projected(f(), weights);
        inputs[k].write()[i] = kept;
        const auto numeric = static_cast<Real>((above - below) / (2 * options.step));
        ++result.checked;
        if (std::abs(analytic - numeric) <=
            options.tolerance * std::max({Real{1}, std::abs(analytic), std::abs(numeric)}))
          continue;
        result.failure = fmt::format(
            "{}: argument {} {}, place {}: backward says {:.10g}, finite differences {:.10g}{}", name, k,
            to_string(inputs[k].shape()), i, analytic, numeric, prefilled ? " (gradients prefilled)" : "");
        return result;
      }
  }
  for (const Tensor& x : inputs) x.drop_grad();
  return result;
}

Tensor random_leaf(Shape shape, std::uint64_t seed, Real low, Real high) {
  Random random(seed);
  Tensor t(shape);
  Real* v = t.write();
  for (Index i = 0; i < t.size(); ++i) v[i] = static_cast<Real>(random.uniform(low, high));
  t.want_grad();
  return t;
}

}  // namespace lookback::inline LOOKBACK_NS
