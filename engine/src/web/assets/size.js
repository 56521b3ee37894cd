// The size of the board: as large as the window allows, or smaller by a handle at its corner. The choice is kept.

import { make, recall, remember } from "./elements.js";

const SMALLEST = 40;

/** Adds the handle to the element around the board. */
export function addHandle(arena) {
  const handle = make("div", "handle", "", {
    role: "slider", tabindex: 0, title: "Size of the board", "aria-label": "Size of the board in percent", "aria-valuemin": SMALLEST, "aria-valuemax": 100,
  });
  const root = document.documentElement;
  let percent = 100;
  const set = (value) => {
    percent = Math.round(Math.min(100, Math.max(SMALLEST, value)));
    root.style.setProperty("--size", percent / 100);
    handle.setAttribute("aria-valuenow", percent);
  };
  const keep = () => remember("board-size", percent);
  set(recall("board-size") ?? 100);
  arena.append(handle);

  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const board = arena.querySelector(".board");
    const [largest, y] = [board.clientHeight / (percent / 100), event.clientY - board.clientHeight];
    handle.onpointermove = ({ clientY }) => set(100 * (clientY - y) / largest);
  });
  handle.addEventListener("lostpointercapture", () => { handle.onpointermove = null; keep(); });
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 5, ArrowRight: 5, ArrowDown: -5, ArrowLeft: -5 }[event.key];
    if (!step) return;
    set(percent + step);
    keep();
    event.preventDefault();
    event.stopPropagation();
  });
}
