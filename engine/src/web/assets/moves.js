// The move list; a click shows the position after a move.

/** The moves that each list shows, as text. */
const shown = new WeakMap();

/** Shows the moves. The list is rebuilt only if they changed: a rebuilt one would lose the focus and clicks. */
export function showMoves(list, game, ply, select) {
  const moves = JSON.stringify([game.stages[0].fen, game.given, ...game.stages.slice(1).map(({ san }) => san)]);
  if (moves !== shown.get(list)) build(list, game);
  shown.set(list, moves);
  list.onclick = (event) => {
    const chosen = event.target.closest("[data-ply]");
    if (chosen) select(Number(chosen.dataset.ply));
  };
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = list.querySelector(`[data-ply="${ply}"]`);
  current?.setAttribute("aria-current", "true");
  // Scrolls only the list, not the page.
  if (!current) list.scrollTop = 0;
  else {
    const row = current.parentElement;
    const [top, bottom] = [row.offsetTop - list.offsetTop, row.offsetTop - list.offsetTop + row.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }
}

function build(list, game) {
  const [, side, , , , number] = game.stages[0].fen.split(" ");
  const shift = side === "b" ? 1 : 0;
  const rows = [];
  game.stages.slice(1).forEach(({ san }, index) => {
    const offset = index + shift;
    if (offset % 2 === 0 || index === 0) {
      const row = element("div", "row");
      row.append(element("span", "number", `${Number(number) + Math.floor(offset / 2)}.`));
      if (index === 0 && shift) row.append(element("span", "skipped", "…"));
      rows.push(row);
    }
    const button = element("button", index < game.given ? "move given" : "move", san);
    button.type = "button";
    button.dataset.ply = index + 1;
    rows.at(-1).append(button);
  });
  list.replaceChildren(...rows);
  list.hidden = rows.length === 0;
}

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
