#include "attention/draw/alignment_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lookback {
namespace {

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{0}</title>
<style>
:root {{ color-scheme: light dark; font-family: sans-serif; }}
h1, h2 {{ font-size: 1.2em; }}
span {{ display: inline-block; min-width: 1.6em; padding: 0.2em; font-size: 1.3em; text-align: center; }}
small {{ display: block; height: 1.3em; font-size: 0.6em; }}
.chosen {{ outline: 3px solid; }}
table {{ border-collapse: collapse; }}
th {{ padding: 0.3em; }}
td {{ min-width: 3.4em; height: 3em; padding: 0; text-align: center; }}
.link {{ outline: 2px solid; outline-offset: -4px; font-weight: bold; }}
</style>
</head>
<body>
<h1 dir="auto">{0}</h1>
<p>Point at a word, or reach it with the Tab key: the words of the other sentence show its weights.</p>
)";

// A word has its place in data-t or data-i; the weight of t and i is in the table.
constexpr const char* script = R"(<script>
const words = document.querySelectorAll('span'), rows = document.querySelector('tbody').rows;
function show(chosen) {
  const { t, i } = chosen ? chosen.dataset : {};
  for (const word of words) {
    const cell = rows[t ?? word.dataset.t]?.cells[Number(i ?? word.dataset.i) + 1];
    word.classList.toggle('chosen', word === chosen);
    word.style.cssText = cell ? cell.style.cssText : '';
    word.lastChild.textContent = cell ? cell.textContent : '';
  }
}
for (const event of ['mouseover', 'focusin'])
  document.addEventListener(event, (e) => show(e.target.closest('span')));
</script>
</body>
</html>
)";

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text)
    if (std::string_view("&<>\"").find(c) == std::string_view::npos)
      safe += c;
    else
      safe += fmt::format("&#{};", int{c});
  return safe;
}

std::string sentence(const std::string& axis, char letter, const std::vector<std::string>& words) {
  std::string html = fmt::format("<h2>{}</h2>\n<p lang=\"\" dir=\"auto\">\n", escaped(axis));
  for (std::size_t k = 0; k < words.size(); ++k)
    html += fmt::format("<span tabindex=\"0\" data-{}=\"{}\">{}<small></small></span>\n", letter, k,
                        escaped(words[k]));
  return html + "</p>\n";
}

std::string css(Colour colour) { return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b); }

}  // namespace

std::string alignment_page(const Heatmap& heatmap) {
  check_heatmap(heatmap);
  const auto &rows = heatmap.rows, &columns = heatmap.columns;
  std::vector<bool> linked(heatmap.weights.size());
  for (const auto [row, column] : heatmap.links) linked[row * columns.size() + column] = true;
  const std::string title = heatmap.title.empty()
                                ? fmt::format("{} → {}", fmt::join(columns, " "), fmt::join(rows, " "))
                                : heatmap.title;
  std::string html = fmt::format(head, escaped(title));
  html += sentence(heatmap.column_axis, 'i', columns) + sentence(heatmap.row_axis, 't', rows);
  html += heatmap.links.empty() ? "<h2>weights</h2>\n" : "<h2>weights; framed: known links</h2>\n";
  html += "<table lang=\"\">\n<thead><tr><td></td>";
  for (const std::string& word : columns) html += fmt::format("<th dir=\"auto\">{}</th>", escaped(word));
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t t = 0, k = 0; t < rows.size(); ++t) {
    html += fmt::format("<tr><th dir=\"auto\">{}</th>\n", escaped(rows[t]));
    for (std::size_t i = 0; i < columns.size(); ++i, ++k) {
      const Colour colour = weight_colour(heatmap.weights[k]);
      html += fmt::format("<td{} style=\"background:{};color:{}\">{:.2f}</td>\n",
                          linked[k] ? " class=\"link\"" : "", css(colour), css(ink_on(colour)),
                          heatmap.weights[k]);
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n" + script;
}

}  // namespace lookback
