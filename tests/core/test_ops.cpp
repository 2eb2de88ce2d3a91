// The values of each op on cases small enough to work out by hand.
#include <cmath>
#include <limits>
#include <vector>

#include "core/ops.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;

constexpr Real inf = std::numeric_limits<Real>::infinity(), NaN = std::numeric_limits<Real>::quiet_NaN();

void check(const Tensor& y, Shape shape, const std::vector<Real>& want) {
  CHECK(y.shape() == shape);
  REQUIRE(y.size() == static_cast<Index>(want.size()));
  for (std::size_t i = 0; i < want.size(); ++i) {
    INFO("place " << i);
    CHECK(y.values()[i] == Approx(want[i]).epsilon(1e-6));
  }
}
void check(const Ids& ids, Shape shape, const std::vector<std::int32_t>& want) {
  CHECK(ids.shape == shape);
  CHECK(ids.values == want);
}

const Tensor& x23() {
  static const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
  return x;
}

}  // namespace

TEST_CASE("arithmetic, element by element") {
  const Tensor a({3}, {1, 2, 4}), b({3}, {2, -4, 0.5});
  check(add(a, b), {3}, {3, -2, 4.5});
  check(sub(a, b), {3}, {-1, 6, 3.5});
  check(mul(a, b), {3}, {2, -8, 2});
  check(div(a, b), {3}, {0.5, -0.5, 8});
  check(a + b, {3}, {3, -2, 4.5});
  check(a - b, {3}, {-1, 6, 3.5});
  check(a * b, {3}, {2, -8, 2});
  check(a / b, {3}, {0.5, -0.5, 8});
  check(-a, {3}, {-1, -2, -4});
  check(3 * a, {3}, {3, 6, 12});
  check(a / 4, {3}, {0.25, 0.5, 1});
  check(scale(a, -1), {3}, {-1, -2, -4});
}

TEST_CASE("functions of one number") {
  const Tensor x({4}, {-1, 0, 0.5, 4});
  check(exp(x), {4}, {0.36787944f, 1, 1.6487213f, 54.59815f});
  check(log(Tensor({3}, {1, 2, 0})), {3}, {0, 0.6931472f, -inf});
  check(sqrt(Tensor({3}, {0, 2, 9})), {3}, {0, 1.4142136f, 3});
  check(pow(x, 2), {4}, {1, 0, 0.25, 16});
  check(tanh(x), {4}, {-0.7615942f, 0, 0.46211716f, 0.9993293f});
  check(sigmoid(x), {4}, {0.26894142f, 0.5, 0.62245933f, 0.98201379f});
  check(relu(x), {4}, {0, 0, 0.5, 4});
  CHECK(std::isnan(relu(Tensor({1}, NaN)).item()));
}

TEST_CASE("gradients where a formula divides by zero") {
  const Tensor x = Tensor({2}, {0, 4}).want_grad();
  Tape tape;
  tape.backward(sum(pow(x, 0) + pow(x, 1) + pow(x, 2) + relu(x)));  // 0 + 1 + 2 x + (x > 0)
  CHECK(x.grad()[0] == 1);
  CHECK(x.grad()[1] == 10);
}

TEST_CASE("shapes broadcast from the last axis") {
  const Tensor row({3}, {10, 20, 30}), column({2, 1}, {100, 200});
  check(x23() + row, {2, 3}, {11, 22, 33, 14, 25, 36});
  check(row + x23(), {2, 3}, {11, 22, 33, 14, 25, 36});
  check(x23() - column, {2, 3}, {-99, -98, -97, -196, -195, -194});
  check(column - row, {2, 3}, {90, 80, 70, 190, 180, 170});
  check(x23() * Tensor(Shape{}, 2), {2, 3}, {2, 4, 6, 8, 10, 12});
  check(Tensor({1, 1, 1}, 2) * x23(), {1, 2, 3}, {2, 4, 6, 8, 10, 12});
  const Tensor y = Tensor({2, 1, 2, 1}, {1, 2, 3, 4}) + Tensor({2, 1, 2}, {10, 20, 30, 40});
  check(y, {2, 2, 2, 2}, {11, 21, 12, 22, 31, 41, 32, 42, 13, 23, 14, 24, 33, 43, 34, 44});
  check(broadcast_to(row, {2, 3}), {2, 3}, {10, 20, 30, 10, 20, 30});
  check(broadcast_to(column, {1, 2, 2}), {1, 2, 2}, {100, 100, 200, 200});
}

TEST_CASE("where and masked_fill choose by a mask") {
  const Tensor b({2, 3}, 0);
  check(where(Mask({2, 3}, {1, 0, 0, 0, 1, 1}), x23(), b), {2, 3}, {1, 0, 0, 0, 5, 6});
  check(where(Mask({1, 3}, {1, 0, 0}), x23(), b), {2, 3}, {1, 0, 0, 4, 0, 0});
  check(where(Mask({2, 1}, {0, 1}), x23(), b), {2, 3}, {0, 0, 0, 4, 5, 6});
  check(where(Mask({}, {1}), Tensor(Shape{}, 1), Tensor(Shape{}, 2)), {}, {1});
  check(masked_fill(x23(), Mask({2, 1}, {0, 1}), -inf), {2, 3}, {1, 2, 3, -inf, -inf, -inf});
  const Tensor bad = Tensor({2}, {NaN, 1}).want_grad(), good = Tensor({2}, 7).want_grad();
  Tape tape;
  const Tensor y = where(Mask({2}, {0, 1}), bad, good);
  check(y, {2}, {7, 1});  // what is not chosen does not show
  tape.backward(y, Tensor({2}, 1));
  CHECK(bad.grad()[0] == 0);
  CHECK(good.grad()[0] == 1);
}

TEST_CASE("reductions over everything or one axis") {
  check(sum(x23()), {}, {21});
  check(sum(x23(), 0), {3}, {5, 7, 9});
  check(sum(x23(), -1), {2}, {6, 15});
  check(sum(x23(), 1, true), {2, 1}, {6, 15});
  check(mean(x23()), {}, {3.5});
  check(mean(x23(), 0, true), {1, 3}, {2.5, 3.5, 4.5});
  check(mean(x23(), -1), {2}, {2, 5});
  check(max(x23(), 0), {3}, {4, 5, 6});
  check(max(Tensor({2, 2}, {-1, -2, -inf, -inf}), 1, true), {2, 1}, {-1, -inf});
  check(sum(Tensor({2, 1, 2}, {1, 2, 3, 4}), 1), {2, 2}, {1, 2, 3, 4});
  check(argmax(x23()), {2}, {2, 2});
  check(argmax(Tensor({2, 2}, {7, 7, -inf, -inf})), {2}, {0, 0});
  check(argmax(Tensor({3}, {1, 5, 2})), {}, {1});
  check(argmax(Tensor({2, 3}, {1, NaN, NaN, NaN, 5, inf})), {2}, {1, 0});
  CHECK(std::isnan(max(Tensor({3}, {1, NaN, 2}), 0).item()));
}

TEST_CASE("the gradient of max goes to the first of equals") {
  const Tensor x = Tensor({4}, {1, 3, 3, 2}).want_grad();
  Tape tape;
  tape.backward(max(x, 0));
  check(x.grad_tensor(), {4}, {0, 1, 0, 0});
}

TEST_CASE("ops that move values") {
  check(transpose(x23()), {3, 2}, {1, 4, 2, 5, 3, 6});
  check(permute(x23().reshape({1, 2, 3}), {2, 0, 1}), {3, 1, 2}, {1, 4, 2, 5, 3, 6});
  check(slice(x23(), 1, 1, 3), {2, 2}, {2, 3, 5, 6});
  check(slice(x23(), 0, 1, 1), {0, 3}, {});
  check(select(x23(), 0, 1), {3}, {4, 5, 6});
  check(select(x23(), -1, 0), {2}, {1, 4});
  const Tensor one({2, 1}, {8, 9});
  check(concat(std::vector{x23(), one, x23()}, 1), {2, 7}, {1, 2, 3, 8, 1, 2, 3, 4, 5, 6, 9, 4, 5, 6});
  check(concat(std::vector{x23(), x23()}, 0), {4, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  check(stack(std::vector{one, one}, 0), {2, 2, 1}, {8, 9, 8, 9});
  check(stack(std::vector{x23().select(0), x23().select(1)}, -1), {3, 2}, {1, 4, 2, 5, 3, 6});
}

TEST_CASE("products of matrices") {
  const Tensor a({2, 2}, {1, 2, 3, 4}), b({2, 3}, {1, 0, 2, 0, 1, 3});
  check(matmul(a, b), {2, 3}, {1, 2, 8, 3, 4, 18});
  check(matmul_nt(a, transpose(b)), {2, 3}, {1, 2, 8, 3, 4, 18});
  check(matmul_tn(transpose(a), b), {2, 3}, {1, 2, 8, 3, 4, 18});
  const Tensor two = stack(std::vector{a, scale(a, 2)}, 0);
  check(matmul(two, b), {2, 2, 3}, {1, 2, 8, 3, 4, 18, 2, 4, 16, 6, 8, 36});
  check(matmul(a, stack(std::vector{b, -b}, 0)), {2, 2, 3}, {1, 2, 8, 3, 4, 18, -1, -2, -8, -3, -4, -18});
  check(matmul_tn(two, two), {2, 2, 2}, {10, 14, 14, 20, 40, 56, 56, 80});
  const Tensor W({1, 2}, {1, -1});
  check(linear(a, W), {2, 1}, {-1, -1});
  check(linear(a, W, Tensor({1}, 5)), {2, 1}, {4, 4});
  check(linear(a.select(1), W, Tensor({1}, 5)), {1}, {4});
}

TEST_CASE("normalize brings the last axis to length 1") {
  check(normalize(Tensor({3, 2}, {3, 4, 0, 0, 0, -2})), {3, 2}, {0.6f, 0.8f, 0, 0, 0, -1});
  check(normalize(Tensor({2}, {3, 4}), 10), {2}, {0.3f, 0.4f});
}

TEST_CASE("look-ups by id") {
  const Tensor table({3, 2}, {0, 1, 10, 11, 20, 21});
  check(lookup(table, Ids({2, 2}, {2, 0, 1, 2})), {2, 2, 2}, {20, 21, 0, 1, 10, 11, 20, 21});
  check(index_select(table, Ids({2}, {2, 2}), 0), {2, 2}, {20, 21, 20, 21});
  check(index_select(table, Ids({3}, {1, 0, 1}), -1), {3, 3}, {1, 0, 1, 11, 10, 11, 21, 20, 21});
  check(gather(table, Ids({3, 1}, {1, 0, 1}), 1), {3, 1}, {1, 10, 21});
  check(gather(table, Ids({1, 2}, {2, 0}), 0), {1, 2}, {20, 1});
}

TEST_CASE("lookup gives no gradient to the row of pad, and adds up repeated ids") {
  const Tensor table = Tensor({3, 2}, 1).want_grad();
  const Ids ids({4}, {0, 2, 0, 2});
  Tape tape;
  tape.backward(sum(lookup(table, ids, 0) + lookup(table, ids)));
  check(table.grad_tensor(), {3, 2}, {2, 2, 0, 0, 4, 4});
}

TEST_CASE("case 5: zero-size axes") {
  const Tensor x = Tensor(Shape{0, 3}).want_grad(), one = Tensor({1}, 1).want_grad(),
               full = Tensor({2, 3}, 1).want_grad();
  const Tensor tall = Tensor(Shape{2, 0}).want_grad();
  Tape tape;
  const Tensor s = sum(x), product = matmul(tall, x), both = Tensor(Shape{0}) + one,
               joined = concat(std::vector{x, full}, 0);
  check(s, {}, {0});
  check(product, {2, 3}, {0, 0, 0, 0, 0, 0});
  check(both, {0}, {});
  check(joined, {2, 3}, {1, 1, 1, 1, 1, 1});
  check(concat(std::vector{full, Tensor(Shape{2, 0})}, -1), {2, 3}, {1, 1, 1, 1, 1, 1});
  check(sum(x, 0), {3}, {0, 0, 0});
  check(sum(x, 1), {0}, {});
  check(softmax(tall), {2, 0}, {});
  check(log_softmax(tall, 0), {2, 0}, {});
  check(masked_softmax(tall, Mask({2, 0}, {})), {2, 0}, {});
  CHECK_THROWS_WITH(mean(x), "mean([0, 3]): there is nothing to take the mean of");
  CHECK_THROWS_WITH(mean(x, 0), "mean([0, 3]): there is nothing to take the mean of along axis 0");
  CHECK_THROWS_WITH(max(x, 0), "max([0, 3]): there is nothing to take the largest of along axis 0");
  CHECK_THROWS_WITH(argmax(tall), "argmax([2, 0]): there is nothing to take the largest of");
  tape.backward(s + sum(product) + sum(both) + sum(joined) + sum(softmax(tall)) + sum(log_softmax(tall, 0)));
  check(x.grad_tensor(), {0, 3}, {});
  check(tall.grad_tensor(), {2, 0}, {});
  check(one.grad_tensor(), {1}, {0});
  check(full.grad_tensor(), {2, 3}, {1, 1, 1, 1, 1, 1});
  CHECK(x.has_grad());
}
