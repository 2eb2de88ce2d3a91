// The formulas that pymdownx.arithmatex has wrapped as \(..\) and \[..\].
"use strict";

for (const place of document.querySelectorAll(".arithmatex")) {
  katex.render(place.textContent.trim().slice(2, -2), place, { displayMode: place.tagName === "DIV", throwOnError: false });
  const after = place.nextSibling, mark = after?.nodeType === Node.TEXT_NODE && after.data.match(/^[,.;:?!)]+/);
  if (!mark) continue;
  place.querySelector(".katex-html > .base:last-child")?.append(mark[0]);   // a comma stays on the line of its formula
  after.deleteData(0, mark[0].length);
}
