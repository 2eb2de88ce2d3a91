// What ops refuse, and that each message names the op and the shapes.
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/ops.hpp"
#include "core/tape.hpp"
#include "tests/catch.hpp"

namespace {

using namespace lookback;
using List = std::vector<Tensor>;

const Tensor& x() {
  static const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
  return x;
}
Tensor of(Shape shape) { return Tensor(shape, 1); }

}  // namespace

TEST_CASE("shapes that do not fit are refused, naming op and both shapes") {
  CHECK_THROWS_WITH(matmul(of({32, 128}), of({64, 256})),
                    "matmul([32, 128], [64, 256]): a has 128 columns but b has 64 rows");
  CHECK_THROWS_WITH(matmul_nt(x(), of({4, 2})),
                    "matmul_nt([2, 3], [4, 2]): a has 3 columns but b has 2 columns");
  CHECK_THROWS_WITH(matmul_tn(x(), of({4, 2})), "matmul_tn([2, 3], [4, 2]): a has 2 rows but b has 4 rows");
  CHECK_THROWS_WITH(matmul(of({3}), of({3, 2})), "matmul([3], [3, 2]): both need two axes or more");
  CHECK_THROWS_WITH(matmul(of({2, 3, 4}), of({5, 4, 2})),
                    "matmul([2, 3, 4], [5, 4, 2]): batch axes do not broadcast: 2 meets 5");
  CHECK_THROWS_WITH(linear(x(), of({5, 2})),
                    "linear([2, 3], [5, 2]): x has 3 features but the weight takes 2");
  CHECK_THROWS_WITH(linear(x(), of({5, 3}), of({3})),
                    "linear([2, 3], [5, 3], [3]): the bias needs the shape [5]");
  CHECK_THROWS_WITH(linear(x(), of({3})),
                    "linear([2, 3], [3]): x needs an axis and the weight two, [out, in]");
  const std::string misfit = "([2, 3], [2]): shapes do not broadcast: 3 meets 2 on axis 1 from the back";
  CHECK_THROWS_WITH(add(x(), of({2})), "add" + misfit);
  CHECK_THROWS_WITH(sub(x(), of({2})), "sub" + misfit);
  CHECK_THROWS_WITH(mul(x(), of({2})), "mul" + misfit);
  CHECK_THROWS_WITH(div(x(), of({2})), "div" + misfit);
  CHECK_THROWS_WITH(add(of({2, 1}), of({0, 3})),
                    "add([2, 1], [0, 3]): shapes do not broadcast: 2 meets 0 on axis 2 from the back");
  CHECK_THROWS_WITH(broadcast_to(x(), {3}), "broadcast_to([2, 3]): x does not broadcast to [3]");
  CHECK_THROWS_WITH(broadcast_to(x(), {2, 4}), "broadcast_to([2, 3]): x does not broadcast to [2, 4]");
  CHECK_THROWS_WITH(concat(List{x(), of({2, 2})}, 0),
                    "concat([2, 3], [2, 2]): [2, 3] and [2, 2] differ in more than axis 0");
  CHECK_THROWS_WITH(concat(List{x(), of({2})}, 0),
                    "concat([2, 3], [2]): [2, 3] and [2] differ in more than axis 0");
  CHECK_THROWS_WITH(concat(List{}, 0), "concat(): there is nothing to join");
  CHECK_THROWS_WITH(stack(List{x(), of({2, 2})}, 0), "stack([2, 3], [2, 2]): [2, 3] and [2, 2] differ");
  CHECK_THROWS_WITH(stack(List{}, 0), "stack(): there is nothing to join");
  CHECK_THROWS_WITH(permute(x(), {0}), "permute([2, 3]): 1 axes are named for 2");
  CHECK_THROWS_WITH(permute(x(), {0, -2}), "permute([2, 3]): axis -2 is named twice");
  CHECK_THROWS_WITH(slice(x(), 1, 2, 4), "slice([2, 3]): places 2 to 4 are not all in 0 .. 3 of axis 1");
  CHECK_THROWS_WITH(slice(x(), 1, 2, 1), "slice([2, 3]): places 2 to 1 are not all in 0 .. 3 of axis 1");
  CHECK_THROWS_WITH(slice(x(), 1, -1, 1), "slice([2, 3]): places -1 to 1 are not all in 0 .. 3 of axis 1");
  CHECK_THROWS_WITH(select(x(), 1, 3), "select([2, 3]): no place 3 along axis 1");
  CHECK_THROWS_WITH(select(x(), 0, -1), "select([2, 3]): no place -1 along axis 0");
  CHECK_THROWS_WITH(where(Mask({2, 3}, {1, 1, 1, 0, 0, 0}), x(), of({3})),
                    "where([2, 3], [3]): a and b differ in shape");
  CHECK_THROWS_WITH(
      masked_fill(x(), Mask({3}, {1, 0, 1}), 0),
      "masked_fill([2, 3]): the mask [3] does not fit [2, 3]: it needs the same rank, each axis equal or 1");
  CHECK_THROWS_WITH(gather(x(), Ids(Shape{3, 3}), 1),
                    "gather([2, 3]): ids [3, 3] differ from x in more than axis 1");
  CHECK_THROWS_WITH(index_select(x(), Ids(Shape{1, 3}), 1), "index_select([2, 3]): ids [1, 3] need one axis");
  CHECK_THROWS_WITH(normalize(of({})), "normalize([]): x needs an axis");
  CHECK_THROWS_WITH(lookup(of({3}), Ids(Shape{1})), "lookup([3]): the table needs two axes, [V, E]");
}

TEST_CASE("an axis that is not there is refused by every op that takes one") {
  using F = std::function<void(int)>;
  const std::vector<std::pair<std::string, F>> ops = {
      {"sum", [](int axis) { sum(x(), axis); }},
      {"mean", [](int axis) { mean(x(), axis); }},
      {"max", [](int axis) { max(x(), axis); }},
      {"transpose", [](int axis) { transpose(x(), 0, axis); }},
      {"permute",
       [](int axis) {
         permute(x(), {0, axis});
       }},
      {"slice", [](int axis) { slice(x(), axis, 0, 1); }},
      {"select", [](int axis) { select(x(), axis, 0); }},
      {"concat", [](int axis) { concat(List{x()}, axis); }},
      {"gather",
       [](int axis) {
         gather(x(), Ids(Shape{2, 3}), axis);
       }},
      {"index_select", [](int axis) { index_select(x(), Ids(Shape{1}), axis); }},
      {"softmax", [](int axis) { softmax(x(), axis); }},
      {"log_softmax", [](int axis) { log_softmax(x(), axis); }},
  };
  for (const auto& [name, op] : ops) {
    CHECK_THROWS_WITH(op(2), name + "([2, 3]): there is no axis 2");
    CHECK_THROWS_WITH(op(-3), name + "([2, 3]): there is no axis -3");
  }
  CHECK_THROWS_WITH(transpose(of({3})), "transpose([3]): there is no axis -2");
  CHECK_THROWS_WITH(softmax(of({})), "softmax([]): there is no axis -1");
  CHECK_THROWS_WITH(argmax(of({})), "argmax([]): there is nothing to take the largest of");
  CHECK_THROWS_WITH(masked_softmax(of({}), Mask({}, {1})), "masked_softmax([]): x needs an axis");
  CHECK_THROWS_WITH(stack(List{x()}, 3), "stack([2, 3]): no axis can be inserted at 3");
  CHECK_THROWS_WITH(stack(List{x()}, -4), "stack([2, 3]): no axis can be inserted at -4");
  CHECK_THROWS_WITH(stack(List{of({1, 1, 1, 1})}, 0), "stack([1, 1, 1, 1]): no axis can be inserted at 0");
}

TEST_CASE("an empty tensor is refused by name") {
  const Tensor none;
  CHECK_THROWS_WITH(matmul(x(), none), "matmul([2, 3], empty): argument b is empty: it has no values yet");
  CHECK_THROWS_WITH(exp(none), "exp(empty): argument a is empty: it has no values yet");
  CHECK_THROWS_WITH(sum(none, 0), "sum(empty): argument a is empty: it has no values yet");
  CHECK_THROWS_WITH(softmax(none), "softmax(empty): argument a is empty: it has no values yet");
  CHECK_THROWS_WITH(argmax(none), "argmax(empty): argument a is empty: it has no values yet");
  CHECK_THROWS_WITH(select(none, 0, 0), "select(empty): argument a is empty: it has no values yet");
  CHECK_THROWS_WITH(masked_fill(none, Mask(), 0),
                    "masked_fill(empty): argument a is empty: it has no values yet");
  CHECK_THROWS_WITH(concat(List{x(), none}, 0),
                    "concat([2, 3], empty): tensor 1 is empty: it has no values yet");
}

TEST_CASE("case 16: ids out of range are refused before memory is touched") {
  const Tensor table = Tensor({5, 2}, 1).want_grad();
  Tape tape;
  for (const std::int32_t id : {-1, 5, INT32_MAX, INT32_MIN}) {
    const std::string why = "id " + std::to_string(id) + " at place 1 of [2] is not in 0 .. 4 (V = 5)";
    const Ids ids({2}, {4, id});
    CHECK_THROWS_WITH(lookup(table, ids), "lookup: " + why);
    CHECK_THROWS_WITH(lookup(table, ids, id), "lookup: " + why);  // pad or not
    CHECK_THROWS_WITH(index_select(table, ids, 0), "index_select: " + why);
    CHECK_THROWS_WITH(gather(of({5}), ids, 0), "gather: " + why);
    CHECK_THROWS_AS(lookup(table, ids), std::out_of_range);
  }
  CHECK(tape.size() == 0);
  CHECK_THROWS_AS(lookup(Tensor(Shape{0, 2}), Ids(Shape{1}, 0)), std::out_of_range);
}

TEST_CASE("case 16: ids changed after forward do not reach backward") {
  const Tensor table = Tensor({5, 2}, 1).want_grad();
  Ids ids(Shape{1}, 4);
  Tape tape;
  const Tensor y =
      sum(lookup(table, ids) + index_select(table, ids, 0) + gather(table, Ids({1, 2}, {4, 4}), 0));
  ids.values[0] = INT32_MAX;
  tape.backward(y);
  CHECK(table.grad()[8] == 3);
}

TEST_CASE("ids and masks without values, or with too few, are refused") {
  CHECK_THROWS_WITH(lookup(x(), Ids()), "lookup: the ids [] hold 0 values");
  CHECK_THROWS_WITH(where(Mask(), of({}), of({})), "where([], []): the mask [] holds 0 values");
  Mask mask({2, 3}, {1, 1, 1, 1, 1, 1});
  mask.values.pop_back();
  CHECK_THROWS_WITH(masked_softmax(x(), mask), "masked_softmax([2, 3]): the mask [2, 3] holds 5 values");
}
