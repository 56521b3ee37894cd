// The size of the board: as large as the window allows, or smaller by a handle at its corner. The choice is kept.

import { make, recall, remember } from "./elements.js";

/** Adds the handle to the element around the board. It is a slider for the keyboard, and follows the pointer at the corner. */
export function addHandle(arena) {
  const handle = make("input", "handle", "", { type: "range", min: 40, max: 100, step: 5, title: "Size of the board", "aria-label": "Size of the board in percent" });
  const set = (percent) => {
    handle.value = percent;
    document.documentElement.style.setProperty("--size", Math.min(100, Math.max(40, percent)) / 100);
    remember("board-size", percent);
  };
  set(recall("board-size") ?? 100);
  arena.append(handle);
  handle.addEventListener("input", () => set(Number(handle.value)));
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const { clientHeight } = arena.querySelector(".board");
    const [largest, y] = [clientHeight / (handle.value / 100), event.clientY - clientHeight];
    handle.onpointermove = ({ clientY }) => set(100 * (clientY - y) / largest);
  });
  handle.addEventListener("lostpointercapture", () => { handle.onpointermove = null; });
  handle.addEventListener("keydown", (event) => event.stopPropagation());
}
