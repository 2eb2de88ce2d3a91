// What the live figures share: the engine, their place in the page, elements, colours.
"use strict";

const live = (() => {
  // Attributes that begin with "on" are listeners; one that is null or false is left out, true is there without a value.
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value === null || value === false) node.removeAttribute(name);
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children);
    return node;
  }
  const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
  const drawn = (name, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

  // A control and the label that names it.
  let fields = 0;
  function labelled(text, control) {
    control.id = `live-field-${++fields}`;
    return element("span", { class: "live-field" }, element("label", { for: control.id }, text), control);
  }
  const choice = (names, chosen, onchange) => element("select", { onchange },
    ...names.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));

  // A button that has the focus would lose it if it were disabled; its listener finds nothing to do.
  const enable = (button, on) => button.setAttribute("aria-disabled", String(!on));

  // take(seed) is called with a seed that is typed; what is none is refused in `message`, and now(), the one in use, stays.
  function seed_field(message, now, take) {
    const field = element("input", { type: "number", min: 0, max: 999999, step: 1, required: true, value: now(), onchange: () => {
      if (field.checkValidity()) return take(field.valueAsNumber);
      message.say("a seed is a whole number from 0 to 999999");
      field.value = now();
    } });
    return field;
  }

  // The engine in this page, started once. What a function of the engine throws is thrown here.
  let started;
  function engine() {
    started ??= lookback_engine()().then(module => {
      const checked = name => (...given) => {
        const result = module[name](...given);
        if (result && result.error !== undefined) throw new Error(result.error);
        return result;
      };
      return Object.fromEntries(["scores", "text", "oneStep"].map(name => [name, checked(name)]));
    });
    return started;
  }

  // Puts what `build` makes in the place of the picture that stands for it. If that fails the picture stays, with the reason.
  async function figure(name, build) {
    const place = document.querySelector(`[data-live="${name}"]`);
    if (!place) return;
    const waiting = element("p", { class: "live-message", role: "status" }, "The live figure is loading.");
    place.append(waiting);
    try {
      const built = await build(await engine());
      place.replaceChildren(built);
      place.dataset.state = "live";
    } catch (error) {
      waiting.textContent = `The live figure cannot run in this browser, so here is its picture. (${error.message ?? error})`;
      place.dataset.state = "failed";
    }
  }

  // A line for what went wrong, and what runs a function so that it says so there.
  function messages() {
    const line = element("p", { class: "live-message live-error", role: "alert", hidden: true });
    const say = text => {
      line.textContent = text;
      line.hidden = text === "";
    };
    const attempt = task => {
      try {
        const result = task();
        say("");
        return result;
      } catch (error) {
        say(error.message ?? String(error));
        return undefined;
      }
    };
    return { line, say, attempt };
  }

  // The colours of attention/draw/colour.cpp.
  const anchors = [[68, 1, 84], [72, 36, 117], [65, 68, 135], [53, 95, 141], [42, 120, 142], [33, 145, 140], [34, 168, 132],
    [68, 191, 112], [122, 209, 81], [189, 223, 38], [253, 231, 37]];
  function viridis(t) {
    const at = Math.min(Math.max(t, 0), 1) * 10, i = Math.min(Math.floor(at), 9);
    const rgb = anchors[i].map((a, k) => Math.round(a + (at - i) * (anchors[i + 1][k] - a)));
    const light = (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]) / 255;
    return { paper: `rgb(${rgb})`, ink: light > 0.45 ? "#141414" : "#fff" };
  }

  const subscript = n => String(n).replace(/\d/g, digit => "₀₁₂₃₄₅₆₇₈₉"[digit]);

  return { element, drawn, fill, labelled, choice, enable, seed_field, engine, figure, messages, viridis, subscript };
})();
