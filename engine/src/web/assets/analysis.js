// The analysis board: a tree of moves, the engine's lines, the review, and the position editor.

import { pack, readAddress, unpack, writeAddress } from "./address.js";
import { COLORS, MOVE_GLYPHS, faultOf, sign } from "./annotation.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { plyAt, showBar, showCurve } from "./evaluation.js";
import { onDrop, savePgn, textOf } from "./files.js";
import { GameList, findGames } from "./games.js";
import { evaluationOfEnd, readInfo, short, showLines } from "./lines.js";
import { showTree } from "./move-tree.js";
import { isFen, numbered, spoken } from "./notation.js";
import { readGame, writeGame } from "./pgn.js";
import { showPlayers } from "./players.js";
import { Reviewer } from "./reviewer.js";
import { addHandle } from "./size.js";
import { addSwitch, sound } from "./sound.js";
import { Tree, movesTo, path, searched, through, turnOf } from "./tree.js";

/** Pasted text of this length is many games: a field with it would be slow. */
const LONG_TEXT = 100_000;
const SHOWN_PLIES = 14;
const at = (id) => document.getElementById(id);

const board = new Board(at("board"), (uci) => playText(uci).catch(complain));
const editor = new Editor(at("editor"), board, api.ask, finishEditing);
const reviewer = new Reviewer({
  get tree() { return tree; },
  get current() { return current; },
  show: (node) => step(node),
  stopEngine: () => { if (isOn) toggleEngine(); },
  render, showEvaluations, evaluationOf, complain,
});
const list = new GameList(at("games"), (game) => openGame(game).catch(showGameError));
let tree;
/** The node shown. */
let current;
let orientation = "white";
/** The search that runs, as an AbortController. */
let running = null;
let isOn = false;
/** Whether the engine searches for the other side, as if this one had passed. */
let showsThreat = false;
/** Names openings once its list has been loaded. */
let openingOf = () => "";
let isEditing = false;
/** Whether the comment's field has text that is not in the tree. */
let isWriting = false;
let showsParts = false;
/** The best line of the position shown, as moves of the rules. */
let best = [];
/** Counts the positions shown, so that late answers are dropped. */
let shown = 0;

import("./opening.js").then((opening) => { ({ openingOf } = opening); if (tree) render(); }, complain);
document.querySelector("[data-page=analysis]")?.setAttribute("aria-current", "page");
start().catch(complain);

async function start() {
  addHandle(at("board").parentElement);
  addSwitch(at("sounds"));
  let saved = null;
  try { saved = JSON.parse(sessionStorage.getItem("analysis")); } catch { /* nothing is saved */ }
  const { fen, moves, tree: link, side } = readAddress(location.hash);
  if (saved && !link) {
    const kept = await readPgn(saved).then(({ tree: read }) => read, () => null);
    const asked = await api.ask({ ask: "line", ...(fen && { fen }) }).catch(() => null);
    const node = kept && kept.root.fen === asked?.start.fen ? kept.find(moves) : null;
    orientation = side;
    if (node) { replaceTree(kept, node); return; }
  }
  await openAddress();
  at("load").open = tree.root.children.length === 0;
}

/** Shows what the page's address says; the initial position if that is wrong and nothing else is shown. */
async function openAddress() {
  const { fen, moves, tree: link, side, review: isReview } = readAddress(location.hash);
  orientation = side;
  try {
    if (link) {
      const { tree: read } = await readPgn(await unpack(link));
      replaceTree(read, read.find(moves) ?? read.root);
    } else await open(fen, moves);
    if (isReview) await reviewer.toggle();
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

/** Reads a game of a PGN; returns its tree, and where and why the moves end too early. */
async function readPgn(pgn, number = 0) {
  const game = await api.ask({ ask: "game", pgn, number });
  return { tree: readGame(game), error: game.error };
}

function replaceTree(other, node) {
  reviewer.reset();
  keepComment();
  tree = other;
  at("game-error").hidden = true;
  show(node);
}

/** The page's address of the position shown. */
const address = () => writeAddress({ fen: tree.root.fen, moves: movesTo(current), side: orientation });

addEventListener("hashchange", () => {
  if (tree && location.hash === address()) return;
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
  const hash = address();
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
  // Lines of an earlier position would be wrong moves.
  const hadFocus = at("lines").contains(document.activeElement);
  at("lines").replaceChildren();
  reviewer.move(node);
  render();
  if (hadFocus) at("moves").querySelector("[aria-current]")?.focus();
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
  showBest();
  showPlayers(at("player-top"), at("player-bottom"), orientation, path(current), about);
  at("opening").textContent = openingOf(path(current));
  showEvaluations();
  showTree(at("moves"), tree, current, show);
  reviewer.render();
  if (showsParts) showParts().catch(complain);
  at("lines").style.setProperty("--lines", isOn ? at("line-count").value : 0);
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

/** Draws the arrow of the best move, or of the threat. */
function showBest() {
  const uci = best.find((ply) => ply.uci !== "0000")?.uci;
  board.showArrow(uci?.slice(0, 2), uci?.slice(2, 4));
}

/** A side's strip: what the tags and the clock comments say. */
function about(side) {
  const [White, Black] = [side === "white", side === "black"];
  const name = White ? "White" : "Black";
  const tags = new Map(tree.tags);
  const known = (value) => (["?", "-", ""].includes(value ?? "?") ? null : value);
  const moved = path(current).findLast((node) => node.clock && node.parent && turnOf(node).isWhite === White);
  const points = { "1-0": White ? "1" : "0", "0-1": Black ? "1" : "0", "1/2-1/2": "½" }[tree.result] ?? "";
  const hasClocks = tree.main().some(({ clock }) => clock);
  return {
    name: known(tags.get(name)) ?? name, note: known(tags.get(`${name}Elo`)) ?? "", points,
    ...(hasClocks && { clock: moved?.clock.replace(/^0+:0?(?=\d)/, "") ?? "" }),
  };
}

function showEvaluations() {
  const nodes = through(current);
  showBar(at("bar"), evaluationOf(current), orientation);
  const stages = nodes.map((node) => ({ evaluation: evaluationOf(node), fault: faultOf(node) }));
  showCurve(at("curve"), stages, path(current).length - 1);
}

/** The evaluation of a node: by the rules at the end of a game, by the engine, or that of the PGN. */
function evaluationOf(node) {
  if (node.end) return evaluationOfEnd(node.end);
  if (node.san?.endsWith("#")) return evaluationOfEnd({ winner: turnOf(node).isWhite ? "white" : "black" });
  return node.engineEvaluation ?? node.evaluation;
}

function showEnd() {
  const end = current.end ?? null;
  at("speed").textContent = end ? `${end.reason}, ${end.result}` : "";
}

async function showParts() {
  const { fen } = current;
  const values = await api.parts(fen);
  if (showsParts && fen === current.fen) board.showValues(values);
}

// Moves.

async function playText(text) {
  const from = current;
  const { plies, problem } = await api.ask({ ask: "line", fen: from.fen, moves: [text] });
  if (problem) throw new Error(`${problem}.`);
  announce(plies[0]);
  const node = tree.add(from, plies[0]);
  await show(node);
  await reviewer.judge(node);
}

function playLine(plies) {
  show(tree.addLine(current, plies));
}

function announce({ san }) {
  sound(san);
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
  restart();
}

function toggleThreat() {
  showsThreat = !showsThreat;
  isOn ||= showsThreat;
  restart();
}

function restart() {
  at("engine").setAttribute("aria-pressed", String(isOn));
  at("threat").setAttribute("aria-pressed", String(isOn && showsThreat));
  stopSearch();
  best = [];
  at("lines").replaceChildren();
  render();
  if (isOn && current.legal?.length) startSearch().catch(complain);
  else showEnd();
}

async function startSearch() {
  stopSearch();
  // A page in the background searches nothing: browsers open few connections to a server, and it has few searches.
  if (document.hidden) return;
  const controller = new AbortController();
  running = controller;
  const node = current;
  const [count, threads, hash] = ["line-count", "thread-count", "hash-size"].map((id) => Number(at(id).value));
  const lines = [];
  let timer = null;
  let [start, passes] = [node.fen, []];
  if (showsThreat) {
    if (node.check) { at("speed").textContent = "in check: no threat"; return; }
    passes = (await api.ask({ ask: "line", fen: node.fen, moves: ["--"] })).plies;
    if (running !== controller) return;
    start = passes[0].fen;
  }
  const refresh = async () => {
    timer = null;
    const kept = lines.filter(Boolean);
    const answers = await Promise.all(kept.map(({ moves }) => api.ask({ ask: "line", fen: start, moves: moves.slice(0, SHOWN_PLIES) })));
    if (running !== controller) return;
    best = [...passes, ...answers[0].plies];
    if (!showsThreat) node.engineEvaluation = kept[0].evaluation;
    showLines(at("lines"), kept.map(({ evaluation }, index) => ({ evaluation, plies: answers[index].plies })), numbered(start), (plies) => {
      if (current === node) playLine([...passes, ...plies]);
    });
    at("speed").textContent = `${showsThreat ? "threat, " : ""}depth ${kept[0].depth} · ${short(kept[0].nodes)} nodes · ${short(kept[0].nps)}/s`;
    showBest();
    showEvaluations();
  };
  const hear = (text) => {
    const info = readInfo(text, start.split(" ")[1] === "w");
    if (!info) return;
    lines[info.rank - 1] = info;
    timer ??= setTimeout(() => refresh().catch(complain), 150);
  };
  at("speed").textContent = "searching…";
  const position = showsThreat ? { fen: start, moves: [] } : searched(path(node));
  await api.analyse({ ...position, lines: count, threads: threads || 1, hash: hash || 16, go: "infinite" }, hear, controller.signal).catch((error) => {
    if (controller.signal.aborted) return;
    at("speed").textContent = "";
    throw error;
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) stopSearch();
  else if (isOn && current.legal?.length) startSearch().catch(complain);
});

// Reading and writing.

/** Shows the games of a text, or a position. */
async function readText(text) {
  at("text-error").hidden = true;
  let games = [];
  try {
    if (text.includes("\0")) throw new Error("This is UTF-16: save it as UTF-8.");
    if (isFen(text)) await open(text, []);
    else {
      games = await findGames(text);
      if (games.length === 0) throw new Error("There is no game and no position.");
      list.show(games);
      await openGame(games[0]);
    }
    at("load").open = false;
  } catch (error) {
    if (games.length > 1) showGameError(error);
    else Object.assign(at("text-error"), { textContent: error.message, hidden: false });
  }
}

async function openGame(game) {
  list.mark(game);
  // The rules count lines from the first of those with the game.
  const placed = (text) => text.replace(/^(line) (\d+)/i, (_, word, line) => `${word} ${Number(line) + game.line}`);
  const { tree: read, error } = await readPgn(game.pgn, game.number).catch((problem) => { throw new Error(placed(problem.message)); });
  replaceTree(read, read.root);
  if (error) showGameError({ message: `The moves end at ${placed(error)}.` });
}

function showGameError({ message }) {
  Object.assign(at("game-error"), { textContent: message, hidden: false });
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
  savePgn(players.join("-").replace(/[^\p{L}\p{N}-]+/gu, "_") || "game", writeGame(tree));
}

/** Keeps what was written in the comment's field. */
function keepComment() {
  if (isWriting && tree.has(current)) tree.annotate(current, { text: at("comment").value.trim() });
  isWriting = false;
}

function edit() {
  if (isOn) toggleEngine();
  isEditing = true;
  at("analysis").hidden = true;
  showBar(at("bar"), null, orientation);
  board.showValues();
  board.showShapes([]);
  editor.open(current.fen);
}

function finishEditing(fen) {
  isEditing = false;
  editor.close();
  at("analysis").hidden = false;
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
  threat: toggleThreat,
  promote: () => { tree.promote(current); render(); },
  delete: () => { const { parent } = current; tree.remove(current); show(parent); },
  undo: () => { tree.undo(); show(tree.has(current) ? current : path(current).findLast((node) => tree.has(node)) ?? tree.root); },
  review: () => reviewer.toggle().catch(complain),
  puzzle: () => reviewer.next(),
  parts: () => {
    showsParts = !showsParts;
    at("parts").setAttribute("aria-pressed", String(showsParts));
    if (showsParts) render();
    else board.showValues();
  },
  settings: () => {
    const isClosed = at("engine-settings").toggleAttribute("hidden");
    at("settings").setAttribute("aria-expanded", String(!isClosed));
  },
  edit,
  read: () => readText(at("text").value.trim()),
  save,
  "open-file": () => at("file").click(),
  "copy-fen": () => copy(current.fen, at("copy-fen")),
  "copy-pgn": () => copy(writeGame(tree), at("copy-pgn")),
  "copy-link": async () => {
    const hash = writeAddress({ tree: await pack(writeGame(tree)), moves: movesTo(current), side: orientation });
    await copy(location.origin + location.pathname + hash, at("copy-link"));
  },
};
for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);
api.info().then(({ limits: { threads, hash } }) => {
  at("threads").hidden = threads < 2;
  for (let count = 1; count <= threads; count += 1) at("thread-count").append(new Option(count));
  for (const size of [16, 64, 256, 1024].filter((size) => size <= hash)) at("hash-size").append(new Option(`${size} MB`, size));
}).catch(complain);
for (const id of ["line-count", "thread-count", "hash-size"]) at(id).addEventListener("change", () => { render(); if (isOn) startSearch().catch(complain); });
at("comment").addEventListener("input", () => { isWriting = true; });
at("comment").addEventListener("change", () => { keepComment(); render(); });
at("text").addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "";
  if (text.length < LONG_TEXT) return;
  event.preventDefault();
  readText(text);
});
const openFile = async (file) => readText(await textOf(file));
at("file").addEventListener("change", () => {
  const [file] = at("file").files;
  if (file) openFile(file).finally(() => { at("file").value = ""; });
});
onDrop((file) => { if (!isEditing) openFile(file).catch(complain); });
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
    ArrowLeft: "step-back", ArrowRight: "step-forward", Home: "step-first", End: "step-last", f: "flip", e: "engine", x: "threat", s: "sounds",
  };
  if (event.key === "/") at("typed-move").focus();
  else if (event.key === "ArrowUp") sibling(-1);
  else if (event.key === "ArrowDown") sibling(1);
  else if (event.key === " " && !onButton) { if (best.length) playLine(best.slice(0, 1)); }
  else if (keys[event.key]) { if (!at(keys[event.key]).disabled) at(keys[event.key]).click(); }
  else return;
  event.preventDefault();
});
