// A game as a tree of moves. The first move after a node is the main one. Every change can be undone.

/**
 * @typedef {object} Node
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {string} fen the position after the move
 * @property {string | null} check the square of the king in check
 * @property {string} [san] absent at the root, as is `uci`
 * @property {string} [uci]
 * @property {number[]} glyphs
 * @property {string} before the comment before the move
 * @property {string} text the comment after it
 * @property {{cp?: number, mate?: number, expected_score?: number} | null} evaluation from White's point of view
 * @property {string | null} clock
 * @property {{color: string, from: string, to: string | null}[]} shapes
 */

const EMPTY = { glyphs: [], before: "", text: "", evaluation: null, clock: null, shapes: [] };

function make(parent, placement) {
  const { fen, check, san, uci } = placement;
  return { ...structuredClone(EMPTY), ...placement, parent, children: [], fen, check: check ?? null, san, uci };
}

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
    this.#change(node, { children: [...node.children, child] });
    if (isTry) this.#undo.pop();
    child.isTry = isTry;
    node.isTry = false;
    return child;
  }

  /** Forgets the tries after a node. */
  forgetTries(node) {
    node.children = node.children.filter(({ isTry }) => !isTry);
  }

  /** Adds moves one after the other; the node of the last one. */
  addLine(node, plies) {
    return plies.reduce((last, ply) => this.add(last, ply), node);
  }

  /** Removes a move with all that follows. */
  remove(node) {
    this.#change(node.parent, { children: node.parent.children.filter((child) => child !== node) });
  }

  /** Moves the variation that contains the node one rank up, where it branches off. Returns whether there is one. */
  promote(node) {
    let top = node;
    while (top.parent && top.parent.children[0] === top) top = top.parent;
    if (!top.parent) return false;
    const children = [...top.parent.children];
    const index = children.indexOf(top);
    [children[index - 1], children[index]] = [children[index], children[index - 1]];
    this.#change(top.parent, { children });
    return true;
  }

  /** Changes annotations of a node. */
  annotate(node, values) {
    this.#change(node, values);
  }

  setTags(tags) {
    this.#change(this, { tags });
  }

  /** Several changes that are undone together. */
  together(act) {
    const kept = this.#undo;
    this.#undo = [];
    act();
    const steps = this.#undo;
    this.#undo = kept;
    if (steps.length) this.#undo.push(() => steps.reverse().forEach((step) => step()));
  }

  get canUndo() { return this.#undo.length > 0; }

  undo() { this.#undo.pop()?.(); }

  #change(node, values) {
    const old = Object.fromEntries(Object.keys(values).map((name) => [name, node[name]]));
    Object.assign(node, values);
    this.#undo.push(() => Object.assign(node, old));
  }

  /** Forgets earlier changes, after reading a game. */
  settle() { this.#undo = []; }

  /** Whether the node is still in the tree. */
  has(node) {
    for (let at = node; at; at = at.parent) {
      if (at === this.root) return true;
      if (!at.parent?.children.includes(at)) return false;
    }
    return false;
  }

  /** All nodes, each after its parent. */
  all() {
    const nodes = [this.root];
    for (const node of nodes) nodes.push(...node.children);
    return nodes;
  }

  /** The main line, with the root. */
  main() { return through(this.root); }

  /** The node after these moves in UCI notation; null if they are not in the tree. */
  find(moves) {
    return moves.reduce((node, uci) => node?.children.find((child) => child.uci === uci) ?? null, this.root);
  }
}

/** The nodes from the root to this one. */
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

/** The moves to a node in UCI notation. */
export const movesTo = (node) => path(node).slice(1).map(({ uci }) => uci);

/** What is searched at the end of a line of nodes: the moves since the last null move, which engines do not play. */
export function searched(nodes) {
  const first = Math.max(nodes.findLastIndex(({ uci }) => uci === "0000"), 0);
  return { fen: nodes[first].fen, moves: nodes.slice(first + 1).map(({ uci }) => uci) };
}

/** Number and side of the move to a node, from the position before it. */
export function turnOf(node) {
  const [, side, , , , number] = node.parent.fen.split(" ");
  return { isWhite: side === "w", number: Number(number) };
}
