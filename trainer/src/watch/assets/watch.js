// The page of training runs: asks for the runs every two seconds while it is visible, and draws what has changed.

import { make } from "./elements.js";
import { listOf } from "./mistakes.js";

const INTERVAL = 2000;
/** Seconds without a line in the record after which a run may have been killed. */
const SILENCE = 60;

const [problem, connection, list, charts, details] =
  ["problem", "connection", "runs", "charts", "details"].map((id) => document.getElementById(id));
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
    problem.textContent = isGone ? "The trainer has ended or does not answer. This is the last state; trainer watch shows it again." : error.message;
    problem.hidden = false;
    connection.textContent = isGone ? "not connected" : "";
    if (isGone && answer) show({ ...answer, runs: answer.runs.map(lost) });
  } finally {
    isAsking = false;
    timer = setTimeout(update, INTERVAL);
  }
}

/** A run of which nothing more is known. */
const lost = (run) => (run.state === "running" ? { ...run, state: "lost", note: "not connected", seconds_left: null } : run);

function show({ runs, pictures }) {
  list.replaceChildren(...runs.map((run, index) => summary(run, index, runs.length)));
  const running = runs.filter((run) => run.state === "running");
  const share = runs.length === 1 && running.length === 1 ? `${Math.floor((100 * runs[0].trained) / runs[0].epochs)} % · ` : "";
  document.title = `${share}Training · Alfiere`;
  showPictures(charts, pictures.filter(({ name }) => !name.startsWith("weights-")));
  runs.forEach((run, index) => showDetails(run, index, runs.length, pictures));
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
  fact("Rows", run.rows.toLocaleString("en"), `${inner}${run.validation_rows.toLocaleString("en")} held out`);
  row.append(bar, facts);
  return row;
}

function stateOf(run) {
  if (run.state !== "running") return run.note;
  return run.age > SILENCE ? `no news for ${duration(run.age)}: killed, or busy` : "running";
}

/** Shows pictures in a container, drawn for the width they have there; only those that have changed are loaded. */
function showPictures(container, pictures) {
  const shown = new Map([...container.children].map((chart) => [chart.dataset.name, chart]));
  const all = pictures.map(({ name, title, version }) => {
    const chart = shown.get(name) ?? make("figure", "chart");
    if (!chart.firstElementChild) chart.append(make("img"));
    Object.assign(chart.dataset, { name, version });
    chart.firstElementChild.alt = title;
    return chart;
  });
  if (all.length !== container.children.length || all.some((chart, index) => container.children[index] !== chart)) {
    container.replaceChildren(...all);
  }
  for (const chart of all) {
    const { name, version } = chart.dataset;
    const source = `/pictures/${name}.svg?width=${chart.clientWidth || 480}&version=${version}`;
    if (chart.firstElementChild.getAttribute("src") !== source) chart.firstElementChild.setAttribute("src", source);
  }
}

/** Weights and largest errors of a run, in a part of the page that can be closed. */
function showDetails(run, index, count, pictures) {
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
  showPictures(weights, run.layers.map((layer) => pictures[layer.picture]));
  const key = JSON.stringify(run.mistakes);
  if (errors.dataset.key === key) return;
  errors.dataset.key = key;
  const heading = make("h2", "", `Largest errors on ${run.inner_rows ? "inner" : "validation"} rows`);
  errors.replaceChildren(...(run.mistakes.length ? [heading, listOf(run.mistakes, "Copy FEN", copy)] : []));
}

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
addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(update, 300); });
update();
