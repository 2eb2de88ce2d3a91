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

Tensor index_select(const Tensor& x, const Ids& ids, int axis) {  // y[o, i, :] = x[o, ids[i], :]
  Op op("index_select", x);
  const int a = op.axis(x, axis);
  op.require(ids.shape.rank() == 1, "ids {} need one axis", ids.shape);
  ids.check_range("index_select", x.shape()[a]);
  const Index inner = x.shape().stride(a), n = x.shape()[a], picks = ids.size();
  Tensor y = op.output(x.shape().with(a, picks));
  const Index outer = y.size() > 0 ? y.size() / (picks * inner) : 0;
  Real* out = y.write();
  for (Index o = 0; o < outer; ++o)
    for (Index i = 0; i < picks; ++i)
      std::copy_n(x.data() + (o * n + ids.values[static_cast<std::size_t>(i)]) * inner, inner,
                  out + (o * picks + i) * inner);
  op.reads();
  return op.done(y, [=] {
    const Real* dy = y.grad();
    Real* dx = x.grad();
    for (Index o = 0; o < outer; ++o)
      for (Index i = 0; i < picks; ++i) {
        Real* to = dx + (o * n + ids.values[static_cast<std::size_t>(i)]) * inner;
        for (Index j = 0; j < inner; ++j) to[j] += dy[(o * picks + i) * inner + j];
      }
  });
}

Tensor lookup(const Tensor& table, const Ids& ids, std::optional<std::int32_t> pad) {  // y[i] = table[ids[i]]
  Op op("lookup", table);
  op.require(table.rank() == 2, "the table needs two axes, [V, E]");
  ids.check_range("lookup", table.shape()[0]);
  const Index E = table.cols();
  Tensor y = op.output(ids.shape.inserted(-1, E));
  Real* out = y.write();
  for (const std::int32_t id : ids.values) out = std::copy_n(table.data() + id * E, E, out);
  op.reads();
  return op.done(y, [=] {  // dtable[ids[i]] += dy[i], but for pad
    const Real* dy = y.grad();
    Real* dtable = table.grad();
    for (const std::int32_t id : ids.values) {
      for (Index j = 0; id != pad && j < E; ++j) dtable[id * E + j] += dy[j];
      dy += E;
    }
  });
}

}  // namespace lookback::inline LOOKBACK_NS
