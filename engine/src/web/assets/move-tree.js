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
  const old = list.querySelector("[aria-current]");
  old?.removeAttribute("aria-current");
  const marked = known.buttons.get(current);
  // One move is a tab stop, not each.
  const stop = marked ?? list.querySelector("button");
  list.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
  stop?.setAttribute("tabindex", "0");
  if (marked) marked.setAttribute("aria-current", "true");
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
  const parts = [];
  /** The row that waits for Black's move. */
  let row = null;
  note(parts, tree.root.text);
  for (let node = tree.root; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children;
    const { isWhite, number } = turnOf(main);
    if (main.before) row = null;
    note(parts, main.before);
    if (!row) {
      row = make("div", "row");
      row.append(make("span", "number", `${number}.`), ...(isWhite ? [] : [make("span", "skipped", "…")]));
      parts.push(row);
    }
    row.append(moveButton(main));
    const text = withoutReason(main.text);
    if (!isWhite || text || others.length) row = null;
    note(parts, text);
    for (const other of others) parts.push(variation(other));
  }
  list.replaceChildren(...parts);
  return buttons;

  function variation(first) {
    const place = make("div", "variation");
    let isInterrupted = true;
    for (let node = first; node; node = node.children[0]) {
      const { isWhite, number } = turnOf(node);
      note(place, node.before);
      if (isWhite || isInterrupted) place.append(make("span", "number", `${number}${isWhite ? "." : "…"}`));
      place.append(moveButton(node), " ");
      note(place, node.text);
      const others = node === first ? [] : node.parent.children.slice(1);
      place.append(...others.map(variation));
      isInterrupted = Boolean(node.text) || others.length > 0;
    }
    return place;
  }

  function moveButton(node) {
    const classes = ["move", faultOf(node), node.isGiven && "given"].filter(Boolean).join(" ");
    const made = button(node.san + node.glyphs.map(sign).join(""), () => select(node), classes);
    made.tabIndex = -1;
    buttons.set(node, made);
    return made;
  }
}

/** Adds a comment to a list of elements or to an element. */
function note(place, text) {
  if (!text) return;
  const made = make(Array.isArray(place) ? "div" : "span", "comment", `${text} `);
  if (Array.isArray(place)) place.push(made); else place.append(made);
}
