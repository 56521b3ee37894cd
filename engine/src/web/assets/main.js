// The page: the game shown, the position shown, and the actions of the buttons.

import { pack, writeAddress } from "./address.js";
import { ask, view as viewOf } from "./api.js";
import { Board, toggled } from "./board.js";
import { at, complain, copy, make, onClicks, recall, remember, say, tell } from "./elements.js";
import { showBar, showCurve } from "./evaluation.js";
import { savePgn } from "./files.js";
import { Game, allGames, begin, keptGames } from "./game.js";
import { onKeys } from "./keys.js";
import { levelLabel } from "./levels.js";
import { showTree } from "./move-tree.js";
import { capital, isFen, isWhiteToMove, pawns, playerTitle, score, sentence, spoken, squaresOf } from "./notation.js";
import { Clocks, showPlayers } from "./players.js";
import { showSetup } from "./setup.js";
import { addHandle } from "./size.js";
import { addSwitch, sound } from "./sound.js";
import { Tree, movesTo, path } from "./tree.js";

const board = new Board(at("board"), play);
board.next = "own";
const clocks = new Clocks(() => act(() => game.checkTime()));
const gamePage = (id) => `./?game=${id}`;
const analysisPage = document.querySelector("[data-page=analysis]").href;

/** The game, what it shows, and its moves; `nodes` are the positions from the start, `ply` is the place of the one shown. */
let [game, view, tree, nodes, ply] = [null, null, null, [], 0];
let [isTurned, showsParts] = [false, false];
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

function showGames() {
  const games = keptGames();
  if (games.length) Object.assign(at("resume"), { href: gamePage(games[0].id), hidden: false });
  at("games").hidden = games.length === 0;
  const mistakes = recall("mistakes")?.length;
  if (mistakes) Object.assign(at("practice"), { href: `${analysisPage}#practice`, hidden: false, textContent: `Practise ${mistakes} mistake${mistakes > 1 ? "s" : ""}` });
  at("games-list").append(...games.map(({ id, you, player, level, since, moves, result }) => {
    const outcome = !result ? "not finished" : result === "1/2-1/2" ? "drawn" : (result === "1-0") === (you === "white") ? "won" : "lost";
    return make("li", "", "", {}, make("a", "", `${[playerTitle(player), levelLabel(player, level)].filter(Boolean).join(", ")}: ${outcome}`, { href: gamePage(id) },
      make("small", "", `${new Date(since).toLocaleDateString("en")}, ${capital(you)}, ${Math.ceil(moves.length / 2)} moves`)));
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
  // The tree follows the game, and keeps its nodes.
  tree ??= new Tree(view.stages[0]);
  const end = tree.addLine(tree.root, view.stages.slice(1));
  end.children = [];
  nodes = path(end);
  nodes.forEach((node, index) => { node.isGiven = index <= view.given; });
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

const last = () => nodes.length - 1;
const orientation = () => ((view.you === "white") !== isTurned ? "white" : "black");
const isLatest = () => ply === last();
const canPremove = () => !view.end && !view.isYours && !view.failure && isLatest();

function announce({ stages: { length }, end }) {
  const added = view.stages.slice(length);
  const words = added.map(({ san, fen }) => `${isWhiteToMove(fen) ? "Black" : "White"}: ${spoken(san)}.`);
  if (view.stages.length < length) words.push("Taken back.");
  if (added.length) sound(added.at(-1).san);
  if (view.end && !end) words.push(endText());
  if (words.length) tell(words.join(" "));
}

// Rendering.

function render() {
  const stage = view.stages[ply];
  board.show({
    fen: stage.fen, orientation: orientation(), last: squaresOf(stage.uci ?? ""), check: stage.check,
    legal: isLatest() && view.isYours ? view.legal : [],
    premoves: canPremove() ? view.you : null, planned: squaresOf(premove ?? ""),
  });
  board.showShapes(shapes.get(ply) ?? []);
  showPlayers(at("player-top"), at("player-bottom"), orientation(), nodes.slice(0, ply + 1), about);
  clocks.tick();
  showBar(at("bar"), stage.evaluation, orientation());
  showCurve(at("curve"), view.stages, ply, show);
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
  say("status-note", [
    !isLatest() && `Showing half-move ${ply} of ${last()}.`,
    premove && `Then ${squaresOf(premove).join("–")}, if it is possible.`,
  ].filter(Boolean).join(" "));
  document.title = `${view.end ? view.end.result : thinks ? "Thinking" : isOpponents ? "Stopped" : "Your move"} · Alfiere`;
}

function endText() {
  const { winner, reason } = view.end;
  return capital(reason) + (winner ? `. ${winner === view.you ? "You win!" : "Alfiere wins."}` : ": a draw.");
}

function showHint() {
  const hint = view.hint?.ply === ply ? view.hint : null;
  say("hint-line", hint ? `${score(hint.evaluation)}  ${hint.line}` : view.requestedHint === ply ? "Looking for the best line…" : "");
  board.showArrows(hint ? [hint.squares] : []);
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
  at("parts").ariaPressed = showsParts;
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

/** Returns whether the request succeeded. */
async function act(request) {
  try {
    await request();
    return true;
  } catch (error) {
    complain(error);
    if (view) render();
    return false;
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
  cancelPremove();
  if (fits.length) play(fits.find((move) => move.endsWith("q")) ?? fits[0]);
  else complain(new Error(`${squaresOf(wanted).join("–")} is not possible any more.`));
}

function cancelPremove() {
  if (!premove) return;
  premove = null;
  render();
}

/** A move cannot be made in an earlier position: a click there leads to the last one. */
const showLastPosition = () => { if (view && !isLatest()) show(last()); };

onClicks({
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
  explore: () => act(async () => {
    remember("games", { text: await allGames(), index: 0 }, "sessionStorage");
    location.assign(`${analysisPage}#games`);
  }),
  evaluation: () => showEvaluation(at("evaluation").ariaPressed !== "true"),
});
for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(at(button.dataset.copy), button));

/** Shows bar and graph, or hides them while a game is played. */
function showEvaluation(isShown) {
  at("evaluation").ariaPressed = isShown;
  document.body.classList.toggle("blind", !isShown);
  remember("evaluation", isShown);
}
showEvaluation(recall("evaluation") ?? true);

board.onShape = (shape) => {
  shapes.set(ply, toggled(shapes.get(ply) ?? [], shape));
  board.showShapes(shapes.get(ply));
};

at("board").addEventListener("pointerdown", () => { cancelPremove(); showLastPosition(); }, { capture: true });
at("board").addEventListener("keydown", ({ key }) => { if (key === "Enter" || key === " ") showLastPosition(); }, { capture: true });

/** Opens what is pasted: in the form of a new game as its start, in a game on the analysis board. */
async function take(text) {
  if (!game) {
    at("position").closest("details").open = true;
    at("position").value = text;
    at("position").dispatchEvent(new Event("input", { bubbles: true }));
    return;
  }
  await ask(isFen(text) ? { ask: "line", fen: text } : { ask: "game", pgn: text });
  location.assign(analysisPage + writeAddress(isFen(text) ? { fen: text } : { tree: await pack(text) }));
}

onKeys({
  ArrowLeft: "step-back", ArrowRight: "step-forward", Home: "step-first", End: "step-last", f: "flip", h: "hint", s: "sounds",
  Escape: cancelPremove, "ctrl z": "takeback",
}, (text) => take(text).catch(complain), (text) => act(() => game.play(text, last())), () => view || !game);
