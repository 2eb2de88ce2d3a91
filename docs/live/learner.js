// What the worker of "watch it learn" runs: chapter 08's model, trained in turns so that messages get in between. Only the
// text of this function reaches the worker.
"use strict";

function lookback_learner(load_engine) {
  const epochs = 300, turn = 40;   // as ./run 08; milliseconds
  let engine, run_number = 0, running = false, epoch = 0, pair = 0, sentence = "", right = {}, next = 0;
  const tell = (type, answer) => self.postMessage({ type, run_number, ...answer });

  function ask(name, ...given) {
    const result = engine[name](...given);
    if (result && result.error !== undefined) throw new Error(result.error);
    return result;
  }

  // Everything that the page shows; the losses are those since the last report.
  function report(losses) {
    if (!running || epoch % 10 === 0) right = ask("exact");
    tell("state", { epoch, epochs, losses, exact: right.exact, of: right.of, running, map: ask("look", pair) });
    if (sentence.trim() !== "") translate(false);
  }

  // A sentence that is refused is not asked for again; training goes on.
  function translate(asked) {
    try {
      tell("translated", { ...ask("translate", sentence), source: sentence, asked });
    } catch (error) {
      sentence = "";
      tell("refused", { message: error.message });
    }
  }

  function train(milliseconds) {
    const losses = [], until = performance.now() + milliseconds;
    do {
      losses.push(ask("step"));
      ++epoch;
    } while (epoch < epochs && epoch % 10 !== 0 && performance.now() < until);
    if (epoch === epochs) running = false;
    report(losses);
  }

  function go_on() {
    clearTimeout(next);
    if (!running) return;
    attempt(() => train(turn));
    next = setTimeout(go_on, 0);
  }

  const tasks = {
    begin: ({ score, seed, ...asked }) => {
      running = false, epoch = 0;
      pair = asked.pair, sentence = asked.sentence;
      tell("begun", ask("begin", score, seed));
      report([]);
    },
    run: ({ on }) => {
      running = on && epoch < epochs;
      if (!running) report([]);
      go_on();
    },
    step: () => {
      running = false;
      if (epoch < epochs) train(0);
    },
    look: asked => {
      pair = asked.pair;
      if (!running) report([]);
    },
    translate: asked => {
      sentence = asked.sentence;
      translate(true);
    },
  };

  // What goes wrong is told; training does not go on from there.
  function attempt(task) {
    try {
      task();
    } catch (error) {
      running = false;
      tell("error", { message: error.message ?? String(error) });
    }
  }

  const started = load_engine()().then(module => () => { engine = module; }, error => () => { throw error; });
  self.onmessage = ({ data }) => started.then(ready => attempt(() => {
    run_number = data.run_number;
    ready();
    tasks[data.type](data);
  }));
}
