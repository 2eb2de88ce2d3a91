// Chapter 03, live: one step of attention on states that can be moved. Scores, weights, context, prediction and gradient
// come from the engine.
"use strict";

live.figure("one-step", engine => {
  const { element, labelled, choice, subscript } = live;
  const most = 10;   // a component's size: exp(e) is finite then, whatever the score
  const words = ["casa", "gato", "pan"], W_o = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]];
  const stages = ["Score", "Softmax", "Context", "Predict"];
  const titles = ["Four vectors, and nothing done with them yet", "Step 1 of 4: score every state",
    "Step 2 of 4: softmax turns scores into weights", "Step 3 of 4: the context is their weighted mean",
    "Step 4 of 4: predict the next word"];

  const h = [1, 2, 3].map(i => ({ name: `h${subscript(i)}`, kind: "h", at: [0, 0] }));
  const pad = { name: "h₄", kind: "pad", at: [0.5, -0.5] }, s = { name: "s", kind: "s", at: [0, 0] };
  let score = "dot", seed = 1, padding = "none", stage = 0;
  function as_in_the_note() {
    [[1, 0], [0, 1], [1, 1]].forEach((at, i) => { h[i].at = at; });
    s.at = [0.9, 0.2], pad.at = [0.5, -0.5];
    score = "dot", seed = 1, padding = "none";
  }
  as_in_the_note();

  const text = (x, how) => engine.text(x, how).replace(/^-(?=[0.]+$)/, "");   // no -0.000
  const three = x => text(x, ".3f"), six = x => text(x, ".6f");
  const pair = v => `(${v.map(three).join(", ")})`;
  const sum = values => values.reduce((a, b) => a + b, 0);
  const place = v => `(${v.join(", ")})`;

  // --- what stands in the page

  const message = live.messages();
  const refuse = vector => message.say(`${vector.name}: a component is a number from -${most} to ${most}`);
  const plane = live.plane((vector, at) => {
    vector.at = at.map(x => Math.min(Math.max(x, -most), most));
    show();
    if (at.some(x => Math.abs(x) > most)) refuse(vector);
  });
  const title = element("strong"), claim = element("span"), spoken = element("p", { class: "live-hidden", role: "status" });
  const working = element("div", { class: "live-working" }), numbers = element("tbody"), foot = element("tfoot");
  const predicted = element("tbody"), leak = element("p", { class: "live-leak" }), parameters = element("p", { class: "live-small" });
  const buttons = stages.map((name, i) => element("button", { type: "button", class: "live-button",
    onclick: () => { stage = i + 1; show(); } }, name));
  const back = element("button", { type: "button", class: "live-button live-quiet",
    onclick: () => { stage = Math.max(stage - 1, 0); show(); } }, "Back");
  const reset = element("button", { type: "button", class: "live-button live-quiet",
    onclick: () => { as_in_the_note(); show(); } }, "The note's values");
  const scores = choice(engine.scores().map(name => [name, name]), score, event => { score = event.target.value; show(); });
  const seeds = live.seed_field(message, () => seed, given => { seed = given; show(); });
  const paddings = choice([["none", "none"], ["open", "let in"], ["zeroed", "zeroed, let in"], ["masked", "masked"]], padding,
    event => { padding = event.target.value; show(); });

  // A row of the table stays, so that an input keeps its focus; its numbers change.
  function row(vector) {
    const inputs = ["first", "second"].map((name, k) => element("input", { type: "number", step: 0.05, min: -most, max: most,
      "aria-label": `${vector.name}, ${name} component`, onchange: event => {
        const value = event.target.valueAsNumber;
        if (!(Math.abs(value) <= most)) {
          refuse(vector);
          event.target.value = vector.at[k];
          return;
        }
        vector.at = vector.at.map((old, j) => j === k ? value : old);
        show();
      } }));
    const cells = [0, 1, 2].map(() => element("td"));
    const name = element("th", { scope: "row", class: `live-${vector.kind}` }, vector.name);
    const line = element("tr", {}, name, element("td", {}, ...inputs), ...cells);
    return { vector, line, inputs, cells };
  }
  const rows = [...h, pad].map(row), asking = row(s);
  const totals = [0, 1].map(() => element("td"));
  numbers.append(asking.line, ...rows.map(r => r.line));
  foot.append(element("tr", {}, element("th", { scope: "row" }, "sum"), element("td"), element("td"), ...totals));
  const head = (...names) => element("thead", {}, element("tr", {}, ...names.map(name => element("th", { scope: "col" }, name))));
  const prediction = element("table", { class: "live-table" }, head("y", "row of Wₒ", "logit", "P(y)"), predicted);

  const bar = (value, kind) => element("span", { class: `live-measure live-${kind}`, "aria-hidden": "true",
    style: `width: ${Math.min(Math.max(value, 0), 1) * 1.5}em` });
  const weight = (value, kind) => [element("span", {}, three(value)), bar(value, kind)];

  // --- a step

  // PAD is the fourth of four places: of their length, three, it is no part when it is masked.
  function ask(padding) {
    if (pad.at.concat(...h.map(v => v.at), s.at).some(x => !Number.isFinite(x))) throw new Error("a component is not a number");
    const states = padding === "none" ? h : [...h, padding === "zeroed" ? { ...pad, at: [0, 0] } : pad];
    return engine.oneStep({ score, seed, h: states.map(v => v.at), s: s.at, W_o,
      length: padding === "masked" || padding === "none" ? 3 : 4 });
  }

  function claims(step) {
    const best = values => values.indexOf(Math.max(...values));
    const mixed = padding === "open" || padding === "zeroed" ? 4 : 3, e = best(step.e.slice(0, mixed)), a = best(step.alpha);
    return ["Press Score. The tips can be dragged at any time.",
      `${score}(s, h${subscript(e + 1)}) = ${three(step.e[e])} is the highest score.`,
      `The weights sum to 1, and h${subscript(a + 1)} takes the most: ${three(step.alpha[a])}.`,
      `c, the mean of the states weighted by α, lies inside their ${mixed === 4 ? "hull" : "triangle"}.`,
      `State and context together choose the word: “${words[best(step.p)]}”, with ${three(Math.max(...step.p))}.`][stage];
  }

  // The arithmetic of this stage, a line each.
  function workings(step, states) {
    const i = n => subscript(n + 1), by_hand = n => `${s.at[0]}·${states[n].at[0]} + ${s.at[1]}·${states[n].at[1]} = `;
    const each = states.map((_, n) => n), total = sum(each.map(n => exp(step, n)));
    const entropy = -sum(step.alpha.map(a => a > 0 ? a * Math.log(a) : 0)), kept = padding === "masked" ? 3 : states.length;
    if (stage === 1) return each.map(n => `e${i(n)} = ${score === "dot" ? `s · h${i(n)} = ` + by_hand(n) : `${score}(s, h${i(n)}) = `}${three(step.e[n])}`
      + (masked(n) ? " before the mask, −∞ after it" : ""));
    if (stage === 2) return [...each.map(n => `α${i(n)} = exp(e${i(n)}) / Σ exp(e) = ${four(exp(step, n))} / ${four(total)} = ${three(step.alpha[n])}`),
      `entropy of α: ${six(entropy)}, at most ln ${kept} = ${six(Math.log(kept))}`];
    if (stage === 3) return [`c = ${each.map(n => `${three(step.alpha[n])}·${place(states[n].at)}`).join(" + ")} = ${pair(step.c)}`,
      `∂c/∂s by the tape: (${step.dc_ds[0].map(six).join(", ")}), (${step.dc_ds[1].map(six).join(", ")})`];
    if (stage === 4) return [`[s; c] = (${s.at.join(", ")}, ${step.c.map(three).join(", ")})`];
    return [];
  }
  const four = x => text(x, "#.4g");
  const masked = n => padding === "masked" && n === 3;
  const exp = (step, n) => masked(n) ? 0 : Math.exp(step.e[n]);

  function fill_rows(step, states) {
    for (const { vector, inputs } of [asking, ...rows])
      inputs.forEach((input, k) => {
        if (document.activeElement !== input || Number(input.value) !== vector.at[k]) input.value = vector.at[k];
      });
    rows[3].line.hidden = padding === "none";
    rows[3].inputs.forEach((input, k) => {
      input.disabled = padding === "zeroed";
      if (padding === "zeroed") input.value = 0;
    });
    rows.forEach(({ vector, cells }, n) => {
      if (n >= states.length) return;
      cells[0].replaceChildren(stage < 1 ? "" : masked(n) ? "−∞" : three(step.e[n]));
      cells[1].replaceChildren(stage < 2 ? "" : four(exp(step, n)));
      cells[2].replaceChildren(...(stage < 2 ? [] : weight(step.alpha[n], vector.kind)));
    });
    totals[0].textContent = stage < 2 ? "" : four(sum(states.map((_, n) => exp(step, n))));
    totals[1].textContent = stage < 2 ? "" : three(sum(step.alpha));
    prediction.hidden = stage < 4;
    predicted.replaceChildren(...words.map((word, k) => element("tr", {}, element("th", { scope: "row" }, word),
      element("td", {}, place(W_o[k])), element("td", {}, six(step.logits[k])),
      element("td", {}, element("span", {}, six(step.p[k])), bar(step.p[k], "ink")))));
  }

  function fill_leak(step, alone) {
    leak.hidden = stage < 2 || padding === "none";
    if (leak.hidden) return;
    const moved = `The context is ${pair(step.c)}; without the padding it would be ${pair(alone.c)}.`;
    leak.classList.toggle("live-leaks", padding !== "masked");
    leak.textContent = padding === "masked"
      ? "The mask makes the score of h₄, which is padding, count as minus infinity: its weight is 0, and every number is as if it were not there."
      : `h₄, which is padding, takes ${three(step.alpha[3])} of the weight. ${stage >= 3 ? moved : ""}`;
  }

  let soon;
  function show() {
    const step = message.attempt(() => ask(padding));
    if (!step) return;
    const alone = padding === "none" ? step : ask("masked");
    const zeroed = { ...pad, at: [0, 0], fixed: true };
    const states = [...h, ...(padding === "none" ? [] : [padding === "zeroed" ? zeroed : pad])];
    states.forEach((v, n) => {
      v.masked = masked(n);
      v.label = v.name + (stage === 1 ? ` ${masked(n) ? "−∞" : three(step.e[n])}` : stage === 2 ? ` ${three(step.alpha[n])}` : "");
    });
    s.label = "s";
    plane.draw({ vectors: [...states, s], weights: stage >= 2 ? step.alpha : null, c: stage >= 3 ? step.c : null,
      whole: padding === "open" || padding === "zeroed" ? alone.c : null });
    title.textContent = `${titles[stage]}.`;
    claim.textContent = ` ${claims(step)}`;
    working.replaceChildren(...workings(step, states).map(line => element("p", {}, line)));
    fill_rows(step, states);
    fill_leak(step, alone);
    scores.value = score, seeds.value = seed, paddings.value = padding;
    seeds.disabled = step.parameters.length === 0;
    parameters.textContent = step.parameters.length === 0 ? `The score ${score} has no parameters.`
      : step.parameters.map(p => `${p.name} ${p.shape} = ${pair(p.values)}`).join(", ") + ". Nobody has trained them; a seed drew them.";
    buttons.forEach((button, i) => live.fill(button, { "aria-pressed": String(stage > i), "aria-current": stage === i + 1 && "step" }, []));
    live.enable(back, stage > 0);
    clearTimeout(soon);   // read aloud when things have come to rest
    soon = setTimeout(() => { spoken.textContent = title.textContent + claim.textContent; }, 500);
  }

  const figure = element("section", { class: "live-figure", "aria-label": "One step of attention, live" },
    element("div", { class: "live-bar" }, ...buttons, back),
    element("p", { class: "live-claim" }, title, claim), spoken, message.line,
    element("div", { class: "live-split" },
      element("div", { class: "live-left" }, plane.svg,
        element("p", { class: "live-small" }, "Drag the tips, or press the arrow keys on one (with Shift in smaller steps), or type numbers.")),
      element("div", { class: "live-right" },
        element("div", { class: "live-scroll" }, element("table", { class: "live-table" }, head("", "state", "e", "exp(e)", "α"), numbers, foot)),
        leak, working, element("div", { class: "live-scroll" }, prediction))),
    element("div", { class: "live-bar" }, labelled("Score", scores), labelled("Seed", seeds), labelled("A padded state, h₄", paddings), reset),
    parameters);
  show();
  return figure;
});
