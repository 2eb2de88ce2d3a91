// Automatic differentiation from nothing: an engine on a page, the library's tape beside it, gradients by hand
// and by finite differences to judge both, and an op that the library has not.
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <memory>

#include "attention/draw/png.hpp"
#include "core/gradcheck.hpp"
#include "core/op.hpp"
#include "core/ops.hpp"
#include "examples/kit/figures/tape.hpp"
#include "examples/kit/text/options.hpp"

using namespace lookback;

namespace {

using std::exp;  // of a double, beside those of a Scalar and a Tensor
using Numbers = std::vector<double>;

Options options{.out = "out/01"};
std::string broken;  // --break: "", "sign" or "shape"

// [engine]
struct Scalar {
  Scalar(double x) : value(x), grad(std::make_shared<double>(0)) {}
  double value;
  std::shared_ptr<double> grad;  // dL/d(value), the same for all copies
};

std::vector<std::function<void()>> steps;  // the tape: a closure for each operation, in the order they ran

// y = f(inputs): its value, and with each input x the slope dy/dx.
Scalar record(double value, const std::vector<std::pair<Scalar, double>>& inputs) {
  const Scalar y(value);
  steps.push_back([=] {
    for (const auto& [x, slope] : inputs) *x.grad += *y.grad * slope;  // the chain rule
  });
  return y;
}

Scalar operator+(Scalar a, Scalar b) { return record(a.value + b.value, {{a, 1}, {b, 1}}); }
Scalar operator*(Scalar a, Scalar b) { return record(a.value * b.value, {{a, b.value}, {b, a.value}}); }
Scalar exp(Scalar x) { return record(std::exp(x.value), {{x, std::exp(x.value)}}); }

void backward(const Scalar& L) {
  *L.grad = 1;                                                               // dL/dL
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) (*step)();  // newest first
}
// [/engine]

Scalar operator/(Scalar a, Scalar b) {
  const double y = a.value / b.value, sign = broken == "sign" ? 1 : -1;
  return record(y, {{a, 1 / b.value}, {b, sign * y / b.value}});
}

// [scalars]
// L = |c - t|^2, number by number. x holds s_1 s_2, h_11 h_12, h_21 h_22, h_31 h_32; t is (0, 1).
template <class Number>
Number attention(const std::vector<Number>& x) {
  std::vector<Number> p, d{0., -1.};  // p_i = exp(s . h_i); d = c - t, with c still 0
  Number sum = 0.;
  for (const int i : {2, 4, 6}) sum = sum + p.emplace_back(exp(x[0] * x[i] + x[1] * x[i + 1]));
  for (const int i : {2, 4, 6})
    for (const int k : {0, 1}) d[k] = d[k] + p[i / 2 - 1] / sum * x[i + k];
  return d[0] * d[0] + d[1] * d[1];
}
// [/scalars]

Numbers by_engine(const Numbers& at, auto f) {
  const std::vector<Scalar> x(at.begin(), at.end());
  steps.clear(), backward(f(x));
  Numbers gradient;
  for (const Scalar& v : x) gradient.push_back(*v.grad);
  return gradient;
}

// [differences]
Numbers by_differences(Numbers x, auto f) {
  Numbers gradient;
  for (double& v : x) {
    const double step = 1e-5, kept = v;
    const auto at = [&](double value) { return v = value, f(x); };
    gradient.push_back((at(kept + step) - at(kept - step)) / (2 * step));
    v = kept;
  }
  return gradient;
}
// [/differences]

Numbers list(const Tensor& x) { return {x.data(), x.data() + x.size()}; }

void print_and_draw(const TapeFigure& tape, const char* file) {
  fmt::print("\n{}\n{}", tape.title, list_tape(tape));
  write_png(options.out + file, draw_tape(tape));
}

void scalars() {
  // [first]
  const auto f = [](const auto& x) { return x[0] + exp(x[0] * x[1]); };  // of doubles, Scalars or Tensors
  const Tensor a({}, 0.5), b({}, 2), ab[] = {a.want_grad(), b.want_grad()};
  Tape tape({.trace = true});
  tape.backward(f(ab));
  // [/first]
  const Numbers x{0.5, 2}, hand{1 + 2 * exp(1), 0.5 * exp(1)}, by_tape{*a.grad(), *b.grad()};
  fmt::print("y = a + exp(a b) at a = 0.5, b = 2: dy/da = 1 + 2 exp(1), dy/db = 0.5 exp(1)\n\n{}",
             list_gradients({"a", "b"}, {hand, by_engine(x, f), by_tape, by_differences(x, f)}));
  print_and_draw({"A tape of three operations", "a is read twice, so two gradients come back, and add up.", 6,
                  tape_boxes(tape, ab, {"a", "b", "u", "v", "y"})},
                 "/01-scalars.png");
}

// [hand]
// dL/ds and dL/dh for the s, h, t of one step, in one list: [1 + S, H].
Tensor by_hand(const Tensor& s, const Tensor& h, const Tensor& t) {
  const Tensor alpha = softmax(matmul_nt(s, h)), c = matmul(alpha, h);
  const Tensor dc = 2 * (c - t), de = alpha * matmul_nt(dc, h - c);
  const Tensor ds_dh[] = {matmul(de, h), matmul_tn(alpha, dc) + matmul_tn(de, s)};
  return concat(ds_dh, 0);
}
// [/hand]

void tensors() {
  // [tensors]
  const Tensor s({1, 2}, {0.9, 0.2}), h({3, 2}, {1, 0, 0, 1, 1, 1}), t({1, 2}, {0, 1});
  const Tensor leaves[] = {s.want_grad(), h.want_grad(), t};
  Tape tape({.trace = true});
  const Tensor e = matmul_nt(s, h), alpha = softmax(e), c = matmul(alpha, h), d = c - t;
  tape.backward(sum(d * d));
  // [/tensors]
  print_and_draw({"One step of attention: L = |c - t|²", "dL/de < 0 for t = h₂ alone: descent turns to it.",
                  3, tape_boxes(tape, leaves, {"s", "h", "t", "e", "alpha", "c", "d", "q", "L"})},
                 "/01-tape.png");
  const Numbers x{0.9, 0.2, 1, 0, 0, 1, 1, 1}, hand = list(by_hand(s.detach(), h.detach(), t));
  const Tensor gradients[] = {s.grad_tensor(), h.grad_tensor()};
  fmt::print("\n{}", list_gradients({"s_1", "s_2", "h_11", "h_12", "h_21", "h_22", "h_31", "h_32"},
                                    {hand, by_engine(x, attention<Scalar>), list(concat(gradients, 0)),
                                     by_differences(x, attention<double>)}));
  const Tensor after = softmax(matmul_nt(s.detach() - s.grad_tensor(), h.detach()));
  fmt::print("{} operations of the engine, {} of the tape\nalpha after s -= dL/ds: {:.3f}\n\n", steps.size(),
             tape.trace().size(), fmt::join(after.values(), " "));
}

// [softplus]
Tensor softplus(const Tensor& x, const Tensor& b) {  // y = ln(1 + e^z), z = x + b       x [.., H], b [H]
  Op op("softplus", x, b);
  op.require(b.shape() == Shape({x.cols()}), "b needs the shape [{}]", x.cols());
  const Tensor y = op.output(x.shape());
  const Index n = x.size(), H = x.cols();
  const auto z = [=](Index i) { return x.data()[i] + b.data()[i % H]; };
  Real* out = y.write();
  for (Index i = 0; i < n; ++i) out[i] = std::fmax(z(i), Real{0}) + std::log1p(std::exp(-std::abs(z(i))));
  op.reads(x, b);
  return op.done(y, [=] {  // dx += dz, db += the sum of dz over the rows, dz = dy / (1 + e^-z)
    Real *dx = x.wants_grad() ? x.grad() : nullptr, *db = b.wants_grad() ? b.grad() : nullptr;
    for (Index i = 0; i < n; ++i) {
      const Real dz = y.grad()[i] / (1 + std::exp(-z(i)));
      if (dx) dx[i] += dz;
      if (db) db[i % H] += dz;
    }
  });
}
// [/softplus]

// The op as it is, or, for --break shape, as it were had it forgotten to sum over the rows.
Tensor checked(const Tensor& x, const Tensor& b) {
  if (broken != "shape") return softplus(x, b);
  const Tensor parts[] = {softplus(slice(x, 0, 0, 1), b), softplus(slice(x, 0, 1, x.rows()), b.detach())};
  return concat(parts, 0);
}

void own_op() {
  for (const Index rows : {1, 4}) {
    const Tensor x = random_leaf({rows, 3}, 1), b = random_leaf({3}, 2), both[] = {x, b};
    const Gradcheck g = gradcheck("softplus", both, [&] { return checked(x, b); });
    fmt::print("softplus, x [{}, 3]: {}\n", rows, g ? fmt::format("{} numbers agree", g.checked) : g.failure);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Chapter chapter("01_autograd", "an engine on a page, and the library's tape beside it");
  chapter.takes(options, {"--out", "--quick"});
  chapter.takes("--break", broken, "a fault to find by its number: sign or shape");
  return chapter.run(argc, argv, [&] {
    if (!broken.empty() && broken != "sign" && broken != "shape")
      throw UsageError(fmt::format("--break: \"{}\" is not sign or shape", broken));
    scalars();
    tensors();
    own_op();
  });
}
