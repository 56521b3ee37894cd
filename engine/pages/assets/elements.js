// Elements of a page, and what the browser keeps for it.

const SVG = "http://www.w3.org/2000/svg";

/** An element with classes, text and attributes. */
export function make(tag, className = "", text = "", attributes = {}) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** A button without a form. */
export function button(text, act, className = "") {
  const made = make("button", className, text, { type: "button" });
  made.addEventListener("click", act);
  return made;
}

/** An element of a picture. */
export function draw(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The picture of a piece, such as `wk`. The pictures are part of every page. */
export const figure = (code, attributes = {}) => draw("svg", { viewBox: "0 0 40 40", ...attributes }, draw("use", { href: `#${code}` }));

/** What `remember` kept under a name; null without it. */
export function recall(name, storage = "localStorage") {
  try { return JSON.parse(globalThis[storage].getItem(name)); } catch { return null; }
}

/** Keeps a value for the next visit, where the browser allows it; returns whether it does. */
export function remember(name, value, storage = "localStorage") {
  try { globalThis[storage].setItem(name, JSON.stringify(value)); } catch { return false; }
  return true;
}

/** Copies a field's text, also where the browser denies the clipboard; the button says so. */
export async function copy(field, pressed) {
  try { await navigator.clipboard.writeText(field.value); } catch { field.select(); document.execCommand("copy"); }
  const label = pressed.textContent;
  pressed.textContent = "Copied";
  setTimeout(() => { pressed.textContent = label; }, 1500);
}

let timer;
/** Shows an error for some seconds. */
export function complain({ message }) {
  const toast = document.getElementById("toast");
  Object.assign(toast, { textContent: message, hidden: false });
  clearTimeout(timer);
  timer = setTimeout(() => { toast.hidden = true; }, 6000);
}
