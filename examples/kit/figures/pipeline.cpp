#include "examples/kit/figures/pipeline.hpp"

#include <algorithm>
#include <stdexcept>

namespace lookback {
namespace {

constexpr int max_boxes = 14, width = 1120, left = 216, right = 24, top = 104;
constexpr int height = 48, pitch = 82, lane_gap = 22;  // of a box; from row to row; more between lanes

struct Look {
  Colour fill, edge, text;
};

Look look(Box::Kind kind) {
  switch (kind) {
    case Box::word:
      return {{226, 236, 247}, {38, 98, 168}, palette::ink};
    case Box::control:
      return {{253, 232, 209}, {214, 110, 6}, palette::ink};
    case Box::padding:
      return {{241, 243, 244}, palette::rule, palette::soft};
    default:
      return {palette::paper, palette::soft, palette::ink};
  }
}

int drawn(const BoxRow& row) { return std::min<int>(max_boxes, static_cast<int>(row.boxes.size())); }

// In a smaller size when it is too wide, cut when that is not enough.
void put(Canvas& canvas, const std::string& text, float middle, float base, float size, float room,
         Colour colour) {
  const float fits = std::clamp(size * room / std::max(text_width(text, size), 1.0f), 0.65f * size, size);
  canvas.text(shortened(text, fits, room), {middle, base}, {fits, colour, Anchor::centre});
}

void draw_box(Canvas& canvas, const Box& box, int x, int y, int box_width) {
  const Look l = look(box.kind);
  const float middle = x + box_width / 2.0f, room = box_width - 10;
  canvas.rectangle(x, y, box_width, height, l.fill);
  canvas.frame(x, y, box_width, height, l.edge);
  put(canvas, box.text, middle, y + (box.below.empty() ? 30 : 22), 18, room, l.text);
  put(canvas, box.below, middle, y + 40, 14, room, palette::soft);
}

}  // namespace

Image draw_pipeline(const Pipeline& pipeline) {
  int columns = 0, rows = 0;
  for (const auto& lane : pipeline.lanes)
    for (const BoxRow& row : lane) columns = std::max(columns, drawn(row)), ++rows;
  if (columns == 0) throw std::invalid_argument("pipeline: there is no box to draw");
  const int step = std::min((width - left - right) / columns, 110), box_width = step - 8;

  const int lanes = static_cast<int>(pipeline.lanes.size());
  Canvas canvas(width, top + rows * pitch - (pitch - height) + (lanes - 1) * lane_gap + 28);
  canvas.text(shortened(pipeline.title, 25, width - 48), {24, 42}, {25});
  canvas.text(shortened(pipeline.claim, 17, width - 48), {24, 74}, {17, palette::soft});
  int y = top;
  for (const auto& lane : pipeline.lanes) {
    for (std::size_t r = 0; r < lane.size(); ++r, y += pitch) {
      const BoxRow& row = lane[r];
      canvas.text(shortened(row.name, 17, left - 40), {24, y + 20.0f}, {17});
      canvas.text(shortened(row.note, 14, left - 40), {24, y + 40.0f}, {14, palette::soft});
      const bool wide = row.boxes.size() == 1 && r + 1 < lane.size();
      if (wide) draw_box(canvas, row.boxes[0], left, y, std::max(drawn(lane[r + 1]) * step, step) - 8);
      for (int j = 0; j < drawn(row) && !wide; ++j) {
        const bool more = j + 1 == max_boxes && std::ssize(row.boxes) > max_boxes;
        const Box& box = row.boxes[j];
        draw_box(canvas, more ? Box{"…", "", Box::plain} : box, left + j * step, y, box_width);
        const bool from_wide = r > 0 && lane[r - 1].boxes.size() == 1;
        const int from = from_wide ? j : j - row.shift;
        if (r == 0 || box.kind == Box::padding || from < 0 || (!from_wide && from >= drawn(lane[r - 1])))
          continue;
        const auto middle = [&](int column) { return left + column * step + box_width / 2.0f; };
        canvas.arrow({middle(from), y - pitch + height + 3.0f}, {middle(j), y - 4.0f}, 1.6f, palette::soft);
      }
    }
    y += lane_gap;
  }
  return canvas.image();
}

}  // namespace lookback
