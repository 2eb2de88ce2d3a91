// Single operations, timed.
#pragma once

namespace lookback {

void bench_peak(int steps);  // how fast this core multiplies and adds, whatever memory does
void bench_micro(
    int steps);  // products, softmax, cross-entropy, one additive attention step, a chain of additions

}  // namespace lookback
