// The moves of a tree: the main line in two columns, its comments and variations between the rows.

import { faultOf, sign } from "./annotation.js";
import { button, make } from "./elements.js";
import { withoutReason } from "./review.js";
import { turnOf } from "./tree.js";

/** What each list shows: the nodes in the tree's order, their texts, and their buttons by node. */
const shown = new WeakMap();

/**
 * Shows the tree; `select(node)` is called with the node of a clicked move. The list is rebuilt only if the tree changed: a
 * rebuilt one would lose the focus and clicks.
 */
export function showTree(list, tree, current, select) {
  const nodes = tree.all();
  const texts = JSON.stringify(nodes.map(({ glyphs, before, text, isGiven }) => [glyphs, before, text, isGiven]));
  let known = shown.get(list);
  // Its height depends on what is above.
  if (!known) new ResizeObserver(() => reveal(list)).observe(list);
  if (!known || known.texts !== texts || known.nodes.length !== nodes.length || known.nodes.some((node, index) => node !== nodes[index])) {
    known = { nodes, texts, buttons: build(list, tree, select) };
    shown.set(list, known);
  }
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const marked = known.buttons.get(current);
  // One move is a tab stop, not each.
  list.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
  (marked ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
  if (marked) marked.ariaCurrent = true;
  else list.scrollTop = 0;
  reveal(list);
}

/** Scrolls the list, not the page, to the current move. */
function reveal(list) {
  const marked = list.querySelector("[aria-current]");
  if (!marked) return;
  const [box, part] = [list.getBoundingClientRect(), marked.getBoundingClientRect()];
  if (part.top < box.top) list.scrollTop -= box.top - part.top + 4;
  if (part.bottom > box.bottom) list.scrollTop += part.bottom - box.bottom + 4;
}

/** Rebuilds the list and returns the buttons by node. */
function build(list, tree, select) {
  const buttons = new Map();
  const note = (text, tag) => (text ? [make(tag, "comment", `${text} `)] : []);
  const parts = note(tree.root.text, "div");
  /** The row that waits for Black's move. */
  let row = null;
  for (let node = tree.root; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    const { isWhite, number } = turnOf(main);
    if (main.before) row = null;
    parts.push(...note(main.before, "div"));
    if (!row) parts.push(row = make("div", "row", "", {}, make("span", "number", `${number}.`), !isWhite && make("span", "skipped", "…")));
    row.append(moveButton(main));
    const text = withoutReason(main.text);
    if (!isWhite || text || others.length) row = null;
    parts.push(...note(text, "div"), ...others.map(variation));
  }
  list.replaceChildren(...parts);
  return buttons;

  function variation(first) {
    const moves = [];
    let isInterrupted = true;
    for (let node = first; node; node = node.children[0]) {
      const { isWhite, number } = turnOf(node);
      const others = node === first ? [] : node.parent.children.slice(1);
      moves.push(...note(node.before, "span"), (isWhite || isInterrupted) && make("span", "number", `${number}${isWhite ? "." : "…"}`), moveButton(node), " ",
        ...note(node.text, "span"), ...others.map(variation));
      isInterrupted = Boolean(node.text) || others.length > 0;
    }
    return make("div", "variation", "", {}, ...moves);
  }

  function moveButton(node) {
    const made = button(node.san + node.glyphs.map(sign).join(""), () => select(node), ["move", faultOf(node), node.isGiven && "given"].filter(Boolean).join(" "));
    made.tabIndex = -1;
    buttons.set(node, made);
    return made;
  }
}
