// The plane of one step: states as arrows whose tips can be moved, weights as discs, the context between them.
"use strict";

// move(vector, [x, y]) is called as a tip is dragged or its arrow keys are pressed. The vectors drawn are objects
// {name, at, kind: "h" | "s" | "pad", label}, the same ones at every draw.
live.plane = function (move) {
  const { drawn, fill } = live;
  const side = 360, left = 34, top = 8, font = 15;
  const back = drawn("g"), front = drawn("g"), handles = drawn("g");
  const svg = drawn("svg", { class: "live-plane", viewBox: `0 0 ${left + side + 8} ${top + side + 34}`, role: "group",
    "aria-label": "The plane of the states, by their first and second component" }, back, front, handles);
  const tips = new Map();   // of each vector its handle
  let low = [-1, -1], span = 2.5, held = null;

  const x = v => left + (v[0] - low[0]) / span * side;
  const y = v => top + side - (v[1] - low[1]) / span * side;
  const inside = v => v.map((value, k) => Math.min(Math.max(value, low[k]), low[k] + span));
  const rounded = v => v.map(value => Math.round(value * 100) / 100);

  // One scale for both components, with -1 to 1.5 and every vector inside.
  function fit(vectors) {
    const least = k => Math.min(-1, ...vectors.map(v => v.at[k])), most = k => Math.max(1.5, ...vectors.map(v => v.at[k]));
    span = Math.max(most(0) - least(0), most(1) - least(1));
    if (span > 2.5) span *= 1.2;
    low = [0, 1].map(k => (least(k) + most(k) - span) / 2);
  }

  function at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [low[0] + (point.x - left) / side * span, low[1] + (top + side - point.y) / side * span];
  }

  function handle(vector) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
    return drawn("circle", { class: "live-tip", r: 17, tabindex: 0, role: "button", "aria-roledescription": "movable tip",
      ontouchstart: event => event.preventDefault(),   // or it scrolls the page; touch-action means nothing on a circle
      onpointerdown: event => {
        held = vector;
        event.target.setPointerCapture(event.pointerId);
        event.target.focus();
        event.preventDefault();
      },
      onpointermove: event => {
        if (held === vector) move(vector, rounded(inside(at(event))));
      },
      onpointerup: () => { held = null; move(vector, vector.at); },
      onpointercancel: () => { held = null; },
      onkeydown: event => {
        const direction = arrows[event.key], size = event.shiftKey ? 0.01 : 0.05;
        if (!direction) return;
        event.preventDefault();
        move(vector, rounded(vector.at.map((value, k) => value + size * direction[k])));
      } });
  }

  function axes() {
    const rough = span / 5, power = 10 ** Math.floor(Math.log10(rough)), ratio = rough / power;
    const step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
    for (const k of [0, 1])
      for (let i = Math.ceil(low[k] / step - 1e-9); i * step <= low[k] + span + 1e-9; ++i) {
        const v = [i * step, i * step], name = String(Number((i * step).toPrecision(6)));
        const line = k === 0 ? { x1: x(v), x2: x(v), y1: top, y2: top + side } : { x1: left, x2: left + side, y1: y(v), y2: y(v) };
        back.append(drawn("line", { class: i ? "live-rule" : "live-axis", ...line }),
          drawn("text", k === 0 ? { class: "live-tick", x: x(v), y: top + side + 16, "text-anchor": "middle" }
            : { class: "live-tick", x: left - 5, y: y(v) + 4, "text-anchor": "end" }, name));
      }
    back.append(drawn("text", { class: "live-tick", x: left + side / 2, y: top + side + 31, "text-anchor": "middle" },
      "first component across, second up"));
  }

  // The points on the outside, in order (gift wrapping).
  function hull(points) {
    const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    const start = points.reduce((a, b) => b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a), found = [];
    for (let p = start; found.length <= points.length;) {
      found.push(p);
      let next = points.find(q => q[0] !== p[0] || q[1] !== p[1]) ?? p;
      for (const q of points) if (turn(p, next, q) < 0) next = q;
      p = next;
      if (p[0] === start[0] && p[1] === start[1]) break;
    }
    return found;
  }

  // A name beside a tip, away from the origin, or turned aside to where nothing stands.
  function put_name(taken, text, v, kind) {
    const wide = text.length * font * 0.52, away = Math.atan2(v[1], v[0]);
    let plate;
    for (const turn of [0, 0.8, -0.8, 1.6, -1.6, 2.4, -2.4, 3.1]) {
      const d = [Math.cos(away + turn), Math.sin(away + turn)], reach = Math.max(Math.abs(d[0]), Math.abs(d[1]));
      plate = { x: x(v) + d[0] / reach * (wide / 2 + 12), y: y(v) - d[1] / reach * 18, wide };
      const fits = plate.x - wide / 2 > left && plate.x + wide / 2 < left + side && plate.y > top + 8 && plate.y < top + side - 8;
      const free = taken.every(p => Math.abs(p.x - plate.x) >= (p.wide + wide) / 2 || Math.abs(p.y - plate.y) >= font);
      if (fits && free) break;
    }
    taken.push(plate);
    front.append(drawn("text", { class: `live-name live-${kind}`, x: plate.x, y: plate.y + 5, "text-anchor": "middle" }, text));
  }

  function arrow(v, kind) {
    const from = [x([0, 0]), y([0, 0])], to = [x(v), y(v)], d = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(...d), size = Math.min(10, length / 2);
    if (length < 1) return drawn("circle", { class: `live-arrow live-${kind}`, cx: to[0], cy: to[1], r: 3 });
    const u = [d[0] / length, d[1] / length], neck = [to[0] - u[0] * size, to[1] - u[1] * size];
    const wing = side => `${neck[0] - side * u[1] * size * 0.4} ${neck[1] + side * u[0] * size * 0.4}`;
    return drawn("path", { class: `live-arrow live-${kind}`, d: `M${from}L${neck}M${to}L${wing(1)}L${wing(-1)}Z` });
  }

  // c, whole and weights only as far as the step has come; whole is the context without the padding, where it differs.
  function draw({ vectors, weights, c, whole }) {
    if (!held) fit(vectors);   // c lies among them
    back.replaceChildren();
    front.replaceChildren();
    axes();
    const states = vectors.filter(v => v.kind !== "s"), mixed = states.filter(v => !v.masked);
    back.append(drawn("polygon", { class: "live-hull", points: hull(mixed.map(v => v.at)).map(v => `${x(v)},${y(v)}`).join(" ") }));
    states.forEach((v, i) => {
      if (!weights) return;
      back.append(drawn("circle", { class: `live-disc live-${v.kind}`, cx: x(v.at), cy: y(v.at), r: 30 * Math.sqrt(weights[i]) }));
      if (c) back.append(drawn("line", { class: "live-pull", x1: x(v.at), y1: y(v.at), x2: x(c), y2: y(c), "stroke-width": 10 * weights[i] }));
    });
    for (const v of vectors) front.append(arrow(v.at, v.masked ? "masked" : v.kind));
    const taken = vectors.map(v => ({ x: x(v.at), y: y(v.at), wide: 10 }));
    if (c) {
      if (whole) {
        front.append(drawn("circle", { class: "live-whole", cx: x(whole), cy: y(whole), r: 6 }),
          drawn("path", { class: "live-shift", d: `M${x(whole)} ${y(whole)}L${x(c)} ${y(c)}` }));
        taken.push({ x: x(whole), y: y(whole), wide: 10 });
      }
      front.append(drawn("circle", { class: "live-context", cx: x(c), cy: y(c), r: 6 }));
      taken.push({ x: x(c), y: y(c), wide: 10 });
    }
    for (const v of vectors) put_name(taken, v.label, v.at, v.masked ? "masked" : v.kind);
    if (c) put_name(taken, "c", c, "c");
    for (const [vector, tip] of tips)
      if (!vectors.includes(vector)) tip.remove(), tips.delete(vector);
    for (const vector of vectors.filter(v => !v.fixed)) {
      if (!tips.has(vector)) tips.set(vector, handles.appendChild(handle(vector)));
      fill(tips.get(vector), { cx: x(vector.at), cy: y(vector.at), "data-name": vector.name,
        "aria-label": `${vector.name} at (${vector.at.join(", ")}); arrow keys move it` }, []);
    }
  }

  return { svg, draw };
};
