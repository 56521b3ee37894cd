// A game against the engine: moves, clocks, the end, hints and evaluations. The browser keeps it, so that it survives a reload
// and a restart of the program, and can be open in several tabs.

import { ask, find, moveOf, search } from "./api.js";
import { recall, remember } from "./elements.js";
import { eloOf, levelLabel } from "./levels.js";
import { evaluationOfEnd } from "./lines.js";
import { capital, isFen, isWhiteToMove, numbered, sentence, squaresOf } from "./notation.js";
import { readGame, writeGame } from "./pgn.js";
import { Tree, movesTo, path, turnOf } from "./tree.js";

/** Each game has a key of its own: this, then the game's id. */
const KEY = "local-game-";
const MAX_KEPT = 100;
const EVALUATION_NODES = 20_000;
const HINT_TIME = 1000;
const MOVE_TIME = 1000;
/** A network that was trained here answers at once. */
const OWN_MOVE_TIME = 300;
const HINT_PLIES = 8;
/** Milliseconds until a search that failed is tried again: the program may have been started again. */
const RETRY = 3000;

/** Starts a game with the settings of the form, and returns its id. */
export async function begin({ side, player, level, time, position }) {
  const text = (position ?? "").trim();
  let [fen, moves] = [null, []];
  if (isFen(text)) fen = (await ask({ ask: "line", fen: text })).start.fen;
  else if (text) {
    const game = await ask({ ask: "game", pgn: text });
    if (game.error) throw new Error(sentence(game.error));
    fen = game.start.fen;
    moves = movesTo(readGame(game).main().at(-1));
  }
  const id = Date.now().toString(36);
  const you = side === "random" ? (Math.random() < 0.5 ? "white" : "black") : side;
  const milliseconds = 1000 * time.seconds;
  const clocks = time.kind === "clock" ? Array(moves.length + 1).fill({ white: milliseconds, black: milliseconds }) : null;
  const seed = 1 + Math.floor(1e9 * Math.random());
  write({ id, you, player, level, time, seed, fen, moves, given: moves.length, clocks, since: Date.now(), resigned: false });
  // Finished games go first.
  const others = keptGames().sort((a, b) => Boolean(b.result) - Boolean(a.result) || a.id.localeCompare(b.id));
  for (const { id: old } of others.slice(0, Math.max(0, others.length - MAX_KEPT))) localStorage.removeItem(KEY + old);
  return id;
}

/** The games that are kept, the one changed last first. */
export function keptGames() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEY));
    return keys.map((key) => recall(key)).filter(Boolean).sort((a, b) => b.since - a.since);
  } catch {
    return [];
  }
}

export async function allGames() {
  return (await Promise.all(keptGames().map(async ({ id }) => {
    const game = new Game(id);
    return await game.read() ? game.pgn() : "";
  }))).join("\n");
}

/** Writes a game and returns what was written. */
function write(kept) {
  if (!remember(KEY + kept.id, kept)) throw new Error("The browser keeps no data for this page.");
  return JSON.stringify(kept);
}

const lineOf = ({ fen, moves }) => ask({ ask: "line", ...(fen && { fen }), moves });

export class Game {
  #id; #kept; #line; #evaluations = new Map();
  /** The game as this tab last read or wrote it. */
  #stored;
  #changed = () => {};
  /** The search that runs, `{isMove, controller}`. */
  #running = null; #hint = null; #requestedHint = null;
  /** Why the last search failed, and the timer of the next attempt. */
  #failure = null; #retry = null;

  constructor(id) { this.#id = id; }

  /** Reads the game; returns whether the browser has it. */
  async read() {
    const text = localStorage.getItem(KEY + this.#id);
    if (!text) return false;
    const kept = JSON.parse(text);
    this.#line = await lineOf(kept);
    [this.#stored, this.#kept] = [text, kept];
    return true;
  }

  /** Reads the game; returns whether the browser has it. Calls `changed(view)` with it now, and on every change. */
  async open(changed) {
    if (!await this.read()) return false;
    this.#changed = changed;
    // The engine did not think while the page was closed.
    if (this.#isEngines()) this.#kept.since = Date.now();
    addEventListener("storage", ({ key }) => {
      if (key === KEY + this.#id) this.#readOtherTab().catch((error) => this.#fail(error));
    });
    await this.checkTime();
    // The player's engine starts first, so that it answers the first move at once.
    search({ player: this.#kept.player, go: "depth 1" }, () => {}).catch(() => {}).then(() => this.#work());
    return true;
  }

  /** Plays a move in UCI notation or SAN after `ply` half-moves. */
  async play(move, ply) {
    if (ply !== this.#plies() || this.#isEngines() || this.#end()) throw new Error("It is not your turn.");
    await this.#checkOtherTabs();
    await this.#move(move);
  }

  async takeBack() {
    await this.#checkOtherTabs();
    let isDone = false;
    while (!isDone) {
      const target = this.#lastOwnTurn();
      if (target === null) throw new Error("There is no move of yours to take back.");
      const { moves, clocks } = this.#kept;
      isDone = await this.#change({ moves: moves.slice(0, target), clocks: clocks?.slice(0, target + 1) });
    }
  }

  async resign() {
    await this.#checkOtherTabs();
    await this.#finish({ resigned: true });
  }

  hint(ply) {
    if (this.#hint?.ply === ply) return;
    [this.#hint, this.#requestedHint, this.#failure] = [null, ply, null];
    if (!this.#running?.isMove) this.#stop();
    this.#notify();
    this.#work();
  }

  /** Ends the game if a clock has run out, and shows it. */
  async checkTime() {
    if (this.#isOutOfTime()) await this.#finish({ timeout: this.#turn() });
    else this.#notify();
  }

  pgn() {
    const { you, player, level, time, timeout } = this.#kept;
    const [name, end] = [`Alfiere (${[player, levelLabel(player, level)].filter(Boolean).join(", ")})`, this.#end()];
    const tags = [["Event", "Game against Alfiere"], ["Site", "?"], ["Date", new Date(parseInt(this.#id, 36)).toISOString().slice(0, 10).replaceAll("-", ".")],
      ["Round", "-"], ["White", you === "white" ? "Player" : name], ["Black", you === "black" ? "Player" : name],
      ["Result", end?.result ?? "*"], ["TimeControl", time.kind === "clock" ? `${time.seconds}+${time.increment}` : "-"],
      ...(end ? [["Termination", timeout ? "time forfeit" : "normal"]] : [])];
    const tree = new Tree(this.#line.start, tags);
    const last = tree.addLine(tree.root, this.#line.plies);
    path(last).slice(1).forEach((node, index) => {
      const evaluation = this.#evaluations.get(index + 1);
      node.evaluation = evaluation?.mate === 0 ? null : evaluation;
      const left = this.#kept.clocks?.[index + 1][turnOf(node).isWhite ? "white" : "black"];
      if (left !== undefined) node.clock = written(left);
    });
    tree.result = end?.result ?? "*";
    if (end) last.text = end.reason;
    return writeGame(tree);
  }

  // The state.

  /** A change here would destroy what another tab wrote. */
  async #checkOtherTabs() { if (await this.#readOtherTab()) throw new Error("The game was changed in another tab."); }

  /** Shows the game as another tab left it; returns whether one changed it. */
  async #readOtherTab() {
    const text = localStorage.getItem(KEY + this.#id);
    if (text === null || text === this.#stored) return false;
    const kept = JSON.parse(text);
    this.#take(kept, await lineOf(kept), text);
    return true;
  }

  /**
   * Changes fields of the game and goes on from there. Changes nothing if the rules do not answer, or if another change came
   * first; returns whether it changed the game.
   */
  async #change(fields) {
    const before = this.#kept;
    const kept = { ...before, ...fields, since: Date.now() };
    const line = fields.moves ? await lineOf(kept) : this.#line;
    kept.result = endOf(kept, line)?.result;
    if (this.#kept !== before) return false;
    this.#take(kept, line, write(kept));
    return true;
  }

  #take(kept, line, stored) {
    this.#stop();
    const same = kept.moves.findIndex((move, index) => move !== this.#kept.moves[index]);
    const known = same < 0 ? kept.moves.length : same;
    for (const ply of [...this.#evaluations.keys()]) if (ply > known) this.#evaluations.delete(ply);
    [this.#kept, this.#line, this.#stored] = [kept, line, stored];
    [this.#hint, this.#requestedHint, this.#failure] = [null, null, null];
    this.#notify();
    this.#work();
  }

  #notify() { this.#changed(this.#view()); }

  #plies() { return this.#kept.moves.length; }
  #before(index) { return index === 0 ? this.#line.start : this.#line.plies[index - 1]; }
  #turn(ply = this.#plies()) { return isWhiteToMove(this.#before(ply).fen) ? "white" : "black"; }
  #isEngines() { return this.#turn() !== this.#kept.you; }

  #end() { return endOf(this.#kept, this.#line); }

  /** The ply to which a move is taken back; null if there is none. */
  #lastOwnTurn() {
    const { moves, given, you } = this.#kept;
    if (this.#end()) return null;
    return [...moves.keys()].findLast((ply) => ply >= given && this.#turn(ply) === you) ?? null;
  }

  /** The first move of each side is free, so that nobody loses time while the page is loading. An engine that failed loses none. */
  #isTimed() { return this.#kept.clocks && this.#plies() >= this.#kept.given + 2 && !(this.#failure && this.#isEngines()); }

  #left() {
    if (!this.#kept.clocks) return null;
    const left = { ...this.#kept.clocks.at(-1) };
    if (this.#isTimed() && !this.#end()) left[this.#turn()] = Math.max(0, left[this.#turn()] - Math.max(0, Date.now() - this.#kept.since));
    return left;
  }

  #isOutOfTime() { return !this.#end() && this.#isTimed() && this.#left()[this.#turn()] === 0; }

  #view() {
    const { you, player, level, time, given } = this.#kept;
    const { plies, start, legal } = this.#line;
    const [end, turn, left] = [this.#end(), this.#turn(), this.#left()];
    const isYours = !end && turn === you;
    return {
      you, player, level, time, given, turn, isYours, legal: isYours ? legal : [], canTakeBack: this.#lastOwnTurn() !== null,
      stages: [start, ...plies].map((stage, ply) => ({ ...stage, evaluation: this.#evaluations.get(ply) ?? null })),
      clock: left && { ...left, running: end || !this.#isTimed() ? null : turn },
      end, hint: this.#hint, requestedHint: this.#requestedHint, failure: this.#failure,
    };
  }

  // Changes.

  async #move(text) {
    const { uci } = await moveOf(this.#before(this.#plies()).fen, text);
    if (this.#isOutOfTime()) { await this.#finish({ timeout: this.#turn() }); return; }
    const { moves, clocks, time } = this.#kept;
    const left = this.#left();
    if (left && this.#isTimed()) left[this.#turn()] += 1000 * time.increment;
    await this.#change({ moves: [...moves, uci], clocks: clocks && [...clocks, left] });
  }

  async #finish(how) {
    if (await this.#readOtherTab()) return;
    const left = this.#left();
    await this.#change({ ...how, clocks: left && [...this.#kept.clocks.slice(0, -1), left] });
  }

  #stop() {
    clearTimeout(this.#retry);
    this.#running?.controller.abort();
    this.#running = null;
  }

  // Searches: the engine's move, then a hint, then evaluations from the last position to the first.

  #work(isRetry = false) {
    if (this.#running || this.#failure && !isRetry) return;
    if (!this.#end() && this.#isEngines()) { this.#think(); return; }
    if (this.#requestedHint !== null) { this.#evaluate(this.#requestedHint, `movetime ${HINT_TIME}`, true); return; }
    const ply = [...Array(this.#plies() + 1).keys()].findLast((place) => !this.#evaluations.has(place));
    if (ply === undefined) return;
    if (ply === this.#plies() && this.#line.end) {
      this.#evaluations.set(ply, evaluationOfEnd(this.#line.end));
      this.#notify();
      this.#work();
    } else this.#evaluate(ply, `nodes ${EVALUATION_NODES}`, false);
  }

  #think() {
    const { player, level, time, seed = 1 } = this.#kept;
    const left = this.#left();
    const increment = Math.round(1000 * (time.increment ?? 0));
    const go = left
      ? `wtime ${Math.round(left.white)} btime ${Math.round(left.black)} winc ${increment} binc ${increment}`
      : `movetime ${Math.round(time.kind === "move" ? 1000 * time.seconds : player === "own" ? OWN_MOVE_TIME : MOVE_TIME)}`;
    let move = null;
    const hear = (line) => { move = /^bestmove (\S+)/.exec(line)?.[1] ?? move; };
    // Each move of the player `random` needs another number.
    const request = { player, elo: eloOf(level), seed: player === "random" ? seed + this.#plies() : seed, go };
    this.#run(true, async (signal) => {
      await search({ ...this.#position(this.#plies()), ...request }, hear, signal);
      if (signal.aborted) return;
      if (!move || move === "(none)") throw new Error("The engine found no move.");
      if (!await this.#readOtherTab()) await this.#move(move);
    });
    this.#notify();
  }

  /** Runs a search, and after it the next one. */
  async #run(isMove, act) {
    const running = this.#running = { isMove, controller: new AbortController() };
    try {
      await act(running.controller.signal);
    } catch (error) {
      if (!running.controller.signal.aborted) this.#fail(error);
    } finally {
      if (this.#running === running) this.#running = null;
      this.#work();
    }
  }

  /** Shows why a search failed, and tries again later. */
  #fail(error) {
    this.#stop();
    this.#failure = error.message;
    this.#notify();
    this.#retry = setTimeout(() => this.#work(true), RETRY);
  }

  #evaluate(ply, go, isHint) {
    const { fen } = this.#before(ply);
    this.#run(false, async (signal) => {
      const found = await find({ ...this.#position(ply), go }, fen, signal);
      const hint = isHint && found && await hintOf(ply, fen, found);
      if (signal.aborted) return;
      this.#failure = null;
      this.#evaluations.set(ply, found.evaluation);
      if (isHint) [this.#requestedHint, this.#hint] = [null, hint];
      this.#notify();
    });
  }

  #position(ply) {
    const { fen, moves } = this.#kept;
    return { ...(fen && { fen }), moves: moves.slice(0, ply) };
  }
}

/** How a game ended; null before. */
function endOf({ resigned, timeout, you }, { start, plies, end }) {
  const loser = timeout ?? (resigned ? you : null);
  if (!loser) return end;
  const winner = loser === "white" ? "black" : "white";
  const others = (plies.at(-1) ?? start).fen.split(" ")[0].replace(timeout === "white" ? /[^a-z]/g : /[^A-Z]/g, "");
  const isDrawn = timeout && others.length === 1;
  const reason = `${capital(loser)} ${!timeout ? "resigned" : isDrawn ? `ran out of time, but ${capital(winner)} has only the king` : "ran out of time"}`;
  return isDrawn ? { winner: null, result: "1/2-1/2", reason } : { winner, result: winner === "white" ? "1-0" : "0-1", reason };
}

/** Milliseconds as a clock in PGN. */
const written = (milliseconds) => `${Math.floor(milliseconds / 3_600_000)}:${new Date(milliseconds).toISOString().slice(14, 19)}`;

async function hintOf(ply, fen, { evaluation, moves, depth }) {
  const { plies } = await ask({ ask: "line", fen, moves: moves.slice(0, HINT_PLIES) });
  return { ply, squares: squaresOf(moves[0]), line: plies.map(numbered(fen, "...")).join(" "), depth, evaluation };
}
