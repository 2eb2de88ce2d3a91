// Alignments as HTML pages: numbers, links, escapes, and nothing from elsewhere.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attention/draw/alignment_page.hpp"
#include "tests/catch.hpp"

using namespace lookback;
using Catch::Matchers::ContainsSubstring;

namespace {

Heatmap small() {
  Heatmap map{{"el", "niño"}, {"the", "child", "."}, {1, 0, 0.25f, 0.5f, 0.755f, 0.125f}};
  map.links = {{0, 0}, {1, 1}};
  return map;
}

int count(const std::string& text, const std::string& piece) {
  int n = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++n;
  return n;
}

// The names of open tags, as a parser would stack them; empty in the end when every tag is closed in its place.
std::vector<std::string> left_open(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const bool closes = html[at + 1] == '/';
    const std::size_t from = at + 1 + closes;
    const std::string name = html.substr(from, html.find_first_of(" >\n", from) - from);
    if (name == "!DOCTYPE" || name == "meta") continue;
    if (!closes)
      open.push_back(name);
    else if (!open.empty() && open.back() == name)
      open.pop_back();
    else
      return {"</" + name + ">"};
    if (!closes && (name == "style" || name == "script"))
      at = html.find("</", at) - 1;  // what is inside is no tag
  }
  return open;
}

}  // namespace

TEST_CASE("a page has each weight as a number on its colour, and marks known links") {
  const std::string page = alignment_page(small());
  CHECK_THAT(page,
             ContainsSubstring("<td class=\"link\" style=\"background:#fde725;color:#141414\">1.00</td>"));
  CHECK_THAT(page, ContainsSubstring("<td style=\"background:#440154;color:#ffffff\">0.00</td>"));
  CHECK(count(page, "<td class=\"link\"") == 2);
  CHECK(count(page, "<td") == 6 + 1);  // and the corner
  for (const char* number : {">0.25<", ">0.50<", ">0.12<"}) CHECK(count(page, number) == 1);
  CHECK(count(page, "framed: known links") == 1);
  Heatmap bare = small();
  bare.links.clear();
  CHECK(count(alignment_page(bare), "known links") == 0);
  CHECK(count(page, "<title>the child . → el niño</title>") == 1);
  bare.title = "step 50";
  CHECK(count(alignment_page(bare), "<title>step 50</title>") == 1);
}

TEST_CASE("each word is in its sentence, with its place in the table, and at the head of its row or column") {
  const std::string page = alignment_page(small());
  CHECK(count(page, "<span tabindex=\"0\" data-t=\"1\">niño<small></small></span>") == 1);
  CHECK(count(page, "<span tabindex=\"0\" data-i=\"0\">the<small></small></span>") == 1);
  CHECK(count(page, "<span ") == 5);
  CHECK(count(page, "<tr><th dir=\"auto\">niño</th>") == 1);
  CHECK(count(page, "<th dir=\"auto\">the</th>") == 1);
}

TEST_CASE("words are text: no character of theirs is markup, and every tag is closed") {
  Heatmap map = small();
  map.rows[0] = "</td><script>&'\"", map.columns[0] = "<b>", map.title = "<i>\"x\" & 'y'";
  map.row_axis = "<u>", map.column_axis = "<s>";
  const std::string page = alignment_page(map);
  CHECK(count(page, "&#60;/td&#62;&#60;script&#62;&#38;'&#34;") == 2);
  CHECK(count(page, "<title>&#60;i&#62;&#34;x&#34; &#38; 'y'</title>") == 1);
  CHECK(count(page, "<script") == 1);
  for (const char* tag : {"<b>", "<i>", "<u>", "<s>"}) CHECK(count(page, tag) == 0);
  CHECK(left_open(page).empty());
  CHECK(left_open("<p><b></p></b>") == std::vector<std::string>{"</p>"});  // the checker sees what is wrong
  CHECK(left_open("<p><b></b>") == std::vector<std::string>{"p"});
}

TEST_CASE("a page needs no other file, and the same heatmap is the same bytes") {
  const std::string page = alignment_page(small());
  for (const char* piece : {"http", "src=", "<link", "@import", "url("}) CHECK(count(page, piece) == 0);
  CHECK(page == alignment_page(small()));
}

TEST_CASE("scripts of the right and with combining signs go through byte for byte") {
  Heatmap map = small();
  map.rows = {"שָׁלוֹם", "नमस्ते"};
  const std::string page = alignment_page(map);
  for (const std::string& word : map.rows) CHECK(count(page, ">" + word + "<") == 2);
}

TEST_CASE("weights that are not finite are named, and what cannot be drawn is refused") {
  Heatmap map = small();
  map.weights[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THAT(alignment_page(map), ContainsSubstring("<td style=\"background:#e15759;color:#"));
  CHECK_THAT(alignment_page(map), ContainsSubstring(">nan</td>"));
  map.weights.pop_back();
  CHECK_THROWS_WITH(alignment_page(map), "heatmap: 2 rows and 3 columns need 6 weights, not 5");
}
