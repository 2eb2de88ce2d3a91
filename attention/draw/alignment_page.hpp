// An alignment as a page to move about in: point at a word, see its weights. The browser shapes any script.
#pragma once

#include "attention/draw/heatmap.hpp"

namespace lookback {

// One HTML file that needs no other: both sentences, whose words show their weights under the pointer or the
// keyboard's focus, and the weights as a table, which can be read without scripts too. Text is escaped; the
// same heatmap is the same bytes. The title, if there is none, is the two sentences. Throws like
// draw_heatmap.
std::string alignment_page(const Heatmap& heatmap);

}  // namespace lookback
