// One step of attention on the worked example of Note I: three states and a decoder state in the plane, every
// number shown.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "attention/attention.hpp"
#include "attention/draw/png.hpp"
#include "core/tape.hpp"
#include "examples/kit/figures/one_step.hpp"
#include "examples/kit/text/options.hpp"

using namespace lookback;

namespace {

constexpr Index S = 3, H = 2;
using Point = std::array<float, 2>;

std::string shape(const Tensor& x) { return to_string(x.shape()); }
std::string show(const Tensor& x) { return fmt::format("({:.3f})", fmt::join(x.values(), ", ")); }
std::string show6(const Tensor& x) { return fmt::format("({:.6f})", fmt::join(x.values(), ", ")); }

float distance(Point a, Point b) { return std::hypot(a[0] - b[0], a[1] - b[1]); }
float cross(Point a, Point b) { return a[0] * b[1] - a[1] * b[0]; }
float area(Point a, Point b, Point c) { return std::abs(cross(a, b) + cross(b, c) + cross(c, a)) / 2; }

// The numbers of one step, as they are printed and drawn.
OneStep numbers(const Tensor& h, const Tensor& s, const Attended& a) {
  const auto point = [](const Tensor& x) { return Point{x.at({0}), x.at({1})}; };
  const auto list = [](const Tensor& x) { return std::vector(x.values().begin(), x.values().end()); };
  OneStep x;
  x.s = point(s.select(0)), x.c = point(a.context.select(0));
  x.e = list(a.scores), x.alpha = list(a.weights);
  for (Index i = 0; i < S; ++i) x.h.push_back(point(h.select(0).select(i)));
  return x;
}

void print_scores(const OneStep& x) {
  fmt::print("\nStep 1, score: e_i = {}\n", x.score == "dot" ? "s . h_i" : x.score + "(s, h_i)");
  for (Index i = 0; i < S; ++i) {
    fmt::print("  e_{} = ", i + 1);
    if (x.score == "dot") fmt::print("{}*{} + {}*{} = ", x.s[0], x.h[i][0], x.s[1], x.h[i][1]);
    fmt::print("{:.3f}\n", x.e[i]);
  }
}

void print_weights(const OneStep& x) {
  fmt::print("\nStep 2, softmax: alpha_i = exp(e_i) / sum_j exp(e_j)\n");
  fmt::print("  i       e_i  exp(e_i)  alpha_i\n");
  double sum = 0, total = 0, entropy = 0;
  for (Index i = 0; i < S; ++i) {
    const double e = x.e[i], alpha = x.alpha[i];
    fmt::print("  {}  {:8.3f}  {:#8.4g}  {:7.3f}\n", i + 1, e, std::exp(e), alpha);
    sum += std::exp(e), total += alpha, entropy -= alpha > 0 ? alpha * std::log(alpha) : 0;
  }
  fmt::print("  sum         {:#8.4g}  {:7.3f}\n", sum, total);
  fmt::print("  entropy of alpha: {:.6f}, at most ln {} = {:.6f}\n", entropy, S, std::log(S));
}

// How the triangle h_1 h_2 h_3 is cut by lines from c to its corners: the part opposite each corner.
std::array<float, 3> shares(const OneStep& x) {
  const auto& h = x.h;
  const float whole = area(h[0], h[1], h[2]);
  return {area(x.c, h[1], h[2]) / whole, area(x.c, h[0], h[2]) / whole, area(x.c, h[0], h[1]) / whole};
}

void print_context(const OneStep& x) {
  fmt::print("\nStep 3, context: c = sum_i alpha_i h_i\n  c = ");
  for (Index i = 0; i < S; ++i)
    fmt::print("{}{:.3f}*({}, {})", i ? " + " : "", x.alpha[i], x.h[i][0], x.h[i][1]);
  fmt::print(" = ({:.3f}, {:.3f})\n", x.c[0], x.c[1]);
  fmt::print(
      "  lines from c to the corners cut the triangle in three; the parts opposite h_1, h_2, h_3:\n  "
      "{:.3f}\n",
      fmt::join(shares(x), ", "));
}

void print_prediction(const OneStep& x, const Tensor& W_o, const Tensor& logits) {
  fmt::print("\nStep 4, predict: P(y) = softmax(W_o [s; c])\n");
  fmt::print("  y     row of W_o        logit      P(y)\n");
  for (Index k = 0; k < logits.cols(); ++k)
    fmt::print("  {:4}  ({})  {:9.6f}  {:.6f}\n", x.words[k], fmt::join(W_o.select(k).values(), ", "),
               logits.at({0, k}), x.p[k]);
}

// [likeness]
void print_likeness(const Tensor& h, const Tensor& s) {
  fmt::print("\nWhich state is s like, and to which does c lean?\n");
  fmt::print("  score   i  cos(s, h_i)  |s - h_i|  |h_i|  alpha_i  |c - h_i|\n");
  const Tensor cosines = matmul_nt(normalize(s), normalize(h));  // [1, 1, S]
  for (const char* score : {"dot", "cosine"}) {
    const Attention attend(Params(0), score, {.query = H, .key = H});
    const OneStep x = numbers(h, s, attend(s, attend.read(h)));
    for (Index i = 0; i < S; ++i)
      fmt::print("  {:6}  {}  {:11.3f}  {:9.3f}  {:.3f}  {:7.3f}  {:9.3f}\n", i ? "" : score, i + 1,
                 cosines.at({0, 0, i}), distance(x.s, x.h[i]), distance({}, x.h[i]), x.alpha[i],
                 distance(x.c, x.h[i]));
  }
}
// [/likeness]

// [jacobian]
// dy/dx, a row for each value of y: one tape a row, from a seed that is 1 there and 0 elsewhere.
template <class Function>
void print_jacobian(const char* name, const Tensor& at, Function function) {
  for (Index i = 0; i < function(at).size(); ++i) {
    Tape tape;
    const Tensor x = at.detach().want_grad();
    const Tensor y = function(x), seed(y.shape());
    seed.write()[i] = 1;
    tape.backward(y, seed);
    fmt::print("  {:13}{}\n", i ? "" : name, show6(x.grad_tensor()));
  }
}
// [/jacobian]

void print_gradients(const Attention& attend, const Tensor& h, const Tensor& s, const Attended& a) {
  const Tensor d = h - a.context;                                            // h_i - c  [1, S, H]
  const Tensor covariance = matmul_tn(d, a.weights.reshape({1, S, 1}) * d);  // [1, H, H]
  fmt::print("\nEvery operation is differentiable. By the tape:\n");
  print_jacobian("d alpha/d e", a.scores, [](const Tensor& e) { return softmax(e); });
  print_jacobian("d c/d s", s, [&](const Tensor& x) { return attend(x, attend.read(h)).context; });
  fmt::print("  with the score dot, d c/d s is the covariance of h under alpha: {}\n", show6(covariance));
}

// [batch]
void print_batch(const Attention& attend, Real x, Real y) {
  const Tensor h({2, 4, H}, {1, 0, 0, 1, 1, 1, 0, 0,    // three words and PAD, whose state is zero
                             1, 0, 0, 1, 1, 1, 1, 0});  // four words
  const Tensor s({2, 2, H}, {x, y, y, x,                // the state, then its mirror image
                             x, y, y, x});
  const Attended masked = attend(s, attend.read(h, Mask::lengths(std::vector<Index>{3, 4}, 4)));
  const Attended open = attend(s, attend.read(h));
  // [/batch]
  fmt::print("\nB = 2 sentences, S = 4 places, T = 2 steps: h {}, s {}, e {}, alpha {}, c {}\n", shape(h),
             shape(s), shape(open.scores), shape(open.weights), shape(open.context));
  for (const Index b : {0, 1})
    for (const Index t : {0, 1})
      for (const auto& [kind, a] : {std::pair{"mask", &masked}, std::pair{"no mask", &open}})
        fmt::print("  {} words, step {}, {:7}  alpha {}  c {}\n", b + 3, t + 1, kind,
                   show6(a->weights.select(b).select(t)), show6(a->context.select(b).select(t)));
}

}  // namespace

int main(int argc, char** argv) {
  Options options{.score = "dot", .out = "out/03"};
  std::vector<double> state{0.9, 0.2};
  Chapter chapter("03_one_step", "one step of attention on the worked example, every number shown");
  chapter.takes(options, {"--score", "--seed", "--out", "--quick"});
  chapter.takes("--state", state, "the decoder state s, two numbers from -100 to 100");
  return chapter.run(argc, argv, [&] {
    if (state.size() != H || std::abs(state[0]) > 100 || std::abs(state[1]) > 100)
      throw UsageError(fmt::format("--state: {} is not two numbers from -100 to 100", fmt::join(state, ",")));
    const Params params(options.seed);
    // [step]
    const Tensor h({1, S, H}, {1, 0, 0, 1, 1, 1}), s({1, H}, {state.begin(), state.end()});
    const Attention attend(params, options.score, {.query = H, .key = H, .hidden = H});
    const Attended a = attend(s, attend.read(h));  // e [B, S], alpha [B, S], c [B, H]
    const Tensor W_o({3, 2 * H}, {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0}), both[] = {s, a.context};
    const Tensor logits = linear(concat(both, -1), W_o), p = softmax(logits);  // [B, V]
    // [/step]
    OneStep x = numbers(h, s, a);
    x.p.assign(p.data(), p.data() + p.size()), x.words = {"casa", "gato", "pan"}, x.score = options.score;
    fmt::print("h {} = {}\ns {} = {}\n", shape(h), x.h, shape(s), x.s);
    fmt::print("e {}, alpha {}, c {}\n", shape(a.scores), shape(a.weights), shape(a.context));
    for (const Param& w : params.all()) fmt::print("{} {} = {}\n", w.name, shape(w.value), show(w.value));
    print_scores(x);
    print_weights(x);
    print_context(x);
    print_prediction(x, W_o, logits);
    const char* names[] = {"1-score", "2-softmax", "3-context", "4-predict"};
    for (const int k : {0, 1, 2, 3})
      write_png(fmt::format("{}/03-{}.png", options.out, names[k]), draw_one_step(x, Stage{k}));
    print_likeness(h, s);
    print_gradients(attend, h, s, a);
    print_batch(attend, s.at({0, 0}), s.at({0, 1}));
  });
}
