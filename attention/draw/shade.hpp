// The same heatmaps in a terminal: a cell is two shaded characters wide.
#pragma once

#include "attention/draw/heatmap.hpp"

namespace lookback {

//            ┌ I
//            │ ┌ am
//            │ │ ┌ cold
//           ┌┴─┴─┴─┐
//     tengo │▓▓░░  │
//      frío │  ░░▓▓│
//           └──────┘
//
// Throws like draw_heatmap. A line below counts the weights that are not finite, and columns past 60 are left
// out.
std::string shade_heatmap(const Heatmap& heatmap);

}  // namespace lookback
