// The page: the game shown, the position shown, and the actions of the buttons.

import { writeAddress } from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { plyAt, showBar, showCurve } from "./evaluation.js";
import { showMoves } from "./moves.js";
import { capital, pawns, placement, score, sentence, spoken } from "./notation.js";
import { Clocks, hidePlayers, showPlayers } from "./players.js";
import { showSetup } from "./setup.js";

const at = (id) => document.getElementById(id);
const board = new Board(at("board"), play);
const clocks = new Clocks(() => act(() => server.show()));

let server = null;
let game = null;
/** The position shown, in plies from the start. */
let ply = 0;
let isTurned = false;
let showsParts = false;

start();

async function start() {
  const id = api.shownGame();
  at("parts").hidden = !api.hasParts;
  if (!id) {
    offerLastGame();
    await showSetup(at("setup"), board, (begun) => location.assign(api.gamePage(begun.id))).catch(complain);
    return;
  }
  server = new api.Game(id);
  try {
    take(await server.show());
  } catch (error) {
    if (error.status !== 404) { complain(error); return; }
    forget(id);
    at("gone").hidden = false;
    board.show({ fen: "8/8/8/8/8/8/8/8 w - - 0 1" });
    return;
  }
  at("play").hidden = false;
  at("bar").hidden = false;
  try { localStorage.setItem("game", id); } catch { /* the URL has it too */ }
  server.follow(take, () => complain(new Error("The connection to the server was lost. Reload the page to continue.")));
}

// Updates from the server.

function take(view) {
  if (game && view.version < game.version) return;
  const before = game;
  const wasLatest = !before || ply >= before.stages.length - 1;
  game = view;
  if (wasLatest || ply > last()) ply = last();
  clocks.set(game.clock);
  if (before) announce(before);
  if (!before || before.stages.length !== game.stages.length || before.stages.at(-1).fen !== game.stages.at(-1).fen) {
    refreshShare();
    if (showsParts) refreshParts();
  }
  if (game.failure && game.failure !== before?.failure) complain(new Error(sentence(game.failure)));
  render();
}

const last = () => game.stages.length - 1;
const orientation = () => ((game.you === "white") !== isTurned ? "white" : "black");

function announce(before) {
  const added = game.stages.slice(before.stages.length);
  const words = [];
  if (game.stages.length < before.stages.length) words.push("Taken back.");
  added.forEach(({ san }, index) => {
    const side = (before.stages.length + index) % 2 === firstParity() ? "White" : "Black";
    words.push(`${side}: ${spoken(san)}.`);
  });
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
  const isLatest = ply === last();
  const squares = stage.uci ? [stage.uci.slice(0, 2), stage.uci.slice(2, 4)] : [];
  board.show({
    fen: stage.fen, orientation: orientation(), last: squares, check: stage.check,
    legal: isLatest && game.your_turn ? game.legal : [],
  });
  showPlayers(at("player-top"), at("player-bottom"), game, ply, orientation());
  clocks.tick();
  showBar(at("bar"), stage.evaluation, orientation());
  showCurve(at("curve"), game.stages, ply);
  showMoves(at("moves"), game, ply, show);
  showStatus(isLatest);
  showHint();
  at("step-first").disabled = at("step-back").disabled = ply === 0;
  at("step-last").disabled = at("step-forward").disabled = isLatest;
  at("takeback").disabled = !game.can_take_back;
  at("resign").disabled = Boolean(game.end);
  at("fen").value = stage.fen;
  at("analyse").href = api.analysisPage + writeAddress(game.stages[0].fen, game.stages.slice(1).map(({ uci }) => uci));
  // A disabled field would lose the focus, and what is typed next would be shortcuts.
  at("typed-move").readOnly = !game.your_turn;
  at("typed").querySelector("button").disabled = !game.your_turn;
}

function showStatus(isLatest) {
  const status = at("status");
  const isOpponents = !game.end && !game.your_turn;
  const thinks = isOpponents && !game.failure;
  status.classList.toggle("thinking", thinks);
  status.classList.toggle("over", Boolean(game.end));
  at("after").hidden = !game.end;
  at("status-text").textContent = game.end ? endText()
    : thinks ? "Alfiere is thinking" : isOpponents ? sentence(game.failure)
    : game.stages[last()].check ? "You are in check" : "Your move";
  const note = at("status-note");
  note.hidden = isLatest;
  note.textContent = isLatest ? "" : `Showing half-move ${ply} of ${last()}.`;
  document.title = `${game.end ? game.end.result : thinks ? "Thinking" : isOpponents ? "Stopped" : "Your move"} · Alfiere`;
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
  at("hint").disabled = ply === last() && Boolean(game.end) && !game.legal.length;
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
  if (!showsParts) { board.showLabels([]); return; }
  const target = ply;
  const { pieces } = await server.parts(target);
  if (target !== ply || !showsParts) return;
  const placed = placement(game.stages[ply].fen);
  board.showLabels(Object.entries(pieces).map(([square, value]) => {
    const own = placed.get(square)?.[0] === "b" ? -value : value;
    return [square, { text: pawns(own, 1), bad: own < 0 }];
  }));
}

async function refreshShare() {
  if (at("share").open) at("pgn").value = await server.pgn();
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
  const from = last();
  act(() => server.play(move, from));
}

async function rematch() {
  const { you, player, level, time } = game;
  try {
    const begun = await api.begin({ side: you === "white" ? "black" : "white", player, level, time });
    location.assign(api.gamePage(begun.id));
  } catch (error) {
    complain(error);
  }
}

let toastTimer;
function complain(error) {
  const toast = at("toast");
  toast.textContent = error.message;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 6000);
}

function offerLastGame() {
  hidePlayers(at("player-top"), at("player-bottom"));
  try {
    const id = localStorage.getItem("game");
    if (id) Object.assign(at("resume"), { href: api.gamePage(id), hidden: false });
  } catch { /* no saved game */ }
}

function forget(id) {
  try { if (localStorage.getItem("game") === id) localStorage.removeItem("game"); } catch { /* no saved game */ }
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
  rematch,
};
for (const [id, action] of Object.entries(buttons)) at(id).addEventListener("click", action);

at("curve").addEventListener("click", (event) => show(plyAt(at("curve"), event, game.stages.length)));
at("share").addEventListener("toggle", () => { refreshShare().catch(complain); });
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
    return view;
  });
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [role=dialog]");
  if (!game || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    ArrowLeft: "step-back", ArrowRight: "step-forward", Home: "step-first", End: "step-last", f: "flip", h: "hint",
  };
  if (event.key === "/") at("typed-move").focus();
  else if (keys[event.key]) { if (!at(keys[event.key]).disabled) at(keys[event.key]).click(); }
  else return;
  event.preventDefault();
});
