// The page: the game shown, the position shown, and the actions of the buttons.

import { pack, writeAddress } from "./address.js";
import { ask, view as viewOf } from "./api.js";
import { Board } from "./board.js";
import { complain, copy, make, recall, remember } from "./elements.js";
import { plyAt, showBar, showCurve } from "./evaluation.js";
import { savePgn } from "./files.js";
import { Game, allGames, begin, keptGames } from "./game.js";
import { onKeys } from "./keys.js";
import { levelLabel } from "./levels.js";
import { showTree } from "./move-tree.js";
import { capital, isFen, pawns, playerTitle, score, sentence, spoken } from "./notation.js";
import { Clocks, showPlayers } from "./players.js";
import { showSetup } from "./setup.js";
import { addHandle } from "./size.js";
import { addSwitch, sound } from "./sound.js";
import { Tree, movesTo, path } from "./tree.js";

const at = (id) => document.getElementById(id);
const board = new Board(at("board"), play);
board.next = "own";
const clocks = new Clocks(() => act(() => game.checkTime()));
const gamePage = (id) => `./?game=${id}`;
const analysisPage = document.querySelector("[data-page=analysis]").href;

let game = null;
/** What the game shows. */
let view = null;
/** The game's moves; `nodes` are the positions from the start. */
let tree = null;
let nodes = [];
/** The position shown, in plies from the start. */
let ply = 0;
let isTurned = false;
let showsParts = false;
/** A move entered while the engine thinks. */
let premove = null;
/** Whether a move is on its way. */
let isSending = false;
/** What the user has drawn, by ply. */
const shapes = new Map();
/** The game as PGN, packed for an address. */
let packed = null;

start().catch(complain);

async function start() {
  const id = new URLSearchParams(location.search).get("game");
  addHandle(at("board").parentElement);
  addSwitch(at("sounds"));
  if (!id) {
    for (const strip of ["player-top", "player-bottom"]) at(strip).hidden = true;
    showGames();
    await showSetup(at("setup"), board, (begun) => location.assign(gamePage(begun)));
    return;
  }
  game = new Game(id);
  const isKnown = await game.open(receive);
  at("play").hidden = at("bar").hidden = !isKnown;
  at("gone").hidden = isKnown;
  if (!isKnown) board.show({ fen: "8/8/8/8/8/8/8/8 w - - 0 1" });
}

/** The games that this browser keeps. */
function showGames() {
  const games = keptGames();
  if (games.length) Object.assign(at("resume"), { href: gamePage(games[0].id), hidden: false });
  at("games").hidden = games.length === 0;
  const mistakes = recall("mistakes")?.length;
  if (mistakes) Object.assign(at("practice"), { href: `${analysisPage}#practice`, hidden: false, textContent: `Practise ${mistakes} mistake${mistakes > 1 ? "s" : ""}` });
  at("games-list").append(...games.map(({ id, you, player, level, since, moves, result }) => {
    const [item, link] = [make("li"), make("a", "", "", { href: gamePage(id) })];
    const outcome = !result ? "not finished" : result === "1/2-1/2" ? "drawn" : (result === "1-0") === (you === "white") ? "won" : "lost";
    link.append(`${[playerTitle(player), levelLabel(player, level)].filter(Boolean).join(", ")}: ${outcome}`,
      make("small", "", `${new Date(since).toLocaleDateString("en")}, ${capital(you)}, ${Math.ceil(moves.length / 2)} moves`));
    item.append(link);
    return item;
  }));
}

let writeTimer = null;

/** Writes the game into its field and the links to the analysis board; not at once, because evaluations follow each other fast. */
function writeSoon() {
  writeTimer ??= setTimeout(async () => {
    writeTimer = null;
    at("pgn").value = game.pgn();
    packed = await pack(at("pgn").value);
    showLinks();
  }, 100);
}

// Updates from the game.

function receive(next) {
  const before = view;
  const wasLatest = !before || ply >= before.stages.length - 1;
  view = next;
  grow();
  if (wasLatest || ply > last()) ply = last();
  clocks.set(view.clock);
  if (before) announce(before);
  if (!before || before.stages.length !== view.stages.length || before.stages.at(-1).fen !== view.stages.at(-1).fen || Boolean(before.end) !== Boolean(view.end)) {
    packed = null;
    if (showsParts) refreshParts();
  }
  writeSoon();
  if (view.failure && view.failure !== before?.failure) complain(new Error(sentence(view.failure)));
  render();
  playPremove();
}

/** The tree follows the game, and keeps its nodes. */
function grow() {
  tree ??= new Tree(view.stages[0]);
  const end = tree.addLine(tree.root, view.stages.slice(1));
  end.children = [];
  nodes = path(end);
  nodes.forEach((node, index) => { node.isGiven = index <= view.given; });
}

const last = () => nodes.length - 1;
const orientation = () => ((view.you === "white") !== isTurned ? "white" : "black");
const isLatest = () => ply === last();
const canPremove = () => !view.end && !view.isYours && !view.failure && isLatest();

function announce(before) {
  const added = view.stages.slice(before.stages.length);
  const words = [];
  if (view.stages.length < before.stages.length) words.push("Taken back.");
  added.forEach(({ san }, index) => {
    const side = (before.stages.length + index) % 2 === firstParity() ? "White" : "Black";
    words.push(`${side}: ${spoken(san)}.`);
  });
  if (added.length > 0) sound(added.at(-1).san);
  if (view.end && !before.end) words.push(endText());
  if (words.length === 0) return;
  // A log, so that an entry that was not yet read aloud is not overwritten by the next.
  const entry = document.createElement("span");
  entry.textContent = words.join(" ");
  at("live").append(entry, " ");
  while (at("live").children.length > 8) at("live").firstChild.remove();
}

/** White's plies are odd if White moved first. */
const firstParity = () => (view.stages[0].fen.split(" ")[1] === "w" ? 1 : 0);

// Rendering.

function render() {
  const stage = view.stages[ply];
  const squares = stage.uci ? [stage.uci.slice(0, 2), stage.uci.slice(2, 4)] : [];
  board.show({
    fen: stage.fen, orientation: orientation(), last: squares, check: stage.check,
    legal: isLatest() && view.isYours ? view.legal : [],
    premoves: canPremove() ? view.you : null,
    planned: premove ? [premove.slice(0, 2), premove.slice(2, 4)] : [],
  });
  board.showShapes(shapes.get(ply) ?? []);
  showPlayers(at("player-top"), at("player-bottom"), orientation(), nodes.slice(0, ply + 1), about);
  clocks.tick();
  showBar(at("bar"), stage.evaluation, orientation());
  showCurve(at("curve"), view.stages, ply);
  showTree(at("moves"), tree, nodes[ply], (node) => show(nodes.indexOf(node)));
  showStatus();
  showHint();
  at("step-first").disabled = at("step-back").disabled = ply === 0;
  at("step-last").disabled = at("step-forward").disabled = isLatest();
  at("takeback").disabled = !view.canTakeBack;
  at("resign").disabled = Boolean(view.end);
  at("fen").value = stage.fen;
  showLinks();
  // A disabled field would lose the focus, and what is typed next would be shortcuts.
  at("typed-move").readOnly = !view.isYours;
  at("typed").querySelector("button").disabled = !view.isYours;
}

/** A side's strip. */
function about(side) {
  const isYou = view.you === side;
  const { winner } = view.end ?? {};
  return {
    name: isYou ? "You" : "Alfiere",
    note: isYou ? "" : [playerTitle(view.player), levelLabel(view.player, view.level)].filter(Boolean).join(", "),
    points: !view.end ? "" : !winner ? "½" : winner === side ? "1" : "0",
    isOnMove: !view.end && view.turn === side,
    ...(view.clock && { clock: "" }),
  };
}

function showLinks() {
  const address = { fen: nodes[0].fen, tree: packed, side: orientation() };
  at("analyse").href = analysisPage + writeAddress({ ...address, moves: movesTo(nodes[ply]) });
  at("review").href = analysisPage + writeAddress({ ...address, moves: packed ? [] : movesTo(nodes.at(-1)), review: true });
}

function showStatus() {
  const status = at("status");
  const isOpponents = !view.end && !view.isYours;
  const thinks = isOpponents && !view.failure;
  status.classList.toggle("thinking", thinks);
  status.classList.toggle("over", Boolean(view.end));
  at("after").hidden = !view.end;
  at("status-text").textContent = view.end ? endText()
    : thinks ? "Alfiere is thinking" : isOpponents ? sentence(view.failure)
    : view.stages[last()].check ? "You are in check" : "Your move";
  const notes = [
    !isLatest() && `Showing half-move ${ply} of ${last()}.`,
    premove && `Then ${premove.slice(0, 2)}–${premove.slice(2, 4)}, if it is possible.`,
  ].filter(Boolean);
  at("status-note").hidden = notes.length === 0;
  at("status-note").textContent = notes.join(" ");
  const title = view.end ? view.end.result : thinks ? "Thinking" : isOpponents ? "Stopped" : "Your move";
  document.title = `${title} · Alfiere`;
}

function endText() {
  const { winner, reason } = view.end;
  const reasonText = capital(reason);
  if (!winner) return `${reasonText}: a draw.`;
  return `${reasonText}. ${winner === view.you ? "You win!" : "Alfiere wins."}`;
}

function showHint() {
  const line = at("hint-line");
  const hint = view.hint?.ply === ply ? view.hint : null;
  line.hidden = !hint && view.requestedHint !== ply;
  line.textContent = hint ? `${score(hint.evaluation)}  ${hint.line}` : "Looking for the best line…";
  board.showArrows(hint ? [[hint.from, hint.to]] : []);
  at("hint").disabled = isLatest() && Boolean(view.end) && !view.legal.length;
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
  // These have no network: the default one shows its view.
  const seen = await viewOf(fen, ["classical", "random"].includes(view.player) ? "nnue" : view.player).catch(complain);
  if (fen !== nodes[ply].fen || !showsParts || !seen) return;
  board.showValues(seen.parts);
  at("parts-total").textContent = `The whole position: ${pawns(seen.value, 2)} for White.`;
}

// Actions.

async function act(request) {
  try {
    await request();
  } catch (error) {
    complain(error);
    if (view) render();
  }
}

function play(move) {
  if (!view.isYours || isSending) {
    premove = move;
    if (!isSending) render();
    return;
  }
  const from = last();
  isSending = true;
  act(() => game.play(move, from).finally(() => { isSending = false; }));
}

/** Plays the move that was entered while the engine was thinking. */
function playPremove() {
  if (premove && view.end) cancelPremove();
  if (!premove || !view.isYours || isSending) return;
  const [wanted, fits] = [premove, view.legal.filter((move) => move.startsWith(premove))];
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
  if (view && !isLatest()) show(last());
}

const buttons = {
  "step-first": () => show(0),
  "step-back": () => show(ply - 1),
  "step-forward": () => show(ply + 1),
  "step-last": () => show(last()),
  takeback: () => act(() => game.takeBack()),
  hint: () => act(() => game.hint(ply)),
  parts: () => { showsParts = !showsParts; refreshParts(); },
  flip: () => { isTurned = !isTurned; render(); if (showsParts) refreshParts(); },
  resign: () => { if (confirm("Resign this game?")) act(() => game.resign()); },
  rematch: () => act(async () => {
    const { you, player, level, time } = view;
    location.assign(gamePage(await begin({ side: you === "white" ? "black" : "white", player, level, time })));
  }),
  save: () => savePgn("game", at("pgn").value),
  "save-all": () => act(async () => savePgn("games", await allGames())),
  evaluation: () => { showEvaluation(at("evaluation").ariaPressed !== "true"); },
};
for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);

/** Shows bar and graph, or hides them while a game is played. */
function showEvaluation(isShown) {
  at("evaluation").ariaPressed = String(isShown);
  document.body.classList.toggle("blind", !isShown);
  remember("evaluation", isShown);
}
showEvaluation(recall("evaluation") ?? true);

board.onShape = (shape) => {
  const drawn = shapes.get(ply) ?? [];
  const others = drawn.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  shapes.set(ply, others.length < drawn.length ? others : [...drawn, shape]);
  board.showShapes(shapes.get(ply));
};

at("board").addEventListener("pointerdown", () => { cancelPremove(); showLastPosition(); }, { capture: true });
at("board").addEventListener("keydown", ({ key }) => { if (key === "Enter" || key === " ") showLastPosition(); }, { capture: true });
at("curve").addEventListener("click", (event) => show(plyAt(at("curve"), event, view.stages.length)));
document.querySelectorAll("[data-copy]").forEach((button) =>
  button.addEventListener("click", () => copy(at(button.dataset.copy), button)));
at("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = at("typed-move");
  const text = field.value.trim();
  if (!text) return;
  act(async () => {
    await game.play(text, last());
    field.value = "";
  });
});

/** Opens what is pasted: in the form of a new game as its start, in a game on the analysis board. */
async function take(text) {
  if (!game) {
    at("position").closest("details").open = true;
    at("position").value = text;
    at("position").dispatchEvent(new Event("input", { bubbles: true }));
    return;
  }
  const question = isFen(text) ? { ask: "line", fen: text } : { ask: "game", pgn: text };
  await ask(question);
  location.assign(analysisPage + writeAddress(isFen(text) ? { fen: text } : { tree: await pack(text) }));
}

onKeys({
  ArrowLeft: "step-back", ArrowRight: "step-forward", Home: "step-first", End: "step-last", f: "flip", h: "hint", s: "sounds",
  Escape: cancelPremove, "ctrl z": "takeback",
}, (text) => take(text).catch(complain), () => view || !game);
