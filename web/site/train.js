// The page that trains a network: the file, the progress of its worker, and what can be done with the network.

import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { make } from "./elements.js";
import { Engine, engine } from "./engine.js";
import { onDrop, saveFile } from "./files.js";
import { listOf } from "./mistakes.js";
import { START, capital, pawns, sentence } from "./notation.js";
import { keepNetwork } from "./own-network.js";
import { ask } from "./rules.js";
import { readSuite, solve } from "./suite.js";

const at = (id) => document.getElementById(id);
const SAMPLE = "sample.csv.gz";
const TEST_DEPTH = 4;
const chart = new Chart();
at("figure").append(chart.element);
const board = new Board(at("board"), () => {});
/** The engine that looks at positions with the network, and the one that is tested with it. */
const [viewer, examinee] = [new Engine(), new Engine()];

let worker = null;
/** What the file holds. */
let file = null;
let name = "";
/** The bytes of the best network so far, and whether it can be played against. */
let network = null;
let isKept = false;
let runs = false;
/** What training starts from, a word of `--start`. */
let start = "";
/** The epochs that are trained, of all phases. */
let epochs = [];

const number = (value) => Math.round(value).toLocaleString("en");
const digits = (value, count) => (value === null || value === undefined ? "–" : value.toFixed(count).replace("-", "−"));
/** A file's name in a command. */
const inShell = (text) => (/^[\w.][\w.-]*$/.test(text) ? text : `'${`./${text}`.replaceAll("'", "'\\''")}'`);
const stem = () => name.replace(/\.(csv|txt|nnue)?(\.gz)?$/i, "").replace(/\.csv$/i, "") || "network";
/** The bytes of one of the site's files. */
async function fetched(asset) {
  const response = await fetch(new URL(asset, import.meta.url));
  if (!response.ok) throw new Error(`${asset}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

function open(title, read) {
  worker?.terminate();
  worker = null;
  [file, network, isKept, runs, name] = [null, null, false, false, title];
  epochs = [];
  const isNetwork = /\.nnue$/i.test(title);
  at("failure").hidden = true;
  at("run").hidden = false;
  at("run-title").textContent = title;
  at("bar").hidden = at("pause").hidden = at("training").hidden = isNetwork;
  at("view").hidden = at("mistakes-part").hidden = true;
  at("test-status").textContent = "";
  showButtons();
  return isNetwork ? openNetwork(read) : openRows(read);
}

async function openNetwork(read) {
  at("status").textContent = "Reading the network…";
  try {
    const bytes = new Uint8Array(await read());
    at("status").textContent = capital(await viewer.load(bytes));
    take(bytes);
  } catch ({ message }) {
    fail(message);
  }
}

async function openRows(read) {
  at("status").textContent = "Reading the positions…";
  at("figure").hidden = at("bad").hidden = true;
  at("epochs").replaceChildren();
  at("facts").replaceChildren();
  at("bar").removeAttribute("value");
  try {
    const bytes = new Uint8Array(await read());
    worker = new Worker(new URL("train-worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = ({ message }) => fail(message ?? "the trainer cannot be loaded");
    start = at("start").value;
    worker.postMessage({ name, bytes, start }, [bytes.buffer]);
  } catch (error) {
    fail(error.message);
  }
}

function hear({ file: found, report, progress, network: bytes, failure }) {
  if (failure) fail(failure);
  if (found) {
    file = found;
    file.all = file.phases.reduce((sum, { epochs: count, rows }) => sum + count * rows, 0);
    file.epochs = file.phases.reduce((sum, { epochs: count }) => sum + count, 0);
    showFile();
    run(true);
  }
  if (report) showReport(report);
  if (progress) {
    epochs = progress.epochs;
    if (bytes) take(bytes);
    showProgress(progress);
  }
}

function fail(message) {
  worker?.terminate();
  worker = null;
  runs = false;
  at("failure").textContent = sentence(message);
  at("failure").hidden = false;
  at("run").hidden = !network;
  at("status").textContent = "Stopped.";
  showButtons();
}

function run(isOn) {
  runs = isOn;
  worker.postMessage({ runs });
  showButtons();
}

/** Looks with the network, and keeps it for games. */
async function take(bytes) {
  network = bytes;
  at("view").hidden = false;
  look();
  try {
    await keepNetwork(bytes);
    isKept = true;
  } catch {
    at("failure").textContent = "This browser does not keep the network for a game: the address must begin with https. It can be saved.";
    at("failure").hidden = false;
  }
  showButtons();
}

// What the network sees.

let fen = START;
let isTurned = false;
/** Counts the looks, so that late answers are dropped. */
let looks = 0;

/** Shows what the network sees in the position; without it, what the last one saw is left. */
async function look() {
  looks += 1;
  const [number, epoch] = [looks, epochs.length];
  board.show({ fen, orientation: isTurned ? "black" : "white" });
  at("fen").value = fen;
  try {
    await viewer.load(network);
    const { value, parts } = await viewer.view(fen);
    if (number !== looks) return;
    at("value").textContent = pawns(value, 2);
    at("value-note").textContent = `for White${file ? `, with the network of epoch ${epoch}` : ""}`;
    board.showValues(parts);
  } catch ({ message }) {
    if (number === looks) fail(message);
  }
}

/** Looks at a position, if it is one. */
async function lookAt(text) {
  try {
    fen = (await ask({ ask: "line", fen: text })).start.fen;
    at("fen-error").hidden = true;
    await look();
  } catch ({ message }) {
    Object.assign(at("fen-error"), { textContent: sentence(message), hidden: false });
  }
}

let suite = null;
/** What the site's own network solves. */
let ownSolved = null;

async function test() {
  const [tested, progress] = [network, (whose) => (done) => { at("test-status").textContent = `${whose}: ${done} of ${suite.length}`; }];
  at("test").disabled = true;
  try {
    suite ??= await readSuite(new TextDecoder().decode(await fetched("eret.epd")));
    await examinee.load(tested);
    const solved = await solve(suite, examinee, TEST_DEPTH, progress("This network"));
    ownSolved ??= await solve(suite, engine, TEST_DEPTH, progress("Alfiere’s own"));
    at("test-status").textContent = `Solved: ${solved} of ${suite.length}. Alfiere’s own network: ${ownSolved}.`;
  } catch ({ message }) {
    at("test-status").textContent = sentence(message);
  }
  at("test").disabled = false;
}

// What is shown.

function showButtons() {
  at("pause").textContent = runs ? "Stop after this epoch" : "Go on";
  at("pause").disabled = !file || !worker;
  at("save").disabled = !network;
  const play = at("play");
  if (isKept) play.href = "./?player=own";
  else play.removeAttribute("href");
  play.setAttribute("aria-disabled", String(!isKept));
}

function showFile() {
  const { rows, bad_rows: bad, bad: quoted, warnings } = file;
  at("status").textContent = "Starting…";
  const stated = start === "embedded" ? "" : ` --start ${file.start}`;
  at("command").textContent = `trainer train --data ${inShell(name)}${stated} --out ${inShell(`${stem()}.nnue`)}`;
  at("sample-link").hidden = name !== SAMPLE;
  at("bad").hidden = bad === 0 && warnings.length === 0;
  const left = bad ? `${number(bad)} of ${number(rows + bad)} rows cannot be read and are left out` : "";
  at("bad").firstChild.textContent = [left, warnings.length && "notes on the file"].filter(Boolean).join("; ");
  at("bad").lastChild.replaceChildren(...[...quoted, ...(bad > quoted.length ? [`and ${number(bad - quoted.length)} more`] : []), ...warnings].map((text) => make("li", "", text)));
  showFacts({});
}

function showFacts({ speed, left, r2, r2_as_given: given }) {
  const facts = {
    Positions: number(file.training_rows),
    "Held out": number(file.validation_rows),
    Network: file.network.replace(/ crelu x1$/, ""),
    "Rows per second": speed ? number(speed) : "–",
    "Time left": left === undefined ? "–" : time(left),
    "R², captures resolved": digits(r2, 3),
    "R², as given": digits(given, 3),
  };
  at("facts").replaceChildren(...Object.entries(facts).map(([title, value]) => {
    const entry = make("div");
    entry.append(make("dt", "", title), make("dd", "", value));
    return entry;
  }));
}

const time = (seconds) => (seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.ceil(seconds)} s`);

/** What is learnt in a phase. */
const LESSONS = {
  evaluation: "the start’s evaluation", searches: "what its searches find", rows: "your positions",
  "own searches 1": "its own searches", "own searches 2": "its own searches", "own searches 3": "its own searches",
};

/** Rows of the epochs that are trained, their seconds, and the rows that are left. */
function amounts() {
  const done = epochs.reduce((sum, { phase }) => sum + file.phases[phase].rows, 0);
  const seconds = epochs.reduce((sum, { seconds: part }) => sum + part, 0);
  return { done, speed: seconds ? done / seconds : 0, left: seconds ? (file.all - done) * (seconds / done) : undefined };
}

function showReport({ lesson, made, of, epoch, positions_done: within }) {
  const { done } = amounts();
  at("bar").value = (done + (epoch ? within : 0)) / file.all;
  at("status").textContent = epoch ? `Epoch ${epochs.length + 1} of ${file.epochs}: ${LESSONS[lesson]}, ${number(within)} of ${number(of)}`
    : `Searches make ${number(made)} of ${number(of)} positions.`;
}

function showProgress({ best_epoch: best, mistakes, r2, r2_as_given: given, stop }) {
  runs &&= !stop;
  const { done, speed, left } = amounts();
  at("bar").value = done / file.all;
  if (stop) at("status").textContent = `${sentence(stop)} The network is that of epoch ${best} of your positions.`;
  else if (!runs) at("status").textContent = `Stopped after epoch ${epochs.length} of ${file.epochs}. It continues from there.`;
  showFacts({ speed, left: stop ? undefined : left, r2, r2_as_given: given });
  at("epochs").replaceChildren(...epochs.map(row));
  drawChart(epochs);
  at("mistakes-part").hidden = mistakes.length === 0;
  at("mistakes").replaceChildren(listOf(mistakes, "Look at it", (position) => {
    lookAt(position);
    at("view").scrollIntoView();
  }));
  showButtons();
  at("pause").disabled ||= Boolean(stop);
}

function row({ phase, loss, validation, r2, is_best: isBest }, index) {
  const line = make("tr");
  const cells = [`${index + 1}${isBest ? " ★" : ""}`, LESSONS[file.phases[phase].lesson], digits(loss, 5), digits(validation, 5), digits(r2, 3)];
  line.append(...cells.map((text) => make("td", "", text)));
  return line;
}

/** Two lines, of the loss on training rows and on held-out rows. */
function drawChart(epochs) {
  at("figure").hidden = false;
  const curve = (name, color, pick) => ({ name, color, dashed: color === 0, points: epochs.map((record, index) => [index + 1, pick(record)]) });
  chart.show({ title: "Loss by epoch", curves: [curve("positions it learns from", 0, ({ loss }) => loss), curve("positions that it never sees", 1, ({ loss, validation }) => validation ?? loss)] });
}

// Actions.

document.querySelector("[data-page=train]").setAttribute("aria-current", "page");
at("sample").addEventListener("click", () => open(SAMPLE, () => fetched(SAMPLE)));
at("open-file").addEventListener("click", () => at("file").click());
at("file").addEventListener("change", ({ target }) => {
  const [chosen] = target.files;
  if (chosen) open(chosen.name, () => chosen.arrayBuffer());
  target.value = "";
});
onDrop((dropped) => open(dropped.name, () => dropped.arrayBuffer()));
at("pause").addEventListener("click", () => run(!runs));
at("save").addEventListener("click", () => saveFile(`${stem()}.nnue`, network));
at("fen").addEventListener("change", () => lookAt(at("fen").value));
at("initial").addEventListener("click", () => lookAt(START));
at("turn").addEventListener("click", () => { isTurned = !isTurned; look(); });
at("test").addEventListener("click", test);
