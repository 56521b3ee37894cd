// The keys of a page with a board, the field for moves, and what is pasted on the page.

import { at } from "./elements.js";

/**
 * Calls an action or clicks a button by its id, by key, `ctrl` and the key with Ctrl or Cmd, while `isReady()`; `take(text)`
 * receives what is pasted outside a field. `play(text)` receives a typed move and returns whether it was played.
 */
export function onKeys(keys, take, play, isReady) {
  const isTyping = ({ target }) => target.closest("input, textarea, select, [role=dialog]");
  document.addEventListener("keydown", (event) => {
    if (!isReady() || event.altKey) return;
    if (isTyping(event)) {
      if (event.key === "Escape" && event.target.matches("input, textarea")) event.target.blur();
      return;
    }
    const action = keys[(event.ctrlKey || event.metaKey ? "ctrl " : "") + event.key];
    if (event.key === " " && event.target.closest("button, summary, a")) return;
    if (event.key === "/" && !event.ctrlKey) at("typed-move").focus();
    else if (typeof action === "function") action();
    else if (!action) return;
    else if (!at(action).disabled) at(action).click();
    event.preventDefault();
  });
  // A button that the mouse has pressed does not keep the focus: the space bar would press it again.
  document.addEventListener("click", ({ detail, target }) => { if (detail) target.closest("button, summary")?.blur(); });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text").trim();
    if (!text || !isReady() || isTyping(event)) return;
    event.preventDefault();
    take(text);
  });
  at("typed").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = at("typed-move").value.trim();
    if (text && await play(text)) at("typed-move").value = "";
  });
}
