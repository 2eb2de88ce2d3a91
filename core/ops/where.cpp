// Choosing by a mask.
#include "core/op.hpp"
#include "core/ops.hpp"
#include "core/ops/broadcast.hpp"

namespace lookback::inline LOOKBACK_NS {

Tensor where(const Mask& keep, const Tensor& a, const Tensor& b) {  // y = keep ? a : b
  Op op("where", a, b);
  op.require(a.shape() == b.shape(), "a and b differ in shape");
  require_mask_fits(op, keep, a.shape());
  Tensor y = op.output(a.shape());
  const Broadcast walk(a.shape(), keep.shape, a.shape());
  const Index step = walk.a_step();
  Real* out = y.write();
  const Real *x = a.data(), *z = b.data();
  walk.for_each_row([=, &keep](Index at, Index m, Index, Index n) {
    const std::uint8_t* mask = keep.values.data() + m;
    for (Index i = 0; i < n; ++i) out[at + i] = mask[i * step] ? x[at + i] : z[at + i];
  });
  op.reads();
  return op.done(y, [=] {  // da += keep dy, db += (1 - keep) dy
    const Real* dy = y.grad();
    Real *da = a.wants_grad() ? a.grad() : nullptr, *db = b.wants_grad() ? b.grad() : nullptr;
    walk.for_each_row([=, &keep](Index at, Index m, Index, Index n) {
      const std::uint8_t* mask = keep.values.data() + m;
      for (Index i = 0; i < n; ++i) {
        if (mask[i * step] && da) da[at + i] += dy[at + i];
        if (!mask[i * step] && db) db[at + i] += dy[at + i];
      }
    });
  });
}

Tensor masked_fill(const Tensor& x, const Mask& replace, Real value) {  // y = replace ? value : x
  require_mask_fits(Op("masked_fill", x), replace, x.shape());
  return where(replace, Tensor(x.shape(), value), x);
}

}  // namespace lookback::inline LOOKBACK_NS
