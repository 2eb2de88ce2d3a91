// An alignment as a table: source words across, target words down, one cell a weight.
"use strict";

live.heatmap = function (label) {
  const { element, viridis } = live;
  const head = element("tr"), body = element("tbody"), caption = element("caption");
  const table = element("table", { class: "live-heat", "aria-label": label }, caption, element("thead", {}, head), body);
  let words = "", cells = [];

  function lay_out({ rows, columns }) {
    head.replaceChildren(element("td"), ...columns.map(word => element("th", { scope: "col" }, element("span", { title: word }, word))));
    cells = [];
    body.replaceChildren(...rows.map(word => {
      const line = columns.map(() => element("td"));
      cells.push(...line);
      return element("tr", {}, element("th", { scope: "row" }, word), ...line);
    }));
  }

  // {rows, columns, weights, entropy}, as the engine gives them.
  function draw(map, title) {
    const now = JSON.stringify([map.rows, map.columns]);
    if (now !== words) lay_out(map);
    words = now;
    caption.textContent = title;
    map.weights.forEach((weight, i) => {
      const { paper, ink } = viridis(weight);
      cells[i].style.background = paper;
      cells[i].style.color = ink;
      cells[i].textContent = weight.toFixed(2).replace(/^0/, "");
    });
  }

  return { node: element("div", { class: "live-scroll" }, table), draw };
};
