// Chapter 08, live: the model of 20 sentence pairs learns in a worker, and is asked what it sees and says.
"use strict";

live.figure("learn", engine => {
  const { element, drawn, labelled, choice } = live;
  const message = live.messages();
  const three = x => engine.text(x, ".3f"), two = x => engine.text(x, ".2f");
  let score = "additive", seed = 1, pair = 3, losses = [], state = null, worker = null, run_number = 0;

  // --- the loss curve

  const wide = 330, high = 190, left = 26, top = 8, epochs = 300, most = 5;
  const x = epoch => left + epoch / epochs * wide, y = loss => top + high - Math.min(loss, most) / most * high;
  const curve = drawn("path", { class: "live-curve" }), dot = drawn("circle", { class: "live-dot", r: 3.5, hidden: true });
  const guess = drawn("line", { class: "live-guess", x1: x(0), x2: x(epochs) }), guess_name = drawn("text", { class: "live-tick", x: x(epochs), "text-anchor": "end" });
  const ticks = [0, 1, 2, 3, 4, 5].flatMap(loss => [
    drawn("line", { class: loss ? "live-rule" : "live-axis", x1: x(0), x2: x(epochs), y1: y(loss), y2: y(loss) }),
    drawn("text", { class: "live-tick", x: left - 6, y: y(loss) + 4, "text-anchor": "end" }, String(loss))]);
  const epoch_names = [0, 100, 200, 300].map(epoch =>
    drawn("text", { class: "live-tick", x: x(epoch), y: top + high + 16, "text-anchor": epoch ? "middle" : "start" }, String(epoch)));
  const plot = drawn("svg", { class: "live-plot", viewBox: `0 0 ${left + wide + 16} ${top + high + 36}`, role: "img",
    "aria-label": "The loss a target token, over 300 epochs" }, ...ticks, ...epoch_names,
  drawn("text", { class: "live-tick", x: left + wide / 2, y: top + high + 32, "text-anchor": "middle" }, "epoch; up: loss a target token"),
  guess, guess_name, curve, dot);

  function draw_losses() {
    curve.setAttribute("d", losses.map((loss, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(loss).toFixed(1)}`).join(""));
    dot.toggleAttribute("hidden", losses.length === 0);
    if (losses.length === 0) return;
    dot.setAttribute("cx", x(losses.length - 1));
    dot.setAttribute("cy", y(losses.at(-1)));
  }

  // --- what stands beside it

  const run = element("button", { type: "button", class: "live-button", "aria-disabled": "true",
    onclick: () => send({ type: "run", on: !state?.running }) }, "Train");
  const step = element("button", { type: "button", class: "live-button", "aria-disabled": "true",
    onclick: () => send({ type: "step" }) }, "One step");
  const restart = element("button", { type: "button", class: "live-button live-quiet", onclick: () => begin() }, "Restart");
  const scores = choice(engine.scores().map(name => [name, name]), score, event => { score = event.target.value; begin(); });
  const seeds = live.seed_field(message, () => seed, given => { seed = given; begin(); });
  const pairs = choice([], "", event => { pair = Number(event.target.value); send({ type: "look", pair }); });
  const progress = element("p", { class: "live-claim" }, "The engine is starting."), spoken = element("p", { class: "live-hidden", role: "status" });
  const seen = live.heatmap("Where the decoder looks"), own = live.heatmap("Where it looks in your sentence");
  const sentence = element("input", { type: "text", value: "I like my black cat.", maxlength: 200, lang: "en" });
  const said = element("p", { class: "live-said", lang: "es" }), unseen = element("p", { class: "live-small" });

  function no_answer() {
    said.textContent = unseen.textContent = "";
    own.node.hidden = true;
  }
  no_answer();

  // --- the worker. Of a run that has been begun anew an answer may be on its way still: each bears its run's number.

  function send(task) {
    if (!worker) return;   // and why stands in the message
    message.say("");
    worker.postMessage({ run_number, ...task });
  }

  function start() {
    const text = `${lookback_engine}\n(${lookback_learner})(lookback_engine);`;   // from file:// a worker has no other source
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    worker = new Worker(url);
    URL.revokeObjectURL(url);
    worker.onmessage = event => {
      if (event.data.run_number === run_number) answers[event.data.type](event.data);
    };
    worker.onerror = event => {
      event.preventDefault();
      stopped(event);
    };
  }

  function stopped({ message: why }) {
    message.say(`the engine has stopped (${why}); Restart begins anew`);
    progress.textContent = state ? `Stopped after epoch ${state.epoch}.` : "Stopped.";
    worker.terminate();
    ++run_number;   // what it may have sent before is not heard
    worker = state = null;
    run.textContent = "Train";
    for (const button of [run, step]) live.enable(button, false);
  }

  function begin() {
    if (!worker) start();
    ++run_number;
    state = null;
    losses = [];
    draw_losses();
    if (sentence.value.trim() === "") no_answer();
    send({ type: "begin", score, seed, pair, sentence: sentence.value });
  }

  const answers = {
    begun: ({ pairs: all, parameters, words }) => {
      pairs.replaceChildren(...all.map(([source, target], i) => element("option", { value: i, selected: i === pair }, `${source} → ${target}`)));
      guess.setAttribute("y1", y(Math.log(words)));
      guess.setAttribute("y2", y(Math.log(words)));
      guess_name.setAttribute("y", y(Math.log(words)) - 4);
      guess_name.textContent = `guessing costs ln ${words} = ${two(Math.log(words))}`;
      size.textContent = `The model of chapter 08: ${all.length} pairs, ${parameters} parameters, the score ${score}.`;
    },
    state: now => {
      state = now;
      losses.push(...now.losses);
      draw_losses();
      const done = now.epoch === now.epochs;
      run.textContent = now.running ? "Pause" : "Train";
      for (const button of [run, step]) live.enable(button, !done);
      progress.replaceChildren(element("strong", {}, `Epoch ${now.epoch} of ${now.epochs}`),
        losses.length ? `, loss ${three(losses.at(-1))}. ` : ". ", "Translated exactly: ", element("b", { class: "live-exact" }, `${now.exact}/${now.of}`),
        done ? ". Restart begins anew." : now.epoch ? "" : ". Press Train.");
      if (!now.running || now.epoch % 50 === 0) spoken.textContent = progress.textContent;
      seen.draw(now.map, `epoch ${now.epoch}, entropy ${two(now.map.entropy)} of at most ${two(Math.log(now.map.columns.length))}`);
    },
    translated: ({ sentence: text, ended, unseen: unknown, map, source, asked }) => {
      said.textContent = text === "" ? "(it says nothing)" : text + (ended ? "" : " … (it found no end)");
      unseen.textContent = unknown.length ? `In no training sentence, so read as UNK: ${unknown.join(", ")}.` : "";
      own.node.hidden = !map;
      if (map) own.draw(map, `“${source}”: the words it wrote, against yours`);
      if (asked) spoken.replaceChildren(element("span", { lang: "es" }, said.textContent), ` ${unseen.textContent}`);
    },
    refused: ({ message: why }) => {
      message.say(why);
      no_answer();
    },
    error: stopped,
  };

  const size = element("p", { class: "live-small" });
  const figure = element("section", { class: "live-figure", "aria-label": "The model of chapter 08 learns, live" },
    element("div", { class: "live-bar" }, run, step, restart, labelled("Score", scores), labelled("Seed", seeds)),
    progress, spoken, message.line,
    element("div", { class: "live-split" },
      element("div", { class: "live-left" }, plot, size),
      element("div", { class: "live-right" }, labelled("Sentence pair", pairs), seen.node)),
    element("form", { class: "live-bar live-ask", onsubmit: event => {
      event.preventDefault();
      send({ type: "translate", sentence: sentence.value });
    } }, labelled("Your sentence", sentence), element("button", { type: "submit", class: "live-button" }, "Translate")),
    said, unseen, own.node);
  begin();
  return figure;
});
