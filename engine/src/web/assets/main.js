// The page: the game shown, the position shown, and the actions of the buttons.

import { pack, writeAddress } from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { plyAt, showBar, showCurve } from "./evaluation.js";
import { savePgn } from "./files.js";
import { showTree } from "./move-tree.js";
import { capital, playerTitle, score, sentence, spoken } from "./notation.js";
import { Clocks, showPlayers } from "./players.js";
import { showSetup } from "./setup.js";
import { addHandle } from "./size.js";
import { addSwitch, sound } from "./sound.js";
import { Tree, movesTo, path } from "./tree.js";

const at = (id) => document.getElementById(id);
const board = new Board(at("board"), play);
const clocks = new Clocks(() => act(() => server.show()));

let server = null;
let game = null;
/** The game's moves; `nodes` are the positions from the start. */
let tree = null;
let nodes = [];
/** The position shown, in plies from the start. */
let ply = 0;
let isTurned = false;
let showsParts = false;
/** Whether the server does not answer. */
let isLost = false;
/** A move entered while the engine thinks. */
let premove = null;
/** The game as PGN, and packed for an address. */
let pgn = "";
let packed = null;

start();

async function start() {
  const id = api.shownGame();
  addHandle(at("board").parentElement);
  addSwitch(at("sounds"));
  if (!id) {
    for (const strip of ["player-top", "player-bottom"]) at(strip).hidden = true;
    const last = kept();
    if (last?.id) Object.assign(at("resume"), { href: api.gamePage(last.id), hidden: false });
    await showSetup(at("setup"), board, (begun) => location.assign(api.gamePage(begun.id))).catch(complain);
    return;
  }
  server = new api.Game(id);
  try {
    take(await server.show());
  } catch (error) {
    if (error.status === 404) showGone(id);
    else complain(error);
    return;
  }
  at("play").hidden = false;
  at("bar").hidden = false;
  server.follow(take, (error) => {
    if (error.status === 404) { showGone(id); return; }
    isLost = true;
    premove = null;
    render();
  });
}

// The game as this browser keeps it.

/** The last game, `{id, pgn, fen, settings, isOver}`. */
function kept() {
  try { return JSON.parse(localStorage.getItem("game")); } catch { return null; }
}

/** Counts the calls of `keep`, so that late ones are dropped. */
let keeps = 0;
let keepTimer = null;

/** Evaluations follow each other fast. */
function keepSoon() {
  keepTimer ??= setTimeout(() => { keepTimer = null; keep(); }, 300);
}

/** Keeps the game in the browser, and writes it into its field and the links to the analysis board. */
async function keep() {
  keeps += 1;
  const number = keeps;
  const written = await server.pgn().catch(() => null);
  const small = written && await pack(written);
  // The next change tries again.
  if (!written || number !== keeps) return;
  [pgn, packed] = [written, small];
  const { id, you, player, level, time } = game;
  const settings = { side: you, player, level, time };
  try { localStorage.setItem("game", JSON.stringify({ id, pgn, fen: nodes.at(-1).fen, settings, isOver: Boolean(game.end) })); } catch { /* the address has the id */ }
  at("pgn").value = pgn;
  showLinks();
}

/** The server does not know the game: what the browser keeps of it can go on as another. */
function showGone(id) {
  const last = kept();
  const own = last?.id === id ? last : null;
  at("play").hidden = at("bar").hidden = true;
  at("gone").hidden = false;
  clocks.set(null);
  board.show({ fen: own?.fen ?? "8/8/8/8/8/8/8/8 w - - 0 1", orientation: own?.settings.side });
  at("save-kept").hidden = !own;
  at("continue").hidden = !own || own.isOver;
  if (!own) return;
  pgn = own.pgn;
  at("gone-note").textContent = `The server has forgotten it: it was restarted, or the game was idle for too long. This browser has kept the game${own.settings.time.kind === "clock" ? ", except for the clocks" : ""}.`;
  at("continue").onclick = () => begin({ ...own.settings, position: own.pgn });
}

async function begin(settings) {
  try {
    location.assign(api.gamePage((await api.begin(settings)).id));
  } catch (error) {
    complain(error);
  }
}

// Updates from the server.

function take(view) {
  if (game && view.version < game.version) return;
  const before = game;
  const wasLatest = !before || ply >= before.stages.length - 1;
  [game, isLost] = [view, false];
  grow();
  if (wasLatest || ply > last()) ply = last();
  clocks.set(game.clock);
  if (before) announce(before);
  if (!before || before.stages.length !== game.stages.length || before.stages.at(-1).fen !== game.stages.at(-1).fen || Boolean(before.end) !== Boolean(game.end)) {
    keep();
    if (showsParts) refreshParts();
  } else if (JSON.stringify(before.stages) !== JSON.stringify(game.stages)) keepSoon();
  if (game.failure && game.failure !== before?.failure) complain(new Error(sentence(game.failure)));
  render();
  playPremove();
}

/** The tree follows the game, and keeps its nodes. */
function grow() {
  tree ??= new Tree(game.stages[0]);
  const end = tree.addLine(tree.root, game.stages.slice(1));
  end.children = [];
  nodes = path(end);
  nodes.forEach((node, index) => { node.isGiven = index <= game.given; });
}

const last = () => nodes.length - 1;
const orientation = () => ((game.you === "white") !== isTurned ? "white" : "black");
const isLatest = () => ply === last();
const canPremove = () => !game.end && !game.your_turn && !game.failure && !isLost && isLatest();

function announce(before) {
  const added = game.stages.slice(before.stages.length);
  const words = [];
  if (game.stages.length < before.stages.length) words.push("Taken back.");
  added.forEach(({ san }, index) => {
    const side = (before.stages.length + index) % 2 === firstParity() ? "White" : "Black";
    words.push(`${side}: ${spoken(san)}.`);
  });
  if (added.length > 0) sound(added.at(-1).san);
  if (game.end && !before.end) words.push(endText());
  if (words.length === 0) return;
  // A log, so that an entry that was not yet read aloud is not overwritten by the next.
  const entry = document.createElement("span");
  entry.textContent = words.join(" ");
  at("live").append(entry, " ");
  while (at("live").children.length > 8) at("live").firstChild.remove();
}

/** White's plies are odd if White moved first. */
const firstParity = () => (game.stages[0].fen.split(" ")[1] === "w" ? 1 : 0);

// Rendering.

function render() {
  const stage = game.stages[ply];
  const squares = stage.uci ? [stage.uci.slice(0, 2), stage.uci.slice(2, 4)] : [];
  board.show({
    fen: stage.fen, orientation: orientation(), last: squares, check: stage.check,
    legal: isLatest() && game.your_turn && !isLost ? game.legal : [],
    premoves: canPremove() ? game.you : null,
    planned: premove ? [premove.slice(0, 2), premove.slice(2, 4)] : [],
  });
  showPlayers(at("player-top"), at("player-bottom"), orientation(), nodes.slice(0, ply + 1), about);
  clocks.tick();
  showBar(at("bar"), stage.evaluation, orientation());
  showCurve(at("curve"), game.stages, ply);
  showTree(at("moves"), tree, nodes[ply], (node) => show(nodes.indexOf(node)));
  showStatus();
  showHint();
  at("step-first").disabled = at("step-back").disabled = ply === 0;
  at("step-last").disabled = at("step-forward").disabled = isLatest();
  at("takeback").disabled = isLost || !game.can_take_back;
  at("resign").disabled = isLost || Boolean(game.end);
  at("fen").value = stage.fen;
  showLinks();
  // A disabled field would lose the focus, and what is typed next would be shortcuts.
  at("typed-move").readOnly = !game.your_turn;
  at("typed").querySelector("button").disabled = !game.your_turn;
}

/** A side's strip. */
function about(side) {
  const isYou = game.you === side;
  const { winner } = game.end ?? {};
  return {
    name: isYou ? "You" : "Alfiere",
    note: isYou ? "" : [playerTitle(game.player), game.level_label].filter(Boolean).join(", "),
    points: !game.end ? "" : !winner ? "½" : winner === side ? "1" : "0",
    isOnMove: !game.end && game.turn === side,
    ...(game.clock && { clock: "" }),
  };
}

function showLinks() {
  const address = { fen: nodes[0].fen, tree: packed, side: orientation() };
  at("analyse").href = api.analysisPage + writeAddress({ ...address, moves: movesTo(nodes[ply]) });
  at("review").href = api.analysisPage + writeAddress({ ...address, moves: packed ? [] : movesTo(nodes.at(-1)), review: true });
}

function showStatus() {
  const status = at("status");
  const isOpponents = !game.end && !game.your_turn;
  const thinks = isOpponents && !game.failure && !isLost;
  status.classList.toggle("thinking", thinks);
  status.classList.toggle("over", Boolean(game.end));
  at("after").hidden = !game.end;
  at("lost").hidden = !isLost;
  at("status-text").textContent = game.end ? endText()
    : isLost ? "The server does not answer"
    : thinks ? "Alfiere is thinking" : isOpponents ? sentence(game.failure)
    : game.stages[last()].check ? "You are in check" : "Your move";
  const notes = [
    !isLatest() && `Showing half-move ${ply} of ${last()}.`,
    isLost && "This page keeps the game, and goes on when the server is back.",
    premove && `Then ${premove.slice(0, 2)}–${premove.slice(2, 4)}, if it is possible.`,
  ].filter(Boolean);
  at("status-note").hidden = notes.length === 0;
  at("status-note").textContent = notes.join(" ");
  const title = game.end ? game.end.result : isLost ? "No connection" : thinks ? "Thinking" : isOpponents ? "Stopped" : "Your move";
  document.title = `${title} · Alfiere`;
}

function endText() {
  const { winner, reason } = game.end;
  const reasonText = capital(reason);
  if (!winner) return `${reasonText}: a draw.`;
  return `${reasonText}. ${winner === game.you ? "You win!" : "Alfiere wins."}`;
}

function showHint() {
  const line = at("hint-line");
  const hint = game.hint?.ply === ply ? game.hint : null;
  line.hidden = !hint && game.requested_hint !== ply;
  line.textContent = hint ? `${score(hint.evaluation)}  ${hint.line}` : "Looking for the best line…";
  board.showArrow(hint?.from, hint?.to);
  at("hint").disabled = isLost || isLatest() && Boolean(game.end) && !game.legal.length;
}

/** Shows the position after `number` plies. */
function show(number) {
  const target = Math.min(last(), Math.max(0, number));
  if (target === ply) return;
  ply = target;
  render();
  if (showsParts) refreshParts();
}

async function refreshParts() {
  at("parts").setAttribute("aria-pressed", String(showsParts));
  at("parts-note").hidden = !showsParts;
  if (!showsParts) { board.showValues(); return; }
  const { fen } = nodes[ply];
  const values = await api.parts(fen, game.player);
  if (fen === nodes[ply].fen && showsParts) board.showValues(values);
}

// Actions.

async function act(request) {
  try {
    take(await request());
  } catch (error) {
    complain(error);
    if (game) render();
  }
}

function play(move) {
  if (!game.your_turn) {
    premove = move;
    render();
    return;
  }
  const from = last();
  act(() => server.play(move, from));
}

/** Plays the move that was entered while the engine was thinking. */
function playPremove() {
  if (premove && game.end) cancelPremove();
  if (!premove || !game.your_turn) return;
  const [wanted, fits] = [premove, game.legal.filter((move) => move.startsWith(premove))];
  premove = null;
  render();
  if (fits.length) play(fits.find((move) => move.endsWith("q")) ?? fits[0]);
  else complain(new Error(`${wanted.slice(0, 2)}–${wanted.slice(2, 4)} is not possible any more.`));
}

function cancelPremove() {
  if (!premove) return;
  premove = null;
  render();
}

/** A move cannot be made in an earlier position: a click there leads to the last one. */
function showLastPosition() {
  if (game && !isLatest()) show(last());
}

let toastTimer;
function complain(error) {
  const toast = at("toast");
  toast.textContent = error.message;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 6000);
}

async function copy(id, button) {
  const field = at(id);
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Browsers deny clipboard access to pages of other machines: select the text so that it can be copied manually.
    field.select();
    document.execCommand("copy");
  }
  const text = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = text; }, 1500);
}

const buttons = {
  "step-first": () => show(0),
  "step-back": () => show(ply - 1),
  "step-forward": () => show(ply + 1),
  "step-last": () => show(last()),
  takeback: () => act(() => server.takeBack()),
  hint: () => act(() => server.hint(ply)),
  parts: () => { showsParts = !showsParts; refreshParts().catch(complain); },
  flip: () => { isTurned = !isTurned; render(); if (showsParts) refreshParts(); },
  resign: () => { if (confirm("Resign this game?")) act(() => server.resign()); },
  rematch: () => begin({ side: game.you === "white" ? "black" : "white", player: game.player, level: game.level, time: game.time }),
};
for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);
for (const button of document.querySelectorAll(".save")) button.addEventListener("click", () => savePgn("game", pgn));

at("board").addEventListener("pointerdown", () => { cancelPremove(); showLastPosition(); }, { capture: true });
at("board").addEventListener("keydown", ({ key }) => { if (key === "Enter" || key === " ") showLastPosition(); }, { capture: true });
at("curve").addEventListener("click", (event) => show(plyAt(at("curve"), event, game.stages.length)));
document.querySelectorAll("[data-copy]").forEach((button) =>
  button.addEventListener("click", () => copy(button.dataset.copy, button)));
at("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = at("typed-move");
  const text = field.value.trim();
  if (!text) return;
  act(async () => {
    const view = await server.play(text, last());
    field.value = "";
    ply = last();
    return view;
  });
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [role=dialog]");
  if (!game || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    ArrowLeft: "step-back", ArrowRight: "step-forward", Home: "step-first", End: "step-last", f: "flip", h: "hint", s: "sounds",
  };
  if (event.key === "/") at("typed-move").focus();
  else if (event.key === "Escape") cancelPremove();
  else if (keys[event.key]) { if (!at(keys[event.key]).disabled) at(keys[event.key]).click(); }
  else return;
  event.preventDefault();
});
