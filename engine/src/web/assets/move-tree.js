// The moves of a tree as text: the main line, and its variations in parentheses.

import { sign } from "./annotation.js";
import { turnOf } from "./tree.js";

/** The classes of bad moves by glyph. */
const BAD = { 6: "dubious", 2: "mistake", 4: "blunder" };

/** What each list shows: the nodes in the tree's order, their texts, and their buttons by node. */
const shown = new WeakMap();

/**
 * Shows the tree; `select(node)` is called with the node of a clicked move, `hint(node)` is its tooltip. The list is rebuilt
 * only if the tree changed: a rebuilt one would lose the focus and clicks.
 */
export function showTree(list, tree, current, select, hint) {
  const nodes = tree.all();
  const texts = JSON.stringify(nodes.map((node) => [node.glyphs, node.before, node.text, hint(node)]));
  let known = shown.get(list);
  if (!known || known.texts !== texts || known.nodes.length !== nodes.length || known.nodes.some((node, index) => node !== nodes[index])) {
    known = { nodes, texts, buttons: build(list, tree, select, hint) };
    shown.set(list, known);
  }
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const marked = known.buttons.get(current);
  if (!marked) return;
  marked.setAttribute("aria-current", "true");
  // Scrolls only the list, not the page.
  const top = marked.offsetTop - list.offsetTop;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + marked.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + marked.offsetHeight - list.clientHeight;
}

/** Rebuilds the list and returns the buttons by node. */
function build(list, tree, select, hint) {
  const buttons = new Map();
  const main = document.createElement("div");
  note(main, tree.root.text);
  line(main, tree.root);
  list.replaceChildren(main);
  return buttons;

  function line(place, start, isInterrupted = true) {
    for (let node = start; node.children.length; node = node.children[0]) {
      const [first, ...others] = node.children;
      move(place, first, isInterrupted);
      isInterrupted = Boolean(first.text) || others.length > 0;
      for (const other of others) {
        const variation = Object.assign(document.createElement("div"), { className: "variation" });
        move(variation, other, true);
        line(variation, other, Boolean(other.text));
        place.append(variation);
      }
    }
  }

  function move(place, node, isInterrupted) {
    note(place, node.before);
    const { isWhite, number } = turnOf(node);
    if (isWhite || isInterrupted) {
      place.append(Object.assign(document.createElement("span"), { className: "number", textContent: `${number}${isWhite ? "." : "…"}` }));
    }
    const button = Object.assign(document.createElement("button"), {
      type: "button", className: `move ${BAD[node.glyphs.find((glyph) => BAD[glyph])] ?? ""}`, textContent: node.san + node.glyphs.map(sign).join(""), title: hint(node) ?? "",
    });
    buttons.set(node, button);
    button.addEventListener("click", () => select(node));
    place.append(button, " ");
    note(place, node.text);
  }
}

function note(place, text) {
  if (text) place.append(Object.assign(document.createElement("span"), { className: "comment", textContent: `${text} ` }));
}
