// The page of training runs: asks for the runs every two seconds while it is visible, and draws what has changed.

import { Chart } from "./chart.js";
import { make } from "./elements.js";
import { listOf } from "./mistakes.js";

const INTERVAL = 2000;
/** Seconds without a line in the record after which a run may have been killed. */
const SILENCE = 60;

const [problem, connection, list, charts, details] =
  ["problem", "connection", "runs", "charts", "details"].map((id) => document.getElementById(id));
const [axes, logarithmic, differences] = ["axes", "logarithmic", "differences"].map((id) => document.getElementById(id));
let timer = null;
let isAsking = false;
/** The latest answer. */
let answer = null;

async function update() {
  clearTimeout(timer);
  if (document.hidden || isAsking) return;
  isAsking = true;
  try {
    const response = await fetch("/api/runs");
    const received = await response.json();
    if (!response.ok) throw new Error(received.error);
    answer = received;
    show(answer);
    connection.textContent = "";
    problem.hidden = true;
  } catch (error) {
    const isGone = error instanceof TypeError;
    const isOver = isGone && answer?.runs.every(({ state }) => state === "ended");
    problem.textContent = isGone ? "The trainer has ended or does not answer. This is the last state; trainer watch shows it again." : error.message;
    problem.hidden = isOver;
    connection.textContent = isOver ? "finished" : isGone ? "not connected" : "";
    if (isGone && answer && !isOver) show({ ...answer, runs: answer.runs.map(lost) });
  } finally {
    isAsking = false;
    timer = setTimeout(update, INTERVAL);
  }
}

/** A run of which nothing more is known. */
const lost = (run) => (run.state === "running" ? { ...run, state: "lost", note: "not connected", seconds_left: null } : run);

function show({ runs, charts: curves }) {
  list.replaceChildren(...runs.map((run, index) => summary(run, index, runs.length)));
  const running = runs.filter((run) => run.state === "running");
  const share = runs.length === 1 && running.length === 1 ? `${Math.floor((100 * runs[0].trained) / runs[0].epochs)} % · ` : "";
  document.title = `${share || (running.length ? "" : "Finished · ")}Training · Alfiere`;
  const axis = { label: axes.value === "epochs" ? "epoch" : axes.value, isLogarithmic: logarithmic.checked, place: (epoch, { run }) => PLACES[axes.value](epoch, runs[run]) };
  showCharts(charts, curves, axis);
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

/** The options that differ between runs. */
function showOptions(runs) {
  const flat = (value, name) => (value && typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, part]) => flat(part, name ? `${name}.${key}` : key)) : [[name, JSON.stringify(value)]]);
  const options = runs.map((run) => new Map(flat(run.options, "")));
  const names = [...new Set(options.flatMap((map) => [...map.keys()]))].filter((name) => options.some((map) => map.get(name) !== options[0].get(name)));
  differences.hidden = names.length === 0;
  const row = (cells, tag) => { const made = make("tr"); made.append(...cells.map((cell, place) => make(place ? tag : "th", "", cell))); return made; };
  differences.querySelector("table").replaceChildren(row(["Option", ...runs.map(({ name }) => name)], "th"),
    ...names.map((name) => row([name, ...options.map((map) => map.get(name)?.replaceAll('"', "") ?? "–")], "td")));
}

/** A run's state in figures. */
function summary(run, index, count) {
  const row = make("article", "run");
  const head = make("div", "run-head");
  if (count > 1) head.append(make("span", `swatch swatch-${index}`));
  head.append(make("b", "", run.name), make("span", "note", [run.architecture, stateOf(run)].filter(Boolean).join(" · ")));
  row.append(head);
  if (run.state === "waiting") return row;
  const bar = make("progress");
  Object.assign(bar, { max: run.epochs, value: run.trained });
  bar.setAttribute("aria-label", `${run.name}: epochs trained`);
  const facts = make("dl", "facts");
  const fact = (name, value, small = "") => {
    const pair = make("div");
    const data = make("dd", "", value);
    if (small) data.append(" ", make("small", "", small));
    pair.append(make("dt", "", name), data);
    facts.append(pair);
  };
  fact("Epochs", `${Number(run.trained.toFixed(1))} of ${run.epochs}`);
  if (run.training_loss !== null) fact("Training loss", run.training_loss.toFixed(5));
  const { last, best } = run;
  if (last) {
    fact(`${run.inner_rows ? "Inner" : "Validation"} loss`, last.loss.toFixed(5), `epoch ${last.epoch}`);
    fact("R²", minus(last.r2.toFixed(4)), best && best.epoch !== last.epoch ? `best: ${minus(best.r2.toFixed(4))}, epoch ${best.epoch}` : "");
    fact("RMSE", `${last.rmse.toFixed(1)} cp`, `constant ${last.constant_rmse.toFixed(1)} cp`);
    fact("MAE", `${last.mae.toFixed(1)} cp`);
  }
  if (run.learning_rate !== null) fact("Learning rate", run.learning_rate.toExponential(2));
  if (run.positions_per_second !== null) fact("Rows per second", Math.round(run.positions_per_second).toLocaleString("en"));
  if (run.seconds_left !== null) fact("Time left", duration(run.seconds_left));
  const inner = run.inner_rows ? `${run.inner_rows.toLocaleString("en")} inner, ` : "";
  if (run.phases.length > 1) fact("Phases", run.phases.map(({ lesson, epochs }, phase) => `${phase === run.phase ? "▸ " : ""}${lesson}: ${epochs}`).join(", "), "epochs of each");
  fact("Rows", run.rows.toLocaleString("en"), `${inner}${run.validation_rows.toLocaleString("en")} held out`);
  row.append(bar, facts);
  if (run.play) {
    const line = make("p", "note", "Play against it: ");
    line.append(make("code", "", run.play));
    row.append(line);
  }
  return row;
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
  let part = details.children[index];
  if (!part) {
    part = make("details", "card");
    part.open = count === 1;
    part.append(make("summary"), make("div", "charts"), make("div"));
    part.addEventListener("toggle", update);
    details.append(part);
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
  const key = JSON.stringify(run.mistakes);
  if (errors.dataset.key === key) return;
  errors.dataset.key = key;
  const heading = make("h2", "", `Largest errors on ${run.inner_rows ? "inner" : "validation"} rows`);
  const groups = PHASES.map(([name, least, most]) => [name, run.mistakes.filter(({ fen }) => {
    const pieces = fen.split(" ")[0].replace(/[^a-z]/gi, "").length;
    return pieces >= least && pieces <= most;
  })]).filter(([, mistakes]) => mistakes.length);
  errors.replaceChildren(...(groups.length ? [heading] : []), ...groups.flatMap(([name, mistakes]) => [make("h3", "", name), listOf(mistakes, "Copy FEN", copy)]));
}

/** The parts of a game, by the number of pieces. */
const PHASES = [["Opening", 26, 32], ["Middlegame", 14, 25], ["Endgame", 2, 13]];

async function copy(fen, button) {
  try {
    await navigator.clipboard.writeText(fen);
    button.textContent = "Copied";
  } catch {
    button.textContent = fen;
  }
  setTimeout(() => { button.textContent = "Copy FEN"; }, 4000);
}

const minus = (text) => text.replace("-", "−");

function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

document.addEventListener("visibilitychange", update);
for (const control of [axes, logarithmic]) control.addEventListener("change", () => { if (answer) show(answer); });
update();
