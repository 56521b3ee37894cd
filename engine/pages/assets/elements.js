// Elements of a page, and what the browser keeps for it.

export const at = (id) => document.getElementById(id);

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== "" && child !== false));
  return made;
}

/** An element with classes, text, attributes and children; those that are false are left out. */
export const make = (tag, className = "", text = "", attributes = {}, ...children) =>
  filled(document.createElement(tag), { ...(className && { class: className }), ...attributes }, [text, ...children]);

export const draw = (tag, attributes = {}, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

export function button(text, act, className = "", ...children) {
  const made = make("button", className, text, { type: "button" }, ...children);
  made.addEventListener("click", act);
  return made;
}

/** Calls actions by the ids of what is clicked. */
export const onClicks = (actions) => Object.entries(actions).forEach(([id, action]) => at(id).addEventListener("click", action));

/** A row of a table; the first cell is its heading. */
export const row = (cells, tag = "td") => make("tr", "", "", {}, ...cells.map((cell, place) => make(place ? tag : "th", "", cell, place ? {} : { scope: tag === "th" ? "col" : "row" })));

/** Titles and values, each with a remark or none. */
export const facts = (list) => list.map(([title, value, remark]) =>
  make("div", "", "", {}, make("dt", "", title), make("dd", "", value, {}, ...(remark ? [" ", make("small", "", remark)] : []))));

/** The picture of a piece, such as `wk`. The pictures are part of every page. */
export const figure = (code, attributes = {}) => draw("svg", { viewBox: "0 0 40 40", ...attributes }, draw("use", { href: `#${code}` }));

/** Shows a text in an element, which is hidden without one. */
export const say = (id, text) => Object.assign(at(id), { textContent: text, hidden: !text });

/** Adds words to the page's log, for screen readers: an entry that was not read yet stays. */
export function tell(words) {
  at("live").append(make("span", "", `${words} `));
  while (at("live").children.length > 8) at("live").firstChild.remove();
}

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
  say("toast", message);
  clearTimeout(timer);
  timer = setTimeout(() => say("toast", ""), 6000);
}
