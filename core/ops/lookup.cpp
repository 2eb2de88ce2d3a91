// Values found by id. Every id is checked before any memory is touched.
#include <algorithm>

#include "core/op.hpp"
#include "core/ops.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor gather(const Tensor& x, const Ids& ids, int axis) {  // y[o, i, j] = x[o, ids[o, i, j], j]
  Op op("gather", x);
  const int a = op.axis(x, axis);
  op.require(ids.shape.rank() == x.rank() && ids.shape.with(a, 0) == x.shape().with(a, 0),
             "ids {} differ from x in more than axis {}", ids.shape, axis);
  ids.check_range("gather", x.shape()[a]);
  const Index inner = x.shape().stride(a), n = x.shape()[a], picks = ids.shape[a];
  const auto from = [=](Index place, Index id) {  // where the value of one place of y stands in x
    return (place / (picks * inner) * n + id) * inner + place % inner;
  };
  Tensor y = op.output(ids.shape);
  Real* out = y.write();
  const std::int32_t* id = ids.values.data();
  for (Index i = 0; i < y.size(); ++i) out[i] = x.data()[from(i, id[i])];
  op.reads();
  return op.done(y, [=] {
    const Real* dy = y.grad();
    Real* dx = x.grad();
    for (Index i = 0; i < y.size(); ++i) dx[from(i, ids.values[static_cast<std::size_t>(i)])] += dy[i];
  });
}

namespace {

// y[o, i, :] = x[o, ids[i], :] along axis a, seen as `shape`; places of id `skip` get no gradient.
Tensor picked(Op& op, const Tensor& x, const Ids& ids, int a, Shape shape, std::optional<std::int32_t> skip) {
  const Index inner = x.shape().stride(a), n = x.shape()[a], picks = ids.size();
  Tensor y = op.output(shape);
  const Index outer = y.size() > 0 ? y.size() / (picks * inner) : 0;
  Real* out = y.write();
  for (Index o = 0; o < outer; ++o)
    for (const std::int32_t id : ids.values) out = std::copy_n(x.data() + (o * n + id) * inner, inner, out);
  op.reads();
  return op.done(y, [=] {
    const Real* dy = y.grad();
    Real* dx = x.grad();
    for (Index o = 0; o < outer; ++o)
      for (const std::int32_t id : ids.values) {
        for (Index j = 0; id != skip && j < inner; ++j) dx[(o * n + id) * inner + j] += dy[j];
        dy += inner;
      }
  });
}

}  // namespace

Tensor index_select(const Tensor& x, const Ids& ids, int axis) {
  Op op("index_select", x);
  const int a = op.axis(x, axis);
  op.require(ids.shape.rank() == 1, "ids {} need one axis", ids.shape);
  ids.check_range("index_select", x.shape()[a]);
  return picked(op, x, ids, a, x.shape().with(a, ids.size()), {});
}

Tensor lookup(const Tensor& table, const Ids& ids, std::optional<std::int32_t> pad) {
  Op op("lookup", table);
  op.require(table.rank() == 2, "the table needs two axes, [V, E]");
  ids.check_range("lookup", table.shape()[0]);
  return picked(op, table, ids, 0, ids.shape.inserted(-1, table.cols()), pad);
}

}  // namespace lookback::inline LOOKBACK_NS
