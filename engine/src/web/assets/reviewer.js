// The review on the analysis board: its progress, what it found, and better moves sought in place of mistakes.

import { faultOf, sign } from "./annotation.js";
import * as api from "./api.js";
import { at, button, make, recall, remember } from "./elements.js";
import { evaluationOfEnd } from "./lines.js";
import { numbered } from "./notation.js";
import { writeGame } from "./pgn.js";
import { moveName, reasonOf, reviewOf, reviewTree } from "./review.js";
import { Tree, path, searched, through, turnOf } from "./tree.js";

const REVIEW_NODES = 60_000;
/** Moves of the engine's line that a review uses. */
const KEPT_MOVES = 8;
/** Milliseconds until a search that failed is tried again: the program may have been started again. */
const RETRY = 2000;
/** The name of the player in the games of these pages, and the number of their mistakes that are kept. */
const [OWN_NAME, MAX_MISTAKES] = ["Player", 200];
export class Reviewer {
  #page;
  /** The review that runs, as an AbortController. */
  #running = null;
  /** Ends with the latest review. */
  #over = Promise.resolve();
  /** The mistake in place of which a better move is sought, and what is said about the move that was tried. */
  #mistake = null;
  #answer = null;
  /** Whether a good move was found in place of the mistake. */
  #isSolved = false;

  /**
   * `page` has the `tree` and the `current` node; `show(node)`, `render()`, `showEvaluations()`, `stopEngine()`,
   * `evaluationOf(node)`, `turn(side)` and `complain(error)`.
   */
  constructor(page) { this.#page = page; }

  reset() {
    this.#running?.abort();
    this.#mistake = this.#answer = null;
    at("summary").textContent = "";
  }

  /** Another node is shown: elsewhere the mistake is forgotten. */
  move(node) {
    const before = this.#mistake?.parent;
    if (!before) return;
    if (!node.isTry) this.#page.tree.forgetTries(before);
    if (node !== before && node.parent !== before) this.#mistake = null;
  }

  /** Whether a move from here is a try in place of a mistake. */
  isAsking(node) { return node === this.#mistake?.parent; }

  render() {
    const { tree, current } = this.#page;
    // The answer is in the list, until a good move is found.
    at("moves").classList.toggle("puzzling", Boolean(this.#mistake) && !this.#isSolved);
    at("puzzle").disabled = Boolean(this.#running) || !this.#mistakes().length;
    this.#showSummary();
    this.#showReason().catch(this.#page.complain);
  }

  /** Reviews the main line, or cancels the review that runs. */
  async toggle() {
    if (!this.#running) { await this.start(); return; }
    this.#running.abort();
    remember("review", { ...recall("review"), isOn: false });
  }

  /** Goes on with a review of this game that was under way when it was left. */
  async resume() {
    await this.#over.catch(() => {});
    const kept = recall("review");
    if (kept?.isOn && kept.game === gameOf(this.#page.tree.main())) await this.start();
  }

  /** Reviews the main line, unless it is under way. */
  start() {
    if (!this.#running) this.#over = this.#run();
    return this.#over;
  }

  /** What is known of the line is kept, so that a reload, a cancelled review or a program that ended lose nothing. */
  async #run() {
    const { tree } = this.#page;
    const nodes = tree.main();
    if (nodes.length < 2) throw new Error("There are no moves to review.");
    this.#page.stopEngine();
    const controller = new AbortController();
    const { signal } = controller;
    this.#running = controller;
    at("review").textContent = "Cancel the review";
    at("progress").hidden = false;
    this.#page.render();
    // The search of one would wait for the other.
    at("engine").disabled = at("threat").disabled = true;
    try {
      const [game, kept] = [gameOf(nodes), recall("review")];
      const positions = kept?.game === game ? kept.positions : [];
      positions.forEach(({ evaluation }, index) => { nodes[index].engineEvaluation = evaluation; });
      while (positions.length < nodes.length) {
        const done = positions.length;
        at("progress").value = done / nodes.length;
        at("speed").textContent = `Reviewing position ${done + 1} of ${nodes.length}`;
        remember("review", { game, positions, isOn: true });
        const found = await evaluate(nodes, done, signal).catch(async (error) => {
          if (signal.aborted || error.status < 500) throw error;
          this.#page.complain(error);
          await new Promise((later) => setTimeout(later, RETRY));
        });
        if (signal.aborted) return;
        if (!found) continue;
        positions.push(found);
        nodes[done].engineEvaluation = found.evaluation;
        this.#page.showEvaluations();
      }
      if (!nodes.every((node) => tree.has(node))) throw new Error("The moves were changed during the review.");
      await reviewTree(tree, nodes, positions);
      remember("review", null);
      this.#keepMistakes();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#running = null;
      at("review").textContent = "Review the game";
      at("progress").hidden = true;
      at("engine").disabled = at("threat").disabled = false;
      at("speed").textContent = "";
      this.#page.render();
    }
  }

  #showSummary() {
    const found = reviewOf(this.#page.tree, this.#page.evaluationOf);
    at("reviewed").hidden = !found;
    if (!found) return;
    const { sides, worst } = found;
    const text = [...sides, worst.length ? "The worst moves:" : ""].join(" ");
    if (at("summary").textContent === text) return;
    at("summary").textContent = text;
    at("worst").replaceChildren(...worst.map(({ node, change }) => button("", () => { if (this.#page.tree.has(node)) this.#page.show(node); }, "",
      make("b", "", moveName(node) + node.glyphs.map(sign).join("")), change)));
  }

  /** Shows the reason of a bad move with its lines, or the task of the puzzle. */
  async #showReason() {
    const box = at("judged");
    const { tree, current: node, show } = this.#page;
    box.hidden = at("reviewed").hidden && !this.#mistake;
    if (box.hidden) return;
    const found = reasonOf(node);
    const words = node === this.#mistake?.parent ? `Find a better move than ${moveName(this.#mistake)}.`
      : this.#answer?.node === node ? this.#answer.words : found?.words ?? node.text;
    const key = JSON.stringify([words, node.fen, found]);
    // Replaced buttons would lose the focus and clicks.
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    box.textContent = words;
    if (words !== found?.words) return;
    const { plies } = await api.ask({ ask: "line", fen: node.fen, moves: found.reply });
    if (box.dataset.key !== key) return;
    const line = (title, moves, fen, choose) => (moves.length
      ? [` ${title}: `, ...moves.map((ply, index) => button(numbered(fen)(ply, index), () => choose(ply, index)))] : []);
    box.append(".", ...line("Answer", plies, node.fen, (_, index) => show(tree.addLine(node, plies.slice(0, index + 1)))),
      ...line("Better", betterThan(node), node.parent.fen, show));
  }

  /** The tag of the player's side, in a game against Alfiere. */
  #own() { return this.#page.tree.tags.find(([name, value]) => value === OWN_NAME && (name === "White" || name === "Black"))?.[0]; }

  /** The mistakes of the main line: those of the player, in a game against Alfiere. */
  #mistakes() {
    const own = this.#own();
    return this.#page.tree.main().filter((node) => faultOf(node) && (!own || turnOf(node).isWhite === (own === "White")));
  }

  /** Keeps the player's mistakes for practice, each as a PGN from the position before it, with the better line. */
  #keepMistakes() {
    if (!this.#own()) return;
    const pgns = this.#mistakes().map((node) => {
      const tree = new Tree(node.parent, [["Event", "Practice"], [this.#own(), OWN_NAME]]);
      tree.annotate(tree.root, { text: "", shapes: [], glyphs: [] });
      tree.add(tree.root, node);
      tree.addLine(tree.root, betterThan(node).map((ply) => ({ ...ply, text: "", shapes: [] })));
      return writeGame(tree);
    });
    remember("mistakes", [...new Set([...recall("mistakes") ?? [], ...pgns])].slice(-MAX_MISTAKES));
  }

  #forgetMistake() {
    const { fen } = this.#mistake.parent;
    const kept = recall("mistakes");
    if (kept) remember("mistakes", kept.filter((pgn) => !pgn.includes(`[FEN "${fen}"]`)));
  }

  /** Shows the position before the next mistake, from the side of the player who made it. */
  next() {
    const { tree, current } = this.#page;
    const nodes = tree.main();
    const place = nodes.indexOf(this.#mistake ?? path(current).findLast((node) => nodes.includes(node)));
    const bad = this.#mistakes();
    this.#page.stopEngine();
    this.#mistake = bad.find((node) => nodes.indexOf(node) > place) ?? bad[0];
    [this.#answer, this.#isSolved] = [null, false];
    this.#page.turn(turnOf(this.#mistake).isWhite ? "white" : "black");
    const { parent } = this.#mistake;
    if (current === parent) this.#page.render(); else this.#page.show(parent);
  }

  /** Shows the evaluation of a move that was played in place of a mistake. */
  async judge(node) {
    const mistake = this.#mistake;
    if (node.parent !== mistake?.parent) return;
    const before = mistake.parent;
    const say = (words) => {
      this.#answer = { node, words };
      this.render();
    };
    const retry = "Go back (←) and try another move.";
    if (node === mistake) { say(`${moveName(node)} was the mistake. ${retry}`); return; }
    const best = before.children.find((child) => child !== mistake);
    if (node === best && reasonOf(mistake)) { this.#isSolved = true; this.#forgetMistake(); say(`${moveName(node)} is the best move.`); return; }
    say("Looking at your move…");
    const nodes = path(node);
    const { signal } = new AbortController();
    const known = this.#page.evaluationOf(before) ?? (await evaluate(nodes.slice(0, -1), nodes.length - 2, signal)).evaluation;
    const { evaluation } = await evaluate(nodes, nodes.length - 1, signal);
    node.engineEvaluation = evaluation;
    const positions = [{ ...known, best: best?.uci ?? mistake.uci }, evaluation];
    const { moves: [{ judgement }] } = await api.ask({ ask: "review", fen: before.fen, moves: [node.uci], positions });
    this.#isSolved ||= !judgement;
    if (this.#isSolved) this.#forgetMistake();
    say(judgement ? `${moveName(node)} is ${judgement === "inaccuracy" ? "an" : "a"} ${judgement}, too. ${retry}`
      : `${moveName(node)} is a good move.`);
    this.#page.showEvaluations();
  }
}

/** The line in place of a move, as nodes. */
function betterThan(node) {
  const better = node.parent.children.find((child) => child !== node);
  return better ? through(better).slice(path(node.parent).length) : [];
}

/** The evaluation of the position at an index of a line of nodes, and the engine's line there; null if the signal aborts. */
async function evaluate(nodes, index, signal) {
  const position = searched(nodes.slice(0, index + 1));
  if (index === nodes.length - 1) {
    const { end } = await api.ask({ ask: "line", ...position });
    if (end) return { evaluation: evaluationOfEnd(end) };
  }
  const found = await api.find({ ...position, go: `nodes ${REVIEW_NODES}`, isNew: true }, nodes[index].fen, signal);
  return found && { evaluation: found.evaluation, line: found.moves.slice(0, KEPT_MOVES) };
}

/** A line of nodes as a text. */
const gameOf = (nodes) => [nodes[0].fen, ...nodes.slice(1).map(({ uci }) => uci)].join(" ");
