// Embedding: a row of numbers for every word.
#pragma once

#include <algorithm>

#include "core/ops.hpp"
#include "nn/control_ids.hpp"
#include "nn/params.hpp"

namespace lookback::inline LOOKBACK_NS {

struct Embedding {  // y = weight[id]            ids [..] -> [.., E]
  Tensor weight;    // [V, E]; the row of PAD is zero and stays so: it gets no gradient
  Embedding(Params p, Index V, Index E, Real deviation = Real(0.1))
      : weight(p.add("weight", {V, E}, normal(deviation))) {
    if (V > PAD) std::fill_n(weight.write() + PAD * E, E, Real{0});
  }
  Tensor operator()(const Ids& ids) const { return lookup(weight, ids, PAD); }
};

}  // namespace lookback::inline LOOKBACK_NS
