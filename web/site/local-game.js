// A game in the page itself, as the page of `alfiere play` shows games of its server. It is kept in the browser's storage.

import { engine, engineOf } from "./engine.js";
import { evaluationOfEnd, readInfo } from "./lines.js";
import { isFen, numbered } from "./notation.js";
import { writeGame } from "./pgn.js";
import { ask } from "./rules.js";
import { Tree, path, turnOf } from "./tree.js";

/** Each game has a key of its own: this, then the game's id. */
const KEY = "local-game-";
const MAX_KEPT = 20;
const EVALUATION_NODES = 20_000;
const HINT_TIME = 1000;
const MOVE_TIME = 1000;
/** A network that was trained here answers at once. */
const OWN_MOVE_TIME = 300;
const HINT_PLIES = 8;

/** Starts a game with the settings of the form and returns `{id}`. */
export async function beginLocal({ side, player, level, time, position }) {
  const text = (position ?? "").trim();
  let [fen, moves] = [null, []];
  if (isFen(text)) fen = (await ask({ ask: "line", fen: text })).start.fen;
  else if (text) {
    const game = await ask({ ask: "game", pgn: text });
    fen = game.start.fen;
    for (let place = 0, next; (next = game.nodes.findIndex(({ parent }) => parent === place)) >= 0; place = next + 1) {
      moves.push(game.nodes[next].uci);
    }
  }
  const id = Date.now().toString(36);
  const you = side === "random" ? (Math.random() < 0.5 ? "white" : "black") : side;
  const left = time.kind === "clock" ? { white: 1000 * time.seconds, black: 1000 * time.seconds } : null;
  const clocks = left ? Array(moves.length + 1).fill(left) : null;
  write({ id, you, player, level, time, fen, moves, given: moves.length, clocks, since: Date.now(), resigned: false });
  forgetOldGames();
  return { id };
}

/** Writes a game and returns what was written. */
function write(kept) {
  const text = JSON.stringify(kept);
  try { localStorage.setItem(KEY + kept.id, text); } catch { throw new Error("The browser keeps no data for this page."); }
  return text;
}

/** Keeps the newest games; ids increase with time. */
function forgetOldGames() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEY)).sort();
  for (const key of keys.slice(0, -MAX_KEPT)) localStorage.removeItem(key);
}

export class LocalGame {
  #id; #kept; #line; #evaluations = new Map(); #version = 0;
  /** The game as this tab last read or wrote it. */
  #stored;
  #changed = () => {};
  #thinking = null; #evaluating = null; #hint = null; #requestedHint = null; #failure = null;

  constructor(id) { this.#id = id; }

  async show() {
    if (!this.#kept) {
      const text = localStorage.getItem(KEY + this.#id);
      if (!text) throw Object.assign(new Error("This game is no longer here."), { status: 404 });
      [this.#stored, this.#kept] = [text, JSON.parse(text)];
      await this.#read();
      // The engine did not think while the page was closed.
      if (this.#turn() !== this.#kept.you) this.#kept.since = Date.now();
    }
    if (this.#isOutOfTime()) await this.#finish({ timeout: this.#turn() });
    return this.#view();
  }

  follow(changed) {
    this.#changed = changed;
    addEventListener("storage", ({ key }) => {
      if (key === KEY + this.#id) this.#readOtherTab();
    });
    // The player's engine starts first, so that it answers the first move at once.
    engineOf(this.#kept.player).then((player) => player.search({}, () => {})).catch(() => {}).then(() => this.#work());
  }

  async play(move, ply) {
    if (ply !== this.#plies() || this.#turn() !== this.#kept.you || this.#end()) throw new Error("It is not your turn.");
    await this.#checkOtherTabs();
    await this.#move(move);
    return this.#view();
  }

  async takeBack() {
    const target = this.#lastOwnTurn();
    if (target === null) throw new Error("There is no move of yours to take back.");
    await this.#checkOtherTabs();
    this.#stop();
    this.#failure = null;
    const kept = this.#kept;
    kept.moves.length = target;
    if (kept.clocks) kept.clocks.length = target + 1;
    [this.#hint, this.#requestedHint] = [null, null];
    for (const place of [...this.#evaluations.keys()]) if (place > target) this.#evaluations.delete(place);
    await this.#save();
    return this.#view();
  }

  async resign() {
    await this.#checkOtherTabs();
    await this.#finish({ resigned: true });
    return this.#view();
  }

  async hint(ply) {
    if (this.#hint?.ply !== ply) {
      [this.#hint, this.#requestedHint, this.#failure] = [null, ply, null];
      this.#evaluating?.abort();
      this.#work();
    }
    return this.#view();
  }

  async pgn() {
    const { you, player, level, time } = this.#kept;
    const name = `Alfiere (${player}${level === "full" ? "" : `, level ${level}`})`;
    const end = this.#end();
    const tags = [["Event", "Game against Alfiere"], ["Site", "?"], ["Date", new Date().toISOString().slice(0, 10).replaceAll("-", ".")],
      ["Round", "-"], ["White", you === "white" ? "Player" : name], ["Black", you === "black" ? "Player" : name],
      ["Result", end?.result ?? "*"], ["TimeControl", time.kind === "clock" ? `${time.seconds}+${time.increment}` : "-"]];
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

  async #read() {
    const { fen, moves } = this.#kept;
    this.#line = await ask({ ask: "line", ...(fen && { fen }), moves });
  }

  /** A change here would destroy what another tab wrote. */
  async #checkOtherTabs() {
    if (await this.#readOtherTab()) throw new Error("The game was changed in another tab.");
  }

  /** Shows the game as another tab left it; returns whether one changed it. */
  async #readOtherTab() {
    const text = localStorage.getItem(KEY + this.#id);
    if (text === null || text === this.#stored) return false;
    this.#stop();
    const kept = JSON.parse(text);
    const same = kept.moves.findIndex((move, index) => move !== this.#kept.moves[index]);
    const isKnown = (ply) => ply <= (same < 0 ? kept.moves.length : same);
    for (const ply of [...this.#evaluations.keys()]) if (!isKnown(ply)) this.#evaluations.delete(ply);
    [this.#stored, this.#kept] = [text, kept];
    [this.#hint, this.#requestedHint, this.#failure] = [null, null, null];
    await this.#read();
    this.#notify();
    this.#work();
    return true;
  }

  async #save() {
    this.#kept.since = Date.now();
    this.#stored = write(this.#kept);
    await this.#read();
    this.#notify();
    this.#work();
  }

  #notify() {
    this.#version += 1;
    this.#changed(this.#view());
  }

  #plies() { return this.#kept.moves.length; }
  #before(index) { return index === 0 ? this.#line.start : this.#line.plies[index - 1]; }
  #turn() { return this.#before(this.#plies()).fen.split(" ")[1] === "w" ? "white" : "black"; }

  #end() {
    const { resigned, timeout, you } = this.#kept;
    const win = (loser, reason) => {
      const winner = loser === "white" ? "black" : "white";
      return { winner, result: winner === "white" ? "1-0" : "0-1", reason };
    };
    const named = (side) => (side === "white" ? "White" : "Black");
    if (resigned) return win(you, `${named(you)} resigned`);
    if (timeout) {
      const other = this.#before(this.#plies()).fen.split(" ")[0].replace(timeout === "white" ? /[^a-z]/g : /[^A-Z]/g, "");
      if (other.length === 1) return { winner: null, result: "1/2-1/2", reason: `${named(timeout)} ran out of time, but the other side has only its king` };
      return win(timeout, `${named(timeout)} ran out of time`);
    }
    return this.#line.end;
  }

  #lastOwnTurn() {
    if (this.#end()) return null;
    for (let ply = this.#plies() - 1; ply >= this.#kept.given; ply -= 1) {
      if ((this.#before(ply).fen.split(" ")[1] === "w") === (this.#kept.you === "white")) return ply;
    }
    return null;
  }

  // The first move of each side is free, so that nobody loses time while the page is loading.
  #isTimed() { return this.#kept.clocks && this.#plies() >= this.#kept.given + 2; }

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
      id: this.#id, version: this.#version, you, player, level, time, given, turn, your_turn: isYours, legal: isYours ? legal : [],
      level_label: player === "random" ? null : level === "full" ? "full strength" : `level ${level}`,
      can_take_back: this.#lastOwnTurn() !== null,
      stages: [start, ...plies].map((stage, ply) => ({ ...stage, evaluation: this.#evaluations.get(ply) ?? null })),
      clock: left && { ...left, running: end || !this.#isTimed() ? null : turn },
      end, thinking: Boolean(this.#thinking), hint: this.#hint, requested_hint: this.#requestedHint, failure: this.#failure,
    };
  }

  // Changes.

  async #move(text) {
    const { plies, problem } = await ask({ ask: "line", fen: this.#before(this.#plies()).fen, moves: [text] });
    if (problem) throw new Error(`${problem}.`);
    if (this.#isOutOfTime()) { await this.#finish({ timeout: this.#turn() }); return; }
    this.#evaluating?.abort();
    this.#failure = null;
    const kept = this.#kept;
    if (kept.clocks) {
      const left = this.#left();
      if (this.#isTimed()) left[this.#turn()] += 1000 * kept.time.increment;
      kept.clocks.length = this.#plies() + 1;
      kept.clocks.push(left);
    }
    kept.moves.push(plies[0].uci);
    [this.#hint, this.#requestedHint] = [null, null];
    await this.#save();
  }

  async #finish(how) {
    if (await this.#readOtherTab()) return;
    const left = this.#left();
    if (left) this.#kept.clocks[this.#kept.clocks.length - 1] = left;
    Object.assign(this.#kept, how);
    this.#stop();
    this.#stored = write(this.#kept);
    this.#notify();
    this.#work();
  }

  #stop() {
    this.#thinking?.abort();
    this.#evaluating?.abort();
    this.#thinking = this.#evaluating = null;
  }

  // Searches: the engine's move, then a hint, then evaluations from the last position to the first.

  #work() {
    if (this.#thinking || this.#evaluating || this.#failure) return;
    const end = this.#end();
    if (!end && this.#turn() !== this.#kept.you) this.#think();
    else if (this.#requestedHint !== null) this.#evaluate(this.#requestedHint, `movetime ${HINT_TIME}`, true);
    else {
      const ply = [...Array(this.#plies() + 1).keys()].reverse().find((place) => !this.#evaluations.has(place));
      if (ply === undefined) return;
      const over = ply === this.#plies() ? this.#line.end : null;
      if (over) {
        this.#evaluations.set(ply, evaluationOfEnd(over));
        this.#notify();
        this.#work();
      } else this.#evaluate(ply, `nodes ${EVALUATION_NODES}`, false);
    }
  }

  async #think() {
    const controller = new AbortController();
    this.#thinking = controller;
    this.#notify();
    const { player, level, time } = this.#kept;
    const left = this.#left();
    const increment = Math.round(1000 * (time.increment ?? 0));
    const go = left
      ? `wtime ${Math.round(left.white)} btime ${Math.round(left.black)} winc ${increment} binc ${increment}`
      : `movetime ${Math.round(time.kind === "move" ? 1000 * time.seconds : player === "own" ? OWN_MOVE_TIME : MOVE_TIME)}`;
    const options = {
      Player: player === "own" ? "nnue" : player, UCI_AnalyseMode: false, MultiPV: 1, UCI_LimitStrength: level !== "full", ...(level !== "full" && { UCI_Elo: level }),
    };
    let move = null;
    const hear = (line) => { move = /^bestmove (\S+)/.exec(line)?.[1] ?? move; };
    try {
      await this.#search(this.#plies(), options, go, hear, controller.signal, await engineOf(player));
      if (controller.signal.aborted) return;
      this.#thinking = null;
      if (!move || move === "(none)") throw new Error("The engine found no move.");
      if (!await this.#readOtherTab()) await this.#move(move);
    } catch (error) {
      if (!controller.signal.aborted) this.#fail(error);
    }
  }

  /** Searches no more until the game is changed or a hint is requested. */
  #fail(error) {
    [this.#thinking, this.#evaluating, this.#requestedHint, this.#failure] = [null, null, null, error.message];
    this.#notify();
  }

  async #evaluate(ply, go, isHint) {
    const controller = new AbortController();
    this.#evaluating = controller;
    const options = { Player: "nnue", UCI_AnalyseMode: true, MultiPV: 1, UCI_LimitStrength: false };
    const { fen } = this.#before(ply);
    let found = null;
    const hear = (line) => { found = readInfo(line, fen.split(" ")[1] === "w") ?? found; };
    const failure = await this.#search(ply, options, go, hear, controller.signal).then(() => null, (error) => error);
    if (this.#evaluating === controller) this.#evaluating = null;
    if (failure && !controller.signal.aborted) { this.#fail(failure); return; }
    if (!controller.signal.aborted && found) {
      this.#evaluations.set(ply, found.evaluation);
      if (isHint && this.#requestedHint === ply) {
        this.#requestedHint = null;
        this.#hint = await hintOf(ply, fen, found);
      }
      this.#notify();
    } else if (!controller.signal.aborted) return;
    this.#work();
  }

  #search(ply, options, go, hear, signal, searcher = engine) {
    const { fen, moves } = this.#kept;
    return searcher.search({ fen, moves: moves.slice(0, ply), options, go }, hear, signal);
  }
}

/** Milliseconds as a clock in PGN. */
function written(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (count) => String(count % 60).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60))}:${two(seconds)}`;
}

async function hintOf(ply, fen, { evaluation, moves, depth }) {
  const { plies } = await ask({ ask: "line", fen, moves: moves.slice(0, HINT_PLIES) });
  const line = plies.map(numbered(fen, "...")).join(" ");
  return { ply, from: moves[0].slice(0, 2), to: moves[0].slice(2, 4), line, depth, evaluation };
}
