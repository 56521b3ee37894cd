// The page that trains a network: the file, the progress of its worker, and what can be done with the network.

import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { at, facts, make, onClicks, row, say } from "./elements.js";
import { Engine, engine, keepNetwork } from "./engine.js";
import { bytesAt, onDrop, saveFile } from "./files.js";
import { listsOf } from "./mistakes.js";
import { START, capital, digits, duration, pawns, sentence } from "./notation.js";
import { ask } from "./rules.js";

const SAMPLE = "sample.csv.gz";
const TEST_DEPTH = 4;
const chart = new Chart();
at("figure").append(chart.element);
const board = new Board(at("board"), () => {});
/** The engine that looks at positions with the network, and the one that is tested with it. */
const [viewer, examinee] = [new Engine(), new Engine()];

/** `file` is what the file holds, `start` a word of `--start`. */
let [worker, file, name, runs, start] = [null, null, "", false, ""];
/** The bytes of the best network so far, and whether it can be played against. */
let [network, isKept] = [null, false];
/** The epochs that are trained, of all phases. */
let epochs = [];

const number = (value) => Math.round(value).toLocaleString("en");
const inShell = (text) => (/^[\w.][\w.-]*$/.test(text) ? text : `'${`./${text}`.replaceAll("'", "'\\''")}'`);
const stem = () => name.replace(/\.(csv|txt|nnue)?(\.gz)?$/i, "").replace(/\.csv$/i, "") || "network";
const fetched = (asset) => bytesAt(new URL(asset, import.meta.url));

function open(title, read) {
  worker?.terminate();
  [worker, file, network, isKept, runs, name, epochs] = [null, null, null, false, false, title, []];
  const isNetwork = /\.nnue$/i.test(title);
  say("failure", "");
  at("run").hidden = false;
  at("run-title").textContent = title;
  at("bar").hidden = at("pause").hidden = at("training").hidden = isNetwork;
  at("view").hidden = at("mistakes-part").hidden = true;
  at("test-status").textContent = "";
  showButtons();
  return (isNetwork ? openNetwork(read) : openRows(read)).catch(({ message }) => fail(message));
}

async function openNetwork(read) {
  at("status").textContent = "Reading the network…";
  const bytes = new Uint8Array(await read());
  at("status").textContent = capital(await viewer.load(bytes));
  take(bytes);
}

async function openRows(read) {
  at("status").textContent = "Reading the positions…";
  at("figure").hidden = at("bad").hidden = true;
  for (const id of ["epochs", "facts"]) at(id).replaceChildren();
  at("bar").removeAttribute("value");
  const bytes = new Uint8Array(await read());
  worker = new Worker(new URL("train-worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = ({ message }) => fail(message ?? "the trainer cannot be loaded");
  start = at("start").value;
  worker.postMessage({ name, bytes, start }, [bytes.buffer]);
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
  if (!progress) return;
  epochs = progress.epochs;
  if (bytes) take(bytes);
  showProgress(progress);
}

function fail(message) {
  worker?.terminate();
  [worker, runs] = [null, false];
  say("failure", sentence(message));
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
  isKept = await keepNetwork(bytes).then(() => true, () => false);
  if (!isKept) say("failure", "This browser does not keep the network for a game: the address must begin with https. It can be saved.");
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
  const [look, epoch] = [looks, epochs.length];
  board.show({ fen, orientation: isTurned ? "black" : "white" });
  at("fen").value = fen;
  try {
    await viewer.load(network);
    const { value, parts } = await viewer.view(fen);
    if (look !== looks) return;
    at("value").textContent = pawns(value, 2);
    at("value-note").textContent = `for White${file ? `, with the network of epoch ${epoch}` : ""}`;
    board.showValues(parts);
  } catch ({ message }) {
    if (look === looks) fail(message);
  }
}

async function lookAt(text) {
  try {
    fen = (await ask({ ask: "line", fen: text })).start.fen;
    say("fen-error", "");
    await look();
  } catch ({ message }) {
    say("fen-error", sentence(message));
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
    const solved = await solve(examinee, progress("This network"));
    ownSolved ??= await solve(engine, progress("Alfiere’s own"));
    at("test-status").textContent = `Solved: ${solved} of ${suite.length}. Alfiere’s own network: ${ownSolved}.`;
  } catch ({ message }) {
    at("test-status").textContent = sentence(message);
  }
  at("test").disabled = false;
}

/** `{fen, best, avoid}` of each line of an EPD file, with moves in UCI notation. */
const readSuite = (epd) => Promise.all(epd.split("\n").filter((line) => line.trim()).map(async (line) => {
  const fen = `${line.trim().split(/\s+/).slice(0, 4).join(" ")} 0 1`;
  const moves = (name) => Promise.all((new RegExp(` ${name} ([^;]+);`).exec(line)?.[1].split(/\s+/) ?? [])
    .map(async (move) => (await ask({ ask: "line", fen, moves: [move] })).plies[0].uci));
  return { fen, best: await moves("bm"), avoid: await moves("am") };
}));

/** The number of positions that an engine with its network solves; calls `changed(done)` after each. */
async function solve(searcher, changed) {
  const options = { Player: "nnue", UCI_LimitStrength: false, UCI_AnalyseMode: false, MultiPV: 1, Threads: 1, Hash: 16 };
  let solved = 0;
  for (const [index, { fen, best, avoid }] of suite.entries()) {
    let move = null;
    await searcher.search({ fen, options, go: `depth ${TEST_DEPTH}`, isNew: true }, (line) => { move = /^bestmove (\S+)/.exec(line)?.[1] ?? move; });
    if ((best.length === 0 || best.includes(move)) && !avoid.includes(move)) solved += 1;
    changed(index + 1);
  }
  return solved;
}

// What is shown.

function showButtons() {
  at("pause").textContent = runs ? "Stop after this epoch" : "Go on";
  at("pause").disabled = !file || !worker;
  at("save").disabled = !network;
  at("play").ariaDisabled = !isKept;
  if (isKept) at("play").href = "./?player=own";
  else at("play").removeAttribute("href");
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

function showFacts({ speed, left, r2, r2_as_given: given, interval, unit }) {
  const { low, high, units } = interval ?? {};
  at("facts").replaceChildren(...facts([
    ["Positions", number(file.training_rows)],
    ["Held out", number(file.validation_rows)],
    ["Network", file.network.replace(/ crelu x1$/, "")],
    ["Rows per second", speed ? number(speed) : "–"],
    ["Time left", left === undefined ? "–" : duration(left)],
    ["R², captures resolved", digits(r2, 3), interval && `${digits(low, 3)} to ${digits(high, 3)} (95 %, ${number(units)} ${unit})`],
    ["R², as given", digits(given, 3)],
  ]));
}

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
  at("bar").value = (amounts().done + (epoch ? within : 0)) / file.all;
  at("status").textContent = epoch ? `Epoch ${epochs.length + 1} of ${file.epochs}: ${LESSONS[lesson]}, ${number(within)} of ${number(of)}`
    : `Searches make ${number(made)} of ${number(of)} positions.`;
}

function showProgress({ best_epoch: best, mistakes, stop, ...errors }) {
  runs &&= !stop;
  const { done, speed, left } = amounts();
  at("bar").value = done / file.all;
  if (stop) at("status").textContent = `${sentence(stop)} The network is that of epoch ${best} of your positions.`;
  else if (!runs) at("status").textContent = `Stopped after epoch ${epochs.length} of ${file.epochs}. It continues from there.`;
  showFacts({ speed, left: stop ? undefined : left, ...errors });
  at("epochs").replaceChildren(...epochs.map(({ phase, loss, validation, r2, is_best: isBest }, index) => row([
    `${index + 1}${isBest ? " ★" : ""}`, LESSONS[file.phases[phase].lesson], digits(loss, 5), digits(validation, 5), digits(r2, 3)])));
  // Two lines, of the loss on training rows and on held-out rows.
  at("figure").hidden = false;
  const curve = (title, color, pick) => ({ name: title, color, dashed: color === 0, points: epochs.map((record, index) => [index + 1, pick(record)]) });
  chart.show({ title: "Loss by epoch", curves: [curve("positions it learns from", 0, ({ loss }) => loss), curve("positions that it never sees", 1, ({ loss, validation }) => validation ?? loss)] });
  at("mistakes-part").hidden = mistakes.length === 0;
  // The analysis compares the engine's network with this one.
  at("mistakes").replaceChildren(...listsOf(mistakes, (position) => `analysis.html#fen=${position.replaceAll(" ", "_")}&compare=own`, (position) => {
    lookAt(position);
    at("view").scrollIntoView();
  }));
  showButtons();
  at("pause").disabled ||= Boolean(stop);
}

// Actions.

document.querySelector("[data-page=train]").setAttribute("aria-current", "page");
const openFile = (chosen) => open(chosen.name, () => chosen.arrayBuffer());
at("file").addEventListener("change", ({ target }) => {
  if (target.files[0]) openFile(target.files[0]);
  target.value = "";
});
onDrop(openFile);
at("fen").addEventListener("change", () => lookAt(at("fen").value));
onClicks({
  sample: () => open(SAMPLE, () => fetched(SAMPLE)),
  "open-file": () => at("file").click(),
  pause: () => run(!runs),
  save: () => saveFile(`${stem()}.nnue`, network),
  initial: () => lookAt(START),
  turn: () => { isTurned = !isTurned; look(); },
  test,
});
