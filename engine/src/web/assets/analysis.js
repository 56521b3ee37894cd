// The analysis board: a tree of moves, the engine's lines, the review, and the position editor.

import { readAddress, readTree, writeAddress, writeTreeAddress } from "./address.js";
import { COLORS, MOVE_GLYPHS, sign } from "./annotation.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { clearBar, plyAt, showBar, showCurve } from "./evaluation.js";
import { evaluationOfEnd, readInfo, short, showLines } from "./lines.js";
import { showTree } from "./move-tree.js";
import { isFen, numbered, score, spoken } from "./notation.js";
import { readGame, writeGame } from "./pgn.js";
import { moveName, reviewTree, sideWords } from "./review.js";
import { Tree, movesTo, path, searched, through } from "./tree.js";

const REVIEW_NODES = 60_000;
const SHOWN_PLIES = 14;
const at = (id) => document.getElementById(id);

const board = new Board(at("board"), (uci) => playText(uci).catch(complain));
const editor = new Editor(at("editor"), board, api.ask, finishEditing);
let tree;
/** The node shown. */
let current;
let orientation = "white";
/** The search that runs, as an AbortController. */
let running = null;
let review = null;
let isOn = false;
let isEditing = false;
/** Whether the comment's field has text that is not in the tree. */
let isWriting = false;
/** The text whose games are listed for choice. */
let listed = null;
/** The best line of the position shown, as moves of the rules. */
let best = [];
/** Counts the positions shown, so that late answers are dropped. */
let shown = 0;

document.querySelector("[data-page=analysis]")?.setAttribute("aria-current", "page");
start().catch(complain);

async function start() {
  let saved = null;
  try { saved = JSON.parse(sessionStorage.getItem("analysis")); } catch { /* nothing is saved */ }
  const { fen, moves, tree: link } = readAddress(location.hash);
  if (saved && !link) {
    const kept = await readPgn(saved).then(({ tree: read }) => read, () => null);
    const asked = await api.ask({ ask: "line", ...(fen && { fen }) }).catch(() => null);
    const node = kept && kept.root.fen === asked?.start.fen ? kept.find(moves) : null;
    if (node) { replaceTree(kept, node); return; }
  }
  await openAddress();
  at("load").open = tree.root.children.length === 0;
}

/** Shows what the page's address says; the initial position if that is wrong and nothing else is shown. */
async function openAddress() {
  const { fen, moves, tree: link } = readAddress(location.hash);
  try {
    if (!link) { await open(fen, moves); return; }
    const { tree: read } = await readPgn(await readTree(link));
    replaceTree(read, read.find(moves) ?? read.root);
  } catch (error) {
    if (!tree) await open(null, []);
    throw error;
  }
}

/** Starts a tree with a line. */
async function open(fen, moves) {
  const line = await api.ask({ ask: "line", ...(fen && { fen }), moves });
  const begun = new Tree(line.start);
  const last = begun.addLine(begun.root, line.plies);
  begun.settle();
  replaceTree(begun, last);
  if (line.problem) throw new Error(`${line.problem}.`);
}

/** Reads a game of a PGN; returns its tree, the titles of all games, and where and why the moves end too early. */
async function readPgn(pgn, index = 0) {
  const game = await api.ask({ ask: "game", pgn, index });
  const read = readGame(game);
  const nodes = read.all().filter(({ evaluation }) => evaluation?.cp !== undefined);
  const { expected_scores } = await api.ask({ ask: "expected_scores", centipawns: nodes.map(({ evaluation }) => evaluation.cp) });
  nodes.forEach(({ evaluation }, place) => { evaluation.expected_score = expected_scores[place]; });
  return { tree: read, titles: game.titles, error: game.error };
}

function replaceTree(other, node) {
  review?.abort();
  keepComment();
  tree = other;
  at("reviewed").hidden = true;
  clearBar(at("bar"));
  show(node);
}

addEventListener("hashchange", () => {
  if (tree && location.hash === writeAddress(tree.root.fen, movesTo(current))) return;
  openAddress().catch(complain);
});

let keepTimer = null;

/** Keeps the position in the address and the tree for a reload; not at every step, because browsers limit that. */
function keepSoon() {
  clearTimeout(keepTimer);
  keepTimer = setTimeout(keep, 300);
}

function keep() {
  clearTimeout(keepTimer);
  keepTimer = null;
  const hash = writeAddress(tree.root.fen, movesTo(current));
  try {
    if (location.hash !== hash) history.replaceState(null, "", location.pathname + location.search + hash);
  } catch { /* the address says where the page was before */ }
  try { sessionStorage.setItem("analysis", JSON.stringify(writeGame(tree))); } catch { /* the tree is not kept */ }
}

addEventListener("pagehide", () => { if (keepTimer !== null) keep(); });

// The position shown.

async function show(node) {
  keepComment();
  current = node;
  shown += 1;
  const number = shown;
  stopSearch();
  best = [];
  render();
  const question = { ask: "line", fen: tree.root.fen, moves: movesTo(node) };
  const { legal, end } = await api.ask(question).catch((error) => { complain(error); return { legal: [], end: null }; });
  if (number !== shown || isEditing) return;
  node.legal = legal;
  node.end = end;
  render();
  if (isOn && legal.length) startSearch().catch(complain);
  else showEnd();
}

function render() {
  const squares = current.uci ? [current.uci.slice(0, 2), current.uci.slice(2, 4)] : [];
  board.show({ fen: current.fen, orientation, last: squares, check: current.check, legal: current.legal ?? [] });
  board.showShapes(current.shapes);
  const arrow = best[0]?.uci ?? current.reply;
  board.showArrow(arrow?.slice(0, 2), arrow?.slice(2, 4));
  showEvaluations();
  at("moves").hidden = tree.root.children.length === 0 && !tree.root.text;
  showTree(at("moves"), tree, current, show, (node) => node.judged ?? "");
  at("judged").hidden = !current.judged;
  at("judged").textContent = current.judged ?? "";
  at("step-first").disabled = at("step-back").disabled = at("delete").disabled = !current.parent;
  at("step-last").disabled = at("step-forward").disabled = current.children.length === 0;
  at("promote").disabled = path(current).every((node) => !node.parent || node.parent.children[0] === node);
  at("undo").disabled = !tree.canUndo;
  if (!isWriting) at("comment").value = current.text;
  for (const button of at("glyphs").children) {
    button.disabled = !current.parent;
    button.setAttribute("aria-pressed", String(current.glyphs.includes(Number(button.dataset.glyph))));
  }
  keepSoon();
}

function showEvaluations() {
  const nodes = through(current);
  showBar(at("bar"), evaluationOf(current), orientation);
  const stages = nodes.map((node) => ({ evaluation: evaluationOf(node) }));
  showCurve(at("curve"), stages, path(current).length - 1);
  if (stages.filter(({ evaluation }) => evaluation).length < 2) at("curve").setAttribute("hidden", "");
}

/** The engine's evaluation of a node, otherwise that of the PGN. */
function evaluationOf({ engineEvaluation, evaluation }) {
  if (engineEvaluation || !evaluation) return engineEvaluation ?? null;
  return { expected_score: evaluation.mate > 0 ? 1 : 0, ...evaluation };
}

function showEnd() {
  at("lines").replaceChildren();
  at("speed").textContent = current.end ? `${current.end.reason}, ${current.end.result}` : "";
}

// Moves.

async function playText(text) {
  const from = current;
  const { plies, problem } = await api.ask({ ask: "line", fen: from.fen, moves: [text] });
  if (problem) throw new Error(`${problem}.`);
  announce(plies[0]);
  await show(tree.add(from, plies[0]));
}

function playLine(plies) {
  show(tree.addLine(current, plies));
}

function announce({ san }) {
  const entry = Object.assign(document.createElement("span"), { textContent: `${spoken(san)}. ` });
  at("live").append(entry);
  while (at("live").children.length > 8) at("live").firstChild.remove();
}

function step(node) {
  if (!node || node === current) return;
  if (node.san) announce(node);
  show(node);
}

function sibling(offset) {
  const siblings = current.parent?.children ?? [];
  step(siblings[siblings.indexOf(current) + offset]);
}

// The engine.

function stopSearch() {
  running?.abort();
  running = null;
}

function toggleEngine() {
  isOn = !isOn;
  at("engine").setAttribute("aria-pressed", String(isOn));
  if (isOn && current.legal?.length) startSearch().catch(complain);
  else { stopSearch(); best = []; render(); showEnd(); }
}

async function startSearch() {
  stopSearch();
  // A page in the background searches nothing: browsers open few connections to a server, and it has few searches.
  if (document.hidden) return;
  const controller = new AbortController();
  running = controller;
  const node = current;
  const [count, threads] = ["line-count", "thread-count"].map((id) => Number(at(id).value));
  const lines = [];
  let timer = null;
  const refresh = async () => {
    timer = null;
    const kept = lines.filter(Boolean);
    const answers = await Promise.all(kept.map(({ moves }) => api.ask({ ask: "line", fen: node.fen, moves: moves.slice(0, SHOWN_PLIES) })));
    if (running !== controller) return;
    node.engineEvaluation = kept[0].evaluation;
    best = answers[0].plies;
    showLines(at("lines"), kept.map(({ evaluation }, index) => ({ evaluation, plies: answers[index].plies })), numbered(node.fen), (plies) => {
      if (current === node) playLine(plies);
    });
    at("speed").textContent = `depth ${kept[0].depth} · ${short(kept[0].nodes)} nodes · ${short(kept[0].nps)}/s`;
    board.showArrow(best[0]?.uci.slice(0, 2), best[0]?.uci.slice(2, 4));
    showEvaluations();
  };
  const hear = (text) => {
    const info = readInfo(text, node.fen.split(" ")[1] === "w");
    if (!info) return;
    lines[info.rank - 1] = info;
    timer ??= setTimeout(() => refresh().catch(complain), 150);
  };
  at("speed").textContent = "searching…";
  await api.search({ ...searched(path(node)), lines: count, ...(threads > 1 && { threads }) }, hear, controller.signal).catch((error) => {
    if (controller.signal.aborted) return;
    at("speed").textContent = "";
    throw error;
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) stopSearch();
  else if (isOn && current.legal?.length) startSearch().catch(complain);
});

// The review.

async function reviewGame() {
  if (review) { review.abort(); return; }
  const nodes = tree.main();
  if (nodes.length < 2) { complain(new Error("There are no moves to review.")); return; }
  if (isOn) toggleEngine();
  const [reviewed, controller] = [tree, new AbortController()];
  review = controller;
  const { signal } = controller;
  at("review").textContent = "Cancel the review";
  at("reviewing").hidden = false;
  at("reviewed").hidden = true;
  // The search of one would wait for the other.
  at("engine").disabled = true;
  try {
    const positions = [];
    for (const [done, node] of nodes.entries()) {
      at("progress").value = done / nodes.length;
      at("progress-text").textContent = `Position ${done + 1} of ${nodes.length}`;
      positions.push(await evaluate(nodes, done, signal));
      if (signal.aborted) return;
      node.engineEvaluation = positions.at(-1).evaluation;
      showEvaluations();
    }
    if (!nodes.every((node) => reviewed.has(node))) throw new Error("The moves were changed during the review.");
    const result = await reviewTree(reviewed, nodes, positions);
    if (!signal.aborted) showReview(result);
  } catch (error) {
    if (!signal.aborted) complain(error);
  } finally {
    review = null;
    at("review").textContent = "Review the game";
    at("reviewing").hidden = true;
    at("engine").disabled = false;
    render();
  }
}

async function evaluate(nodes, index, signal) {
  const node = nodes[index];
  const position = searched(nodes.slice(0, index + 1));
  if (index === nodes.length - 1) {
    const { end } = await api.ask({ ask: "line", ...position });
    if (end) return { evaluation: evaluationOfEnd(end) };
  }
  let found = null;
  const hear = (text) => { found = readInfo(text, node.fen.split(" ")[1] === "w") ?? found; };
  await api.search({ ...position, lines: 1, nodes: REVIEW_NODES }, hear, signal);
  if (!found && !signal.aborted) throw new Error("The engine gave no evaluation.");
  return found && { evaluation: found.evaluation, line: found.moves };
}

function showReview({ white, black, worst }) {
  at("reviewed").hidden = false;
  at("summary").textContent = [sideWords("White", white), sideWords("Black", black), worst.length ? "The worst moves:" : ""].join(" ");
  at("worst").replaceChildren(...worst.map(({ node, change }) => {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    const name = Object.assign(document.createElement("b"), { textContent: moveName(node) + node.glyphs.map(sign).join("") });
    button.append(name, change);
    button.addEventListener("click", () => { if (tree.has(node)) step(node); });
    return button;
  }));
}

// Reading and writing.

function listGames(text, titles) {
  at("game-field").hidden = titles.length < 2;
  if (text !== listed) at("game").replaceChildren(...titles.map((title, index) => new Option(`${index + 1}. ${title}`)));
  listed = text;
}

async function read() {
  const text = at("text").value.trim();
  at("text-error").hidden = true;
  try {
    if (isFen(text)) await open(text, []);
    else {
      const { tree: game, titles, error } = await readPgn(text, text === listed ? at("game").selectedIndex : 0);
      listGames(text, titles);
      replaceTree(game, game.root);
      at("load").open = titles.length > 1 || error !== undefined;
      if (error) showTextError(`The moves end at ${error}.`);
    }
  } catch (error) {
    // The other games may be valid.
    if (error.titles) listGames(text, error.titles);
    showTextError(error.message);
  }
}

function showTextError(message) {
  at("text-error").textContent = message;
  at("text-error").hidden = false;
}

/** The text of a file; that of old programs is not UTF-8. */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

async function copy(text, button) {
  at("copied").value = text;
  at("copied-field").hidden = false;
  try { await navigator.clipboard.writeText(text); } catch { at("copied").select(); document.execCommand("copy"); }
  const label = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
}

function save() {
  const names = new Map(tree.tags);
  const players = ["White", "Black"].map((side) => names.get(side)).filter((name) => name && name !== "?");
  const name = players.join("-").replace(/[^\p{L}\p{N}-]+/gu, "_") || "game";
  const link = Object.assign(document.createElement("a"), { download: `${name}.pgn` });
  link.href = URL.createObjectURL(new Blob([writeGame(tree)], { type: "application/x-chess-pgn" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Keeps what was written in the comment's field. */
function keepComment() {
  if (isWriting && tree.has(current)) tree.annotate(current, { text: at("comment").value.trim() });
  isWriting = false;
}

function edit() {
  if (isOn) toggleEngine();
  isEditing = true;
  at("analysis").hidden = at("steps").hidden = true;
  board.showShapes([]);
  editor.open(current.fen);
}

function finishEditing(fen) {
  isEditing = false;
  editor.close();
  at("analysis").hidden = at("steps").hidden = false;
  if (fen) open(fen, []).catch(complain);
  else show(current);
}

let toastTimer;
function complain(error) {
  at("toast").textContent = error.message;
  at("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { at("toast").hidden = true; }, 6000);
  if (current && !isEditing) render();
}

// Controls.

board.onShape = (shape) => {
  const same = ({ from, to }) => from === shape.from && to === shape.to;
  const others = current.shapes.filter((other) => !same(other));
  keepComment();
  tree.annotate(current, { shapes: current.shapes.some(same) ? others : [...others, shape] });
  render();
};

for (const color of COLORS) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: color, title: `Draw in ${color}` });
  button.setAttribute("aria-label", `Draw in ${color}`);
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    board.pen = board.pen === color ? null : color;
    at("board").classList.toggle("drawing", board.pen !== null);
    for (const other of at("pens").children) other.setAttribute("aria-pressed", String(other === button && board.pen !== null));
  });
  at("pens").append(button);
}

for (const [glyph, name] of MOVE_GLYPHS) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign(glyph), title: name });
  button.setAttribute("aria-label", name);
  button.dataset.glyph = glyph;
  button.addEventListener("click", () => {
    const others = current.glyphs.filter((other) => other > 6);
    tree.annotate(current, { glyphs: current.glyphs.includes(glyph) ? others : [glyph, ...others] });
    render();
  });
  at("glyphs").append(button);
}

const buttons = {
  "step-first": () => step(tree.root),
  "step-back": () => step(current.parent),
  "step-forward": () => step(current.children[0]),
  "step-last": () => step(through(current).at(-1)),
  flip: () => { orientation = orientation === "white" ? "black" : "white"; render(); },
  engine: toggleEngine,
  promote: () => { tree.promote(current); render(); },
  delete: () => { const { parent } = current; tree.remove(current); show(parent); },
  undo: () => { tree.undo(); show(tree.has(current) ? current : path(current).findLast((node) => tree.has(node)) ?? tree.root); },
  review: reviewGame,
  edit,
  read,
  save,
  "open-file": () => at("file").click(),
  "copy-fen": () => copy(current.fen, at("copy-fen")),
  "copy-pgn": () => copy(writeGame(tree), at("copy-pgn")),
  "copy-link": async () => {
    const hash = await writeTreeAddress(writeGame(tree), movesTo(current));
    await copy(location.origin + location.pathname + hash, at("copy-link"));
  },
};
for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);
at("threads").hidden = api.maxThreads < 2;
for (let count = 1; count <= api.maxThreads; count += 1) at("thread-count").append(new Option(String(count)));
at("thread-count").value = Math.ceil(api.maxThreads / 2);
for (const id of ["line-count", "thread-count"]) at(id).addEventListener("change", () => { if (isOn) startSearch().catch(complain); });
at("comment").addEventListener("input", () => { isWriting = true; });
at("comment").addEventListener("change", () => { keepComment(); render(); });
at("game").addEventListener("change", read);
at("file").addEventListener("change", async () => {
  const [file] = at("file").files;
  at("file").value = "";
  if (!file) return;
  at("text").value = await textOf(file);
  await read();
});
at("curve").addEventListener("click", (event) => {
  const nodes = through(current);
  step(nodes[plyAt(at("curve"), event, nodes.length)]);
});
at("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = at("typed-move").value.trim();
  if (text) playText(text).then(() => { at("typed-move").value = ""; }, complain);
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [role=dialog]");
  if (isEditing || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const onButton = event.target.closest("button, summary, a");
  const keys = {
    ArrowLeft: "step-back", ArrowRight: "step-forward", Home: "step-first", End: "step-last", f: "flip", e: "engine",
  };
  if (event.key === "/") at("typed-move").focus();
  else if (event.key === "ArrowUp") sibling(-1);
  else if (event.key === "ArrowDown") sibling(1);
  else if (event.key === " " && !onButton) { if (best.length) playLine(best.slice(0, 1)); }
  else if (keys[event.key]) { if (!at(keys[event.key]).disabled) at(keys[event.key]).click(); }
  else return;
  event.preventDefault();
});
