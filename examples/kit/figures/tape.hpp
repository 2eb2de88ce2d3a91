// A tape as a picture and as text: leaves, then operations in the order they ran, with values and gradients.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "attention/draw/image.hpp"
#include "core/shape.hpp"

namespace lookback {

struct TapeBox {
  std::string name, op;             // "alpha", made by "softmax"; op "": a leaf
  Shape shape;                      // drawn when it has an axis
  std::vector<double> value, grad;  // as the shape says; no gradient: a constant, or none came
  std::vector<int> inputs;          // places of earlier boxes, one for each argument
};

struct TapeFigure {
  std::string title, claim;
  int digits = 3;  // after the point
  std::vector<TapeBox> boxes;
};

// Boxes in a row, an arc from every input to the operation that reads it. Throws std::invalid_argument when
// there is no box, an input is not an earlier one, or a shape does not fit; std::length_error past 4096
// pixels.
Image draw_tape(const TapeFigure& figure);

// The same in columns, a row of the value beside the row of its gradient. Throws like draw_tape.
std::string list_tape(const TapeFigure& figure);

// What a Tape with {.trace = true} kept: the leaves, which the caller lists, constants too, then its ops; a
// name for each. A view counts as what it is a view of. Throws std::invalid_argument when names or leaves are
// missing. A template, so that this library has no Real.
template <class Tape, class Leaves>
std::vector<TapeBox> tape_boxes(const Tape& tape, const Leaves& leaves,
                                const std::vector<std::string>& names) {
  if (names.size() != std::size(leaves) + tape.trace().size())
    throw std::invalid_argument("tape: it needs a name for each leaf and each op");
  std::vector<TapeBox> boxes;
  std::vector<const void*> places;  // whose values a box shows; a view has those of its base
  const auto add = [&](const char* op, const auto& x) {
    const auto value = x.values();
    boxes.push_back({names[boxes.size()], op, x.shape(), {value.begin(), value.end()}, {}, {}});
    if (x.has_grad()) boxes.back().grad.assign(x.grad(), x.grad() + x.size());
    places.push_back(x.storage().operator->());
  };
  for (const auto& x : leaves) add("", x);
  for (const auto& op : tape.trace()) {
    add(op.name, op.output);
    for (const auto& x : op.inputs) {
      const auto place = std::find(places.begin(), places.end() - 1, x.storage().operator->());
      if (place == places.end() - 1)
        throw std::invalid_argument("tape: " + names[boxes.size() - 1] + " reads a leaf that is not listed");
      boxes.back().inputs.push_back(static_cast<int>(place - places.begin()));
    }
  }
  return boxes;
}

// A table of gradients found in four ways, a row for each name: columns[0] by hand, [1] by the chapter's engine,
// [2] by the tape, [3] by finite differences.
std::string list_gradients(const std::vector<std::string>& names,
                           const std::vector<std::vector<double>>& columns);

}  // namespace lookback
