// A game as a tree of moves. The first move after a node is the main one. Every change can be undone.
//
// A node has `parent`, `children`, the position after its move, `fen`, `check` (the square of the king in check), `captured` and
// `balance`, and but for the root the move, `san` and `uci`. Its annotations are those of `EMPTY`: glyphs, the comment `before` the move
// and the `text` after it, the evaluation from White's point of view, the clock, and `shapes`, `{color, from, to}`.

import { isWhiteToMove } from "./notation.js";

const EMPTY = { glyphs: [], before: "", text: "", evaluation: null, clock: null, shapes: [] };

const make = (parent, placement) => ({ ...structuredClone(EMPTY), check: null, ...placement, parent, children: [] });

export class Tree {
  #undo = [];

  /** Starts with a position, `{fen, check}`, and PGN tags. */
  constructor(start, tags = []) {
    this.root = make(null, start);
    this.tags = tags;
  }

  /** Adds a move after a node, or finds it there. A try in place of a mistake is kept only if moves follow it. */
  add(node, ply, isTry = false) {
    const known = node.children.find(({ uci }) => uci === ply.uci);
    if (known) return known;
    const child = make(node, ply);
    this.annotate(node, { children: [...node.children, child] });
    if (isTry) this.#undo.pop();
    child.isTry = isTry;
    node.isTry = false;
    return child;
  }

  /** Forgets the tries after a node. */
  forgetTries(node) { node.children = node.children.filter(({ isTry }) => !isTry); }

  addLine(node, plies) { return plies.reduce((last, ply) => this.add(last, ply), node); }

  remove(node) { this.annotate(node.parent, { children: node.parent.children.filter((child) => child !== node) }); }

  /** Moves the variation that contains the node one rank up, where it branches off. */
  promote(node) {
    const top = path(node).findLast(({ parent }, index, nodes) => parent && parent.children[0] !== nodes[index]);
    if (!top) return;
    const children = [...top.parent.children];
    const index = children.indexOf(top);
    [children[index - 1], children[index]] = [children[index], children[index - 1]];
    this.annotate(top.parent, { children });
  }

  /** Changes fields of a node, or of the tree itself. */
  annotate(node, values) {
    const old = Object.fromEntries(Object.keys(values).map((name) => [name, node[name]]));
    Object.assign(node, values);
    this.#undo.push(() => Object.assign(node, old));
  }

  /** Several changes that are undone together. */
  together(act) {
    const kept = this.#undo;
    this.#undo = [];
    act();
    const steps = this.#undo.reverse();
    this.#undo = kept;
    if (steps.length) this.#undo.push(() => steps.forEach((step) => step()));
  }

  get canUndo() { return this.#undo.length > 0; }

  undo() { this.#undo.pop()?.(); }

  /** Forgets earlier changes, after reading a game. */
  settle() { this.#undo = []; }

  /** Whether the node is still in the tree. */
  has(node) { return path(node).every((at) => at === this.root || at.parent?.children.includes(at)); }

  all() {
    const nodes = [this.root];
    for (const node of nodes) nodes.push(...node.children);
    return nodes;
  }

  main() { return through(this.root); }

  /** The node after these moves in UCI notation; null if they are not in the tree. */
  find(moves) { return moves.reduce((node, uci) => node?.children.find((child) => child.uci === uci) ?? null, this.root); }
}

export function path(node) {
  const nodes = [];
  for (let at = node; at; at = at.parent) nodes.unshift(at);
  return nodes;
}

/** The nodes from the root through this one to the end of its line. */
export function through(node) {
  const nodes = path(node);
  while (nodes.at(-1).children.length) nodes.push(nodes.at(-1).children[0]);
  return nodes;
}

export const movesTo = (node) => path(node).slice(1).map(({ uci }) => uci);

/** What is searched at the end of a line of nodes: the moves since the last null move, which engines do not play. */
export function searched(nodes) {
  const first = Math.max(nodes.findLastIndex(({ uci }) => uci === "0000"), 0);
  return { fen: nodes[first].fen, moves: nodes.slice(first + 1).map(({ uci }) => uci) };
}

/** Number and side of the move to a node, from the position before it. */
export const turnOf = ({ parent: { fen } }) => ({ isWhite: isWhiteToMove(fen), number: Number(fen.split(" ")[5]) });
