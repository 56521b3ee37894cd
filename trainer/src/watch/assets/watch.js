// The page of training runs: asks for the runs every two seconds while it is visible, and draws what has changed.

import { Chart } from "./chart.js";
import { at, facts, make, row } from "./elements.js";
import { listsOf } from "./mistakes.js";
import { digits, duration } from "./notation.js";

const INTERVAL = 2000;
/** Seconds without a line in the record after which a run may have been killed. */
const SILENCE = 60;

let [timer, isAsking, answer] = [null, false, null];

async function update() {
  clearTimeout(timer);
  if (document.hidden || isAsking) return;
  isAsking = true;
  const state = (connection, problem) => {
    at("connection").textContent = connection;
    Object.assign(at("problem"), { textContent: problem, hidden: !problem });
  };
  try {
    const response = await fetch("/api/runs");
    const received = await response.json();
    if (!response.ok) throw new Error(received.error);
    answer = received;
    show(answer);
    state("", "");
  } catch (error) {
    const isGone = error instanceof TypeError;
    if (!isGone) state("", error.message);
    else if (answer?.runs.every(({ state: how }) => how === "ended")) state("finished", "");
    else {
      state("not connected", "The trainer has ended or does not answer. This is the last state; trainer watch shows it again.");
      if (answer) show({ ...answer, runs: answer.runs.map((run) => (run.state === "running" ? { ...run, state: "lost", note: "not connected", seconds_left: null } : run)) });
    }
  } finally {
    isAsking = false;
    timer = setTimeout(update, INTERVAL);
  }
}

function show({ runs, charts: curves }) {
  at("runs").replaceChildren(...runs.map((run, index) => summary(run, index, runs.length)));
  const running = runs.filter((run) => run.state === "running");
  const share = runs.length === 1 && running.length === 1 ? `${Math.floor((100 * runs[0].trained) / runs[0].epochs)} % · ` : "";
  document.title = `${share || (running.length ? "" : "Finished · ")}Training · Alfiere`;
  const axis = at("axes").value;
  showCharts(at("charts"), curves, { label: axis === "epochs" ? "epoch" : axis, isLogarithmic: at("logarithmic").checked, place: (epoch, { run }) => PLACES[axis](epoch, runs[run]) });
  showOptions(runs.filter(({ options }) => options));
  runs.forEach((run, index) => showDetails(run, index, runs.length));
}

/** Where an epoch is on the horizontal axis; null before that is known. */
const PLACES = {
  epochs: (epoch) => epoch,
  steps: (epoch, { steps_per_epoch: steps }) => epoch * steps,
  /** Between two epochs, time is even. */
  minutes: (epoch, { seconds }) => {
    const whole = Math.min(Math.floor(epoch), seconds.length - 1);
    const next = seconds[whole + 1] ?? 2 * seconds[whole] - (seconds[whole - 1] ?? 0);
    return seconds.length < 2 ? null : (seconds[whole] + (epoch - whole) * (next - seconds[whole])) / 60;
  },
};

function showOptions(runs) {
  const flat = (value, name) => (value && typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, part]) => flat(part, name ? `${name}.${key}` : key)) : [[name, JSON.stringify(value)]]);
  const options = runs.map((run) => new Map(flat(run.options, "")));
  const names = [...new Set(options.flatMap((map) => [...map.keys()]))].filter((name) => options.some((map) => map.get(name) !== options[0].get(name)));
  at("differences").hidden = names.length === 0;
  at("differences").querySelector("table").replaceChildren(row(["Option", ...runs.map(({ name }) => name)], "th"),
    ...names.map((name) => row([name, ...options.map((map) => map.get(name)?.replaceAll('"', "") ?? "–")])));
}

function summary(run, index, count) {
  const { last, best, measured, phases, play } = run;
  const head = make("div", "run-head", "", {}, count > 1 && make("span", `swatch swatch-${index}`), make("b", "", run.name),
    make("span", "note", [run.architecture, stateOf(run)].filter(Boolean).join(" · ")));
  if (run.state === "waiting") return make("article", "run", "", {}, head);
  const whole = (value) => value.toLocaleString("en", { maximumFractionDigits: 0 });
  const inner = run.inner_rows ? `${whole(run.inner_rows)} inner, ` : "";
  const { low, high, units } = measured?.interval ?? {};
  const list = facts([
    measured && ["R² of the network", digits(measured.r2, 3), units && `${digits(low, 3)} to ${digits(high, 3)} (95 %, ${whole(units)} ${measured.unit})`],
    ["Epochs", `${Number(run.trained.toFixed(1))} of ${run.epochs}`],
    run.training_loss !== null && ["Training loss", run.training_loss.toFixed(5)],
    ...(last ? [
      [`${run.inner_rows ? "Inner" : "Validation"} loss`, last.loss.toFixed(5), `epoch ${last.epoch}`],
      ["R²", digits(last.r2, 4), best && best.epoch !== last.epoch && `best: ${digits(best.r2, 4)}, epoch ${best.epoch}`],
      ["RMSE", `${last.rmse.toFixed(1)} cp`, `constant ${last.constant_rmse.toFixed(1)} cp`], ["MAE", `${last.mae.toFixed(1)} cp`],
    ] : []),
    run.learning_rate !== null && ["Learning rate", run.learning_rate.toExponential(2)],
    run.positions_per_second !== null && ["Rows per second", whole(run.positions_per_second)],
    run.seconds_left !== null && ["Time left", duration(run.seconds_left)],
    phases.length > 1 && ["Phases", phases.map(({ lesson, epochs }, phase) => `${phase === run.phase ? "▸ " : ""}${lesson}: ${epochs}`).join(", "), "epochs of each"],
    ["Rows", whole(run.rows), `${inner}${whole(run.validation_rows)} held out`],
  ].filter(Boolean));
  return make("article", "run", "", {}, head, make("progress", "", "", { max: run.epochs, value: run.trained, "aria-label": `${run.name}: epochs trained` }),
    make("dl", "facts", "", {}, ...list), Boolean(play) && make("p", "note", "Play against it: ", {}, make("code", "", play)));
}

function stateOf(run) {
  if (run.state !== "running") return run.note;
  return run.age > SILENCE ? `no news for ${duration(run.age)}: killed, or busy` : "running";
}

const shown = new WeakMap();

/** Shows charts in a container; those that are there are drawn again. */
function showCharts(container, data, axis) {
  const drawn = shown.get(container) ?? shown.set(container, []).get(container);
  while (drawn.length > data.length) drawn.pop().element.remove();
  while (drawn.length < data.length) {
    drawn.push(new Chart());
    container.append(drawn.at(-1).element);
  }
  data.forEach((chart, index) => drawn[index].show(chart, axis));
}

/** Weights and largest errors of a run, in a part of the page that can be closed. */
function showDetails(run, index, count) {
  let part = at("details").children[index];
  if (!part) {
    part = make("details", "card", "", {}, make("summary"), make("div", "charts"), make("div"));
    part.open = count === 1;
    part.addEventListener("toggle", update);
    at("details").append(part);
  }
  const [title, weights, errors] = part.children;
  part.hidden = !run.layers?.length;
  const limits = (run.layers ?? []).map((layer) => `${layer.name} ${(100 * layer.at_limit).toFixed(2)} %`).join(", ");
  title.textContent = `${count > 1 ? `${run.name}. ` : ""}Weights at the limit: ${limits}. Positions with the largest errors`;
  if (!part.open || part.hidden) return;
  showCharts(weights, run.layers.map((layer) => ({
    title: `Weights: ${layer.name}, ${layer.inputs} × ${layer.outputs}`, bars: true,
    curves: [{ name: "weights", color: index, points: layer.counts.map((count, bar) => [layer.range * ((2 * bar + 1) / layer.counts.length - 1), count]) }],
  })), { label: "weight" });
  const key = JSON.stringify([run.mistakes, run.network]);
  if (errors.dataset.key === key) return;
  errors.dataset.key = key;
  // The analysis compares the engine's network with this one, once it is written.
  const compare = run.network ? `&compare=../${encodeURIComponent(run.network)}` : "";
  const lists = listsOf(run.mistakes, (fen) => `./board/analysis#fen=${fen.replaceAll(" ", "_")}${compare}`);
  errors.replaceChildren(...(lists.length ? [make("h2", "", `Largest errors on ${run.inner_rows ? "inner" : "validation"} rows`)] : []), ...lists);
}

document.addEventListener("visibilitychange", update);
for (const id of ["axes", "logarithmic"]) at(id).addEventListener("change", () => { if (answer) show(answer); });
update();
