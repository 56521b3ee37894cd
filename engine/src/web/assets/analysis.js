// The analysis board: a tree of moves, the engine's lines, the review, the explorer, and the position editor.

import { pack, readAddress, unpack, writeAddress } from "./address.js";
import { COLORS, MOVE_GLYPHS, faultOf, sign } from "./annotation.js";
import * as api from "./api.js";
import { Board, toggled } from "./board.js";
import { Editor } from "./editor.js";
import { at, button, complain as warn, copy, onClicks, recall, remember, say, tell } from "./elements.js";
import { showBar, showCurve } from "./evaluation.js";
import { Explorer } from "./explorer.js";
import { bytesAt, onDrop, savePgn, textOf } from "./files.js";
import { GameList, findGames } from "./games.js";
import { onKeys } from "./keys.js";
import { evaluationOfEnd, readInfo, short, showLines } from "./lines.js";
import { picture } from "./mistakes.js";
import { showTree } from "./move-tree.js";
import { START, isFen, isWhiteToMove, numbered, pawns, playerTitle, positionKey, spoken, squaresOf } from "./notation.js";
import { readGame, writeGame } from "./pgn.js";
import { showPlayers } from "./players.js";
import { Reviewer } from "./reviewer.js";
import { addHandle } from "./size.js";
import { addSwitch, sound } from "./sound.js";
import { Tree, movesTo, path, searched, through, turnOf } from "./tree.js";

/** Pasted text of this length is many games: a field with it would be slow. */
const LONG_TEXT = 100_000;
/** Letters of a file that a reload keeps. */
const KEPT_TEXT = 1_500_000;
const SHOWN_PLIES = 40;
/** Boards that undo leads back to. */
const MAX_BOARDS = 20;
/** Milliseconds until what the program did not answer is asked again: it may have been started again. */
const RETRY = 2000;
/** Addresses of the kept mistakes, and of the games of a file that is kept. */
const [PRACTICE, GAMES] = ["#practice", "#games"];
const ARROWS = ["", "second", "third"];
const SETTINGS = ["evaluator", "other", "line-count", "thread-count", "hash-size"];

const board = new Board(at("board"), (uci) => playText(uci));
board.next = "other";
const editor = new Editor(at("editor"), board, api.ask, finishEditing);
const reviewer = new Reviewer({
  get tree() { return tree; },
  get current() { return current; },
  show: (node) => step(node),
  turn: (side) => { orientation = side; },
  stopEngine: () => { if (isOn) toggleEngine(); },
  render, showEvaluations, evaluationOf, complain,
});
const failGame = ({ message }) => say("game-error", message);
const list = new GameList((game) => openGame(game).catch(failGame));
const explorer = new Explorer((san) => playText(san), async (game, key) => {
  await openGame(game).catch(failGame);
  step(tree.main().find(({ fen }) => positionKey(fen) === key));
});
let tree;
let current;
/** Whether the games are the mistakes that were kept. */
let isPractising = false;
let orientation = "white";
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
/** The player or network that the page's address adds. */
let { compare } = readAddress(location.hash);
/** Who evaluates, one or two: each with the ids of its choice and its list, and the engine's lines as moves of the rules. */
const evaluators = [{ choice: "evaluator", list: "lines", lines: [] }, { choice: "other", list: "other-lines", lines: [] }];
/** Earlier boards and this one, as `{pgn, moves, side}`: undo leads back to those before `place`. */
let boards = [];
let place = -1;
/** Counts the positions shown, so that late answers are dropped. */
let shown = 0;

import("./opening.js").then((opening) => { ({ openingOf } = opening); if (tree) render(); }, complain);
document.querySelector("[data-page=analysis]")?.setAttribute("aria-current", "page");
start().catch(complain);

async function start() {
  addHandle(at("board").parentElement);
  addSwitch(at("sounds"));
  await addSettings().catch(complain);
  const [saved, text] = [recall("analysis", "sessionStorage"), recall("games", "sessionStorage")];
  if (saved?.boards?.length) ({ boards, place } = saved);
  const { fen, moves, tree: link, side } = readAddress(location.hash);
  const isPlain = !link && location.hash !== PRACTICE && location.hash !== GAMES;
  if (text && isPlain) {
    list.show(await findGames(text).catch(() => []));
    list.mark(list.games[recall("game", "sessionStorage") ?? 0]);
    at("games").open = false;
    at("game-steps").hidden = list.games.length < 2;
  }
  if (boards[place] && isPlain) {
    const kept = await readPgn(boards[place].pgn).catch(() => null);
    const asked = await api.ask({ ask: "line", ...(fen && { fen }) }).catch(() => null);
    const node = kept && kept.root.fen === asked?.start.fen ? kept.find(moves) : null;
    orientation = side;
    if (node) { replaceTree(kept, node, place); return; }
  }
  await openAddress();
  at("load").open = tree.root.children.length === 0;
}

/** Shows what the page's address says; the initial position if that is wrong and nothing else is shown. */
async function openAddress() {
  const { fen, moves, tree: link, side, review: isReview } = readAddress(location.hash);
  orientation = side;
  try {
    isPractising = location.hash === PRACTICE;
    if (isPractising) await readText((recall("mistakes") ?? []).join("\n"));
    else if (location.hash === GAMES) await readText(recall("games", "sessionStorage") ?? "");
    else if (link) {
      const read = await readPgn(await unpack(link));
      replaceTree(read, read.find(moves) ?? read.root);
    } else await open(fen, moves);
    if (isReview) await reviewer.start();
  } catch (error) {
    if (!tree) await open(null, []);
    throw error;
  }
}

async function open(fen, moves) {
  const line = await api.ask({ ask: "line", ...(fen && { fen }), moves });
  const begun = new Tree(line.start);
  const last = begun.addLine(begun.root, line.plies);
  begun.settle();
  replaceTree(begun, last);
  if (line.problem) throw new Error(`${line.problem}.`);
}

const readPgn = async (pgn, number = 0) => readGame(await api.ask({ ask: "game", pgn, number }));

/** Shows another board: a new one after all others, unless it has a place. The one that was shown stays in its place. */
function replaceTree(other, node, known = null) {
  reviewer.reset();
  keepComment();
  const isEmpty = (pgn) => pgn === writeGame(new Tree({ fen: START }));
  if (tree) boards[place] = snapshot();
  if (known === null) boards = boards.filter(({ pgn }) => !isEmpty(pgn)).slice(1 - MAX_BOARDS);
  [tree, current] = [other, node];
  place = known ?? boards.length;
  boards[place] = snapshot();
  say("game-error", "");
  show(node);
  reviewer.resume().catch(complain);
}

const snapshot = () => ({ pgn: writeGame(tree), moves: movesTo(current), side: orientation });

async function turnTo(number) {
  const { pgn, moves, side } = boards[number];
  const read = await readPgn(pgn);
  orientation = side;
  replaceTree(read, read.find(moves) ?? read.root, number);
}

function undo() {
  if (!tree.canUndo) { if (place > 0) turnTo(place - 1).catch(complain); return; }
  tree.undo();
  show(path(current).findLast((node) => tree.has(node)) ?? tree.root);
}

const address = () => writeAddress({ fen: tree.root.fen, moves: movesTo(current), side: orientation, compare });

addEventListener("hashchange", () => {
  if (!tree || location.hash !== address()) openAddress().catch(complain);
});

/** Keeps the position soon: not at every step, because browsers limit that. */
let keepTimer = null;

/** Keeps the position in the address and the tree for a reload. */
function keep() {
  clearTimeout(keepTimer);
  keepTimer = null;
  const hash = address();
  try {
    if (location.hash !== hash) history.replaceState(null, "", location.pathname + location.search + hash);
  } catch { /* the address says where the page was before */ }
  boards[place] = snapshot();
  if (!remember("analysis", { boards, place }, "sessionStorage")) remember("analysis", { boards: [boards[place]], place: 0 }, "sessionStorage");
}

addEventListener("pagehide", () => { if (keepTimer !== null) keep(); });

// The position shown.

async function show(node) {
  keepComment();
  current = node;
  shown += 1;
  const number = shown;
  stopSearch();
  // Lines of an earlier position would be wrong moves.
  const hadFocus = document.activeElement.closest(".lines");
  clearLines();
  reviewer.move(node);
  render();
  if (hadFocus) at("moves").querySelector("[aria-current]")?.focus();
  const question = { ask: "line", fen: tree.root.fen, moves: movesTo(node) };
  const answer = await api.ask(question).catch((error) => { complain(error); return null; });
  if (number !== shown || isEditing) return;
  if (!answer) { setTimeout(() => { if (number === shown && !isEditing) show(current); }, RETRY); return; }
  ({ legal: node.legal, end: node.end } = answer);
  render();
  search();
}

function render() {
  // Until its moves are known, a side's pieces go anywhere: the rules answer each move.
  const premoves = current.legal ? null : isWhiteToMove(current.fen) ? "white" : "black";
  if (!waiting) board.show({ fen: current.fen, orientation, last: squaresOf(current.uci ?? ""), check: current.check, legal: current.legal ?? [], premoves });
  board.showShapes(current.shapes);
  showArrows();
  showPlayers(at("player-top"), at("player-bottom"), orientation, path(current), about);
  at("opening").textContent = openingOf(path(current));
  showEvaluations();
  showTree(at("moves"), tree, current, show);
  reviewer.render();
  if (showsParts) showParts().catch(complain);
  if (!at("explorer").hidden) explorer.show(current.fen, list.games, list.found.map(({ index }) => index)).catch(complain);
  for (const { list: id, choice } of evaluators) at(id).style.setProperty("--lines", isOn && at(choice).value ? at("line-count").value : 0);
  at("step-first").disabled = at("step-back").disabled = at("delete").disabled = !current.parent;
  at("step-last").disabled = at("step-forward").disabled = current.children.length === 0;
  at("promote").disabled = path(current).every((node) => !node.parent || node.parent.children[0] === node);
  at("undo").disabled = !tree.canUndo && place === 0;
  at("redo").disabled = place === boards.length - 1;
  if (!isWriting) at("comment").value = current.text;
  for (const glyph of at("glyphs").children) {
    glyph.disabled = !current.parent;
    glyph.ariaPressed = current.glyphs.includes(Number(glyph.dataset.glyph));
  }
  clearTimeout(keepTimer);
  keepTimer = setTimeout(keep, 300);
}

/** Draws the arrows of the first moves, or of the threat. */
function showArrows() {
  const arrows = evaluators.flatMap(({ lines }, side) => lines.slice(0, ARROWS.length).flatMap((plies, rank) => {
    const uci = plies.find((ply) => ply.uci !== "0000")?.uci;
    return uci ? [[...squaresOf(uci), [ARROWS[rank], showsThreat && "threat", side && "other"].filter(Boolean).join(" ")]] : [];
  }));
  // The first is drawn last, above the others.
  board.showArrows(arrows.reverse());
}

/** A side's strip: what the tags and the clock comments say. */
function about(side) {
  const name = side === "white" ? "White" : "Black";
  const tags = new Map(tree.tags);
  const known = (value) => (["?", "-", ""].includes(value ?? "?") ? null : value);
  const moved = path(current).findLast((node) => node.clock && node.parent && turnOf(node).isWhite === (side === "white"));
  const points = { "1-0": "10", "0-1": "01", "1/2-1/2": "½½" }[tree.result]?.[side === "white" ? 0 : 1] ?? "";
  const hasClocks = tree.main().some(({ clock }) => clock);
  return {
    name: known(tags.get(name)) ?? name, note: known(tags.get(`${name}Elo`)) ?? "", points,
    ...(hasClocks && { clock: moved?.clock.replace(/^0+:0?(?=\d)/, "") ?? "" }),
  };
}

function showEvaluations() {
  const nodes = through(current);
  showBar(at("bar"), evaluationOf(current), orientation);
  showBar(at("other-bar"), current.end ? evaluationOf(current) : current.otherEvaluation, orientation);
  const stages = nodes.map((node) => ({ evaluation: evaluationOf(node), fault: faultOf(node) }));
  showCurve(at("curve"), stages, path(current).length - 1, (ply) => step(nodes[ply]));
}

/** The evaluation of a node: by the rules at the end of a game, by the engine, or that of the PGN. */
function evaluationOf(node) {
  if (node.end) return evaluationOfEnd(node.end);
  if (node.san?.endsWith("#")) return evaluationOfEnd({ winner: turnOf(node).isWhite ? "white" : "black" });
  return node.engineEvaluation ?? node.evaluation;
}

const chosen = () => evaluators.filter(({ choice }) => at(choice).value);
const nameOf = (player) => (player.startsWith("file:") ? player.slice(5) : playerTitle(player));

/** Shows what each piece adds, and the whole. */
async function showParts() {
  const [{ fen }, players] = [current, chosen().map(({ choice }) => at(choice).value)];
  const views = await Promise.all(players.map((player) => api.view(fen, player)));
  if (!showsParts || fen !== current.fen) return;
  board.showValues(...views.map(({ parts }) => parts).filter((parts) => Object.keys(parts).length));
  say("totals", views.map(({ value }, index) => `${nameOf(players[index])}: ${pawns(value, 2)}`).join(" · "));
}

// Moves.

let plays = Promise.resolve();
/** The number of moves that wait for those before them; the board shows them. */
let waiting = 0;

/** Plays a move after those that the rules have not answered yet; returns whether it was played. */
function playText(text) {
  waiting += 1;
  plays = plays.then(() => playNext(text)).then(() => true, complain);
  return plays;
}

async function playNext(text) {
  const from = current;
  waiting -= 1;
  const ply = await api.moveOf(from.fen, text);
  announce(ply);
  const node = tree.add(from, ply, reviewer.isAsking(from));
  await show(node);
  reviewer.judge(node).catch(complain);
}

const playLine = (plies) => show(tree.addLine(current, plies));

function announce({ san }) {
  sound(san);
  tell(`${spoken(san)}.`);
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

function clearLines() {
  for (const evaluator of evaluators) {
    evaluator.lines = [];
    at(evaluator.list).replaceChildren();
  }
  lookAt();
}

function toggleEngine() {
  isOn = !isOn;
  restart();
}

function restart() {
  at("engine").ariaPressed = isOn;
  at("threat").ariaPressed = isOn && showsThreat;
  at("other-bar").hidden = at("other-lines").hidden = !at("other").value;
  remember("engine", { isOn, ...Object.fromEntries(SETTINGS.filter((id) => id !== "other" || !compare).map((id) => [id, at(id).value])) });
  stopSearch();
  clearLines();
  if (!current) return;
  render();
  search();
}

function search() {
  const { legal, end } = current;
  if (isOn && legal?.length && !end) startSearch().catch(complain);
  else at("speed").textContent = end ? `${end.reason}, ${end.result}` : "";
}

async function startSearch() {
  stopSearch();
  // A page in the background searches nothing: browsers open few connections to a server, and it has few searches.
  if (document.hidden) return;
  const controller = new AbortController();
  running = controller;
  const node = current;
  let [start, passes] = [node.fen, []];
  if (showsThreat) {
    if (node.check) { at("speed").textContent = "in check: no threat"; return; }
    passes = (await api.ask({ ask: "line", fen: node.fen, moves: ["--"] })).plies;
    if (running !== controller) return;
    start = passes[0].fen;
  }
  at("speed").textContent = "searching…";
  const position = showsThreat ? { fen: start, moves: [] } : searched(path(node));
  await Promise.all(chosen().map((evaluator) => searchBy(evaluator, node, start, passes, position, controller))).catch((error) => {
    if (controller.signal.aborted) return;
    at("speed").textContent = "";
    setTimeout(() => { if (running === controller) startSearch().catch(complain); }, RETRY);
    throw error;
  });
}

/** Searches with the player of an evaluator, and shows its lines. */
async function searchBy(evaluator, node, start, passes, position, { signal }) {
  const [lines, count, slot] = [[], Number(at("line-count").value), evaluators.indexOf(evaluator)];
  let timer = null;
  const refresh = async () => {
    timer = null;
    const kept = lines.filter(Boolean);
    const answers = await Promise.all(kept.map(({ moves }) => api.ask({ ask: "line", fen: start, moves: moves.slice(0, SHOWN_PLIES) })));
    if (signal.aborted) return;
    evaluator.lines = answers.map(({ plies }) => [...passes, ...plies]);
    const [{ evaluation, depth, nodes, nps }] = kept;
    if (!showsThreat) node[slot ? "otherEvaluation" : "engineEvaluation"] = evaluation;
    showLines(at(evaluator.list), kept.map((line, index) => ({ evaluation: line.evaluation, plies: answers[index].plies })), numbered(start), (plies) => {
      if (current === node) playLine([...passes, ...plies]);
    }, lookAt);
    if (!slot) at("speed").textContent = `${showsThreat ? "threat, " : ""}depth ${depth} · ${short(nodes)} nodes · ${short(nps)}/s`;
    showArrows();
    showEvaluations();
  };
  const hear = (text) => {
    const info = readInfo(text, start);
    if (!info) return;
    lines[info.rank - 1] = info;
    timer ??= setTimeout(() => refresh().catch((error) => { if (!signal.aborted) complain(error); }), 150);
  };
  const [player, threads, hash] = [at(evaluator.choice).value, Number(at("thread-count").value) || 1, Number(at("hash-size").value) || 16];
  await api.analyse({ ...position, player, slot, lines: count, threads, hash, go: "infinite" }, hear, signal);
}

/** Shows the position after a move of a line beside its button; without one, nothing. */
function lookAt(ply, beside) {
  const box = at("preview");
  box.hidden = !ply;
  if (!ply) return;
  box.replaceChildren(picture(ply.fen, orientation));
  const { left, top, bottom } = beside.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(left, innerWidth - box.offsetWidth - 4))}px`;
  box.style.top = `${bottom + box.offsetHeight + 8 < innerHeight ? bottom + 4 : Math.max(4, top - box.offsetHeight - 4)}px`;
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) stopSearch();
  else if (current) search();
});

// Reading and writing.

async function readText(text) {
  isPractising &&= location.hash === PRACTICE;
  say("text-error", "");
  say("game-error", "");
  let games = [];
  try {
    if (text.includes("\0")) throw new Error("This is UTF-16: save it as UTF-8.");
    if (isFen(text)) await open(text, []);
    else {
      games = await findGames(text);
      if (games.length === 0) throw new Error("There is no game and no position.");
      list.show(games);
      remember("games", text.length < KEPT_TEXT ? text : null, "sessionStorage");
      await openGame(games[0]);
    }
    at("load").open = false;
  } catch (error) {
    at("load").open = games.length < 2;
    say(games.length > 1 ? "game-error" : "text-error", error.message);
  }
}

async function openGame(game) {
  list.mark(game);
  remember("game", list.games.indexOf(game), "sessionStorage");
  at("game-steps").hidden = list.games.length < 2;
  // The rules count lines from the first of those with the game.
  const placed = (text) => text.replace(/^(line) (\d+)/i, (_, word, line) => `${word} ${Number(line) + game.line}`);
  const read = await readPgn(game.pgn, game.number).catch((problem) => { throw new Error(placed(problem.message)); });
  replaceTree(read, read.root);
  if (isPractising) reviewer.next();
  if (read.error) say("game-error", `The moves end at ${placed(read.error)}.`);
}

function copyText(text, pressed) {
  at("copied").value = text;
  at("copied-field").hidden = false;
  return copy(at("copied"), pressed);
}

function keepComment() {
  if (isWriting && tree.has(current)) tree.annotate(current, { text: at("comment").value.trim() });
  isWriting = false;
}

function finishEditing(fen) {
  isEditing = false;
  editor.close();
  at("analysis").hidden = false;
  if (fen) open(fen, []).catch(complain);
  else show(current);
}

/** Shows an error, and the position as it is. */
function complain(error) {
  warn(error);
  if (current && !isEditing) render();
}

// Controls.

/** A button with a name that changes annotations of the move shown. */
function annotating(text, name, act, className = "") {
  const made = button(text, () => { act(made); }, className);
  made.ariaLabel = made.title = name;
  made.ariaPressed = false;
  return made;
}

board.onShape = (shape) => {
  keepComment();
  tree.annotate(current, { shapes: toggled(current.shapes, shape) });
  render();
};

at("pens").append(...COLORS.map((color) => annotating("", `Draw in ${color}`, (pen) => {
  board.pen = board.pen === color ? null : color;
  at("board").classList.toggle("drawing", board.pen !== null);
  for (const other of at("pens").children) other.ariaPressed = other === pen && board.pen !== null;
}, color)));

at("glyphs").append(...MOVE_GLYPHS.map(([glyph, name]) => {
  const made = annotating(sign(glyph), name, () => {
    const others = current.glyphs.filter((other) => other > 6);
    tree.annotate(current, { glyphs: current.glyphs.includes(glyph) ? others : [glyph, ...others] });
    render();
  });
  made.dataset.glyph = glyph;
  return made;
}));

onClicks({
  "step-first": () => step(tree.root),
  "step-back": () => step(current.parent),
  "step-forward": () => step(current.children[0]),
  "step-last": () => step(through(current).at(-1)),
  flip: () => { orientation = orientation === "white" ? "black" : "white"; render(); },
  engine: toggleEngine,
  threat: () => {
    showsThreat = !showsThreat;
    isOn ||= showsThreat;
    restart();
  },
  promote: () => { tree.promote(current); render(); },
  delete: () => { const { parent } = current; tree.remove(current); show(parent); },
  undo,
  redo: () => { if (place < boards.length - 1) turnTo(place + 1).catch(complain); },
  fresh: () => open(null, []).catch(complain),
  "play-on": () => {
    const line = new Tree(tree.root);
    line.addLine(line.root, path(current).slice(1));
    remember("start", writeGame(line), "sessionStorage");
    location.assign(document.querySelector(".brand").href);
  },
  "game-back": () => list.step(-1),
  "game-forward": () => list.step(1),
  review: () => reviewer.toggle().catch(complain),
  puzzle: () => { if (!isPractising || !list.step(1)) reviewer.next(); },
  explore: () => {
    at("explore").ariaPressed = !at("explorer").toggleAttribute("hidden");
    render();
  },
  parts: () => {
    showsParts = !showsParts;
    at("parts").ariaPressed = showsParts;
    board.showValues();
    say("totals", "");
    render();
  },
  settings: () => { at("settings").ariaExpanded = !at("engine-settings").toggleAttribute("hidden"); },
  edit: () => {
    if (isOn) toggleEngine();
    isEditing = true;
    at("analysis").hidden = true;
    showBar(at("bar"), null, orientation);
    board.showValues();
    board.showShapes([]);
    editor.open(current.fen);
  },
  read: () => readText(at("text").value.trim()),
  save: () => {
    const names = new Map(tree.tags);
    const players = ["White", "Black"].map((side) => names.get(side)).filter((name) => name && name !== "?");
    savePgn(players.join("-").replace(/[^\p{L}\p{N}-]+/gu, "_") || "game", writeGame(tree));
  },
  "open-file": () => at("file").click(),
  "copy-fen": () => copyText(current.fen, at("copy-fen")),
  "copy-pgn": () => copyText(writeGame(tree), at("copy-pgn")),
  "copy-link": async () => {
    const hash = writeAddress({ tree: await pack(writeGame(tree)), moves: movesTo(current), side: orientation });
    await copyText(location.origin + location.pathname + hash, at("copy-link"));
  },
});

/** Fills the settings of the engine, as they were left, and adds who is to be compared. */
async function addSettings() {
  const { players, network, limits: { threads, hash } } = await api.info();
  at("threads").hidden = threads < 2;
  for (let count = 1; count <= threads; count += 1) at("thread-count").append(new Option(count));
  for (const size of [16, 64, 256, 1024].filter((size) => size <= hash)) at("hash-size").append(new Option(`${size} MB`, size));
  for (const player of players.filter((name) => name !== "random")) addPlayer(player, player === "nnue" && network ? `${playerTitle(player)}, ${network}` : playerTitle(player));
  const kept = recall("engine") ?? {};
  for (const id of SETTINGS) {
    if ([...at(id).options].some(({ value }) => value === kept[id])) at(id).value = kept[id];
    at(id).addEventListener("change", () => {
      if (id === "other") compare = null;
      restart();
    });
  }
  isOn = kept.isOn === true || Boolean(compare);
  if (compare?.endsWith(".nnue")) await openNetwork(compare.split("/").at(-1), await bytesAt(compare, { mode: "same-origin" }));
  else if (compare) at("other").value = compare;
  restart();
}

function addPlayer(player, title) {
  for (const { choice } of evaluators) {
    if ([...at(choice).options].every(({ value }) => value !== player)) at(choice).append(new Option(title, player));
  }
}

/** A network file evaluates beside the one that does. */
async function openNetwork(name, bytes) {
  addPlayer(`file:${name}`, `${name}, ${await api.openNetwork(name, bytes)}`);
  at("other").value = `file:${name}`;
  at("engine-settings").hidden = false;
  at("settings").ariaExpanded = true;
  restart();
}

at("games-filter").addEventListener("input", render);
at("comment").addEventListener("input", () => { isWriting = true; });
at("comment").addEventListener("change", () => { keepComment(); render(); });
at("text").addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text") ?? "";
  if (text.length < LONG_TEXT) return;
  event.preventDefault();
  readText(text);
});
async function openFile(file) {
  if (!/\.nnue$/i.test(file.name)) return readText(await textOf(file));
  compare = null;
  return openNetwork(file.name, await file.arrayBuffer());
}
at("file").addEventListener("change", () => {
  const [file] = at("file").files;
  if (file) openFile(file).catch(complain).finally(() => { at("file").value = ""; });
});
onDrop((file) => { if (!isEditing) openFile(file).catch(complain); });
document.addEventListener("click", ({ target }) => { if (!target.closest("#menu summary")) at("menu").open = false; });

onKeys({
  ArrowLeft: "step-back", ArrowRight: "step-forward", Home: "step-first", End: "step-last", f: "flip", e: "engine", x: "threat", o: "explore", s: "sounds",
  ArrowUp: () => sibling(-1), ArrowDown: () => sibling(1), Escape: () => { at("menu").open = false; },
  " ": () => { const [line] = evaluators[0].lines; if (line?.length) playLine(line.slice(0, 1)); },
  "ctrl z": "undo", "ctrl Z": "redo", "ctrl y": "redo",
}, (text) => readText(text), playText, () => !isEditing && current);
