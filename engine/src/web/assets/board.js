// The board: draws a position and accepts moves by drag, click or keyboard. The legal moves come from the rules.

import { button, draw, figure, make } from "./elements.js";
import { SQUARES, pawns, pieceName, placement, squaresOf } from "./notation.js";

const FILES = "abcdefgh";
/** Maximum pointer movement of a click in pixels. */
const CLICK_RADIUS = 5;
/** What pieces are usually worth, in centipawns. */
const WORTH = { p: 100, n: 300, b: 300, r: 500, q: 900 };

export class Board {
  #root; #grid; #pieces; #labels; #shapes; #arrow; #dialog;
  #cells = new Map();
  /** Maps squares to `{code, element}`. */
  #pieceMap = new Map();
  #orientation = "white";
  #legal = new Map();
  #selected = null;
  #drag = null;
  /** The id of the pointer that drags or draws. */
  #pointer = null;
  /** Whether the piece was selected by keyboard; the focus then stays on the board. */
  #isByKey = false;
  #onMove;
  /** `{square, move}` while a position is edited. */
  #editing = null;
  /** The shape being drawn, `{color, from, to}`. */
  #shape = null;
  /** The squares and arrows shown. */
  #drawn = [];
  /** Receives `{color, from, to}` when the user draws a square (`to` is null) or an arrow. */
  onShape = null;
  /** The colour in which any pointer draws; null if only the right button does. */
  pen = null;
  /** Whose pieces can be moved at once after a move, to any square: "own" or "other"; nobody's without it. */
  next = null;
  /** Whether the pieces that can be moved go anywhere. */
  #isFree = false;
  /** The last state shown; updates that do not change it keep the current selection. */
  #shown = "";

  constructor(root, onMove) {
    this.#root = root;
    this.#onMove = onMove;
    this.#grid = make("div", "grid", "", { role: "grid", "aria-label": "Chess board" });
    this.#pieces = make("div", "pieces", "", { "aria-hidden": "true" });
    this.#labels = make("div", "labels", "", { "aria-hidden": "true" });
    [this.#shapes, this.#arrow] = ["arrow shapes", "arrow"].map((name) => draw("svg", { class: name, viewBox: "0 0 8 8", "aria-hidden": "true" }));
    this.#dialog = make("div", "promotion", "", { role: "dialog", "aria-label": "Promote to", hidden: "" });
    root.append(this.#grid, this.#pieces, this.#shapes, this.#arrow, this.#labels, this.#dialog);
    this.#layOut();
    const own = (act) => (event) => { if (event.pointerId === this.#pointer) act(event); };
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", own((event) => this.#move(event)));
    root.addEventListener("pointerup", own((event) => this.#up(event)));
    root.addEventListener("pointercancel", own(() => {
      this.#draw(null);
      this.#drop(null);
    }));
    root.addEventListener("contextmenu", (event) => { if (this.onShape) event.preventDefault(); });
    this.#grid.addEventListener("keydown", (event) => this.#key(event));
    this.#dialog.addEventListener("keydown", (event) => {
      const forward = this.#dialog.matches(".upward") ? -1 : 1;
      const step = { ArrowDown: forward, ArrowUp: -forward, Tab: event.shiftKey ? -1 : 1 }[event.key];
      if (!step && event.key !== "Escape") return;
      const buttons = [...this.#dialog.children];
      if (step) buttons.at((buttons.indexOf(event.target) + step) % buttons.length).focus();
      else this.#closeDialog();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /**
   * Shows a position. `last` and `planned` are two squares, `check` is one, `legal` is moves in UCI notation; `premoves` is
   * the side whose pieces may be moved to any square, before its turn.
   */
  show({ fen, orientation = this.#orientation, last = [], check = null, legal = [], premoves = null, planned = [] }) {
    const isTurned = orientation !== this.#orientation;
    this.#orientation = orientation;
    if (isTurned) this.#layOut();
    const pieces = placement(fen);
    this.#legal = Map.groupBy(legal.flatMap((uci) => {
      const [from, to] = squaresOf(uci);
      const move = { from, to, promotion: uci[4], uci };
      // A king also castles by a move onto its rook.
      const isCastling = pieces.get(from)?.[1] === "k" && Math.abs(FILES.indexOf(from[0]) - FILES.indexOf(to[0])) === 2;
      const rook = (to[0] === "g" ? "h" : "a") + from[1];
      return isCastling && pieces.get(rook) === `${pieces.get(from)[0]}r` ? [move, { ...move, to: rook }] : [move];
    }), ({ from }) => from);
    this.#isFree = false;
    if (premoves) this.#free(pieces, premoves);
    this.#place(pieces, isTurned);
    for (const [square, cell] of this.#cells) {
      cell.classList.toggle("last", last.includes(square));
      cell.classList.toggle("planned", planned.includes(square));
      cell.classList.toggle("check", check === square);
      const piece = this.#pieceMap.get(square);
      cell.ariaLabel = `${square}, ${piece ? pieceName(piece.code) : "empty"}${check === square ? ", in check" : ""}`;
    }
    const shown = [fen, orientation, premoves, ...legal].join(" ");
    if (shown !== this.#shown) this.#closeDialog();
    this.#shown = shown;
    this.#select(this.#legal.has(this.#selected) ? this.#selected : null);
  }

  /**
   * Shows what each piece adds to one or two evaluations, `{square: centipawns for White}`: the value for its own side, and a
   * colour for how much it is above or below the piece's usual worth, on half of the square for each of two.
   */
  showValues(...evaluations) {
    for (const cell of this.#cells.values()) cell.removeAttribute("style");
    this.#labels.replaceChildren(...Object.keys(evaluations[0] ?? {}).map((square) => {
      const code = this.#pieceMap.get(square)?.code ?? "wp";
      return this.#put(make("span", "label", "", {}, ...evaluations.map((values, index) => {
        const own = code[0] === "b" ? -values[square] : values[square];
        const more = (own - WORTH[code[1]]) / 200;
        const heat = `rgb(${more < 0 ? "200 40 30" : "20 130 60"} / ${Math.min(0.6, Math.abs(more)).toFixed(2)})`;
        for (const half of index ? ["--other-heat"] : ["--heat", "--other-heat"]) this.#cells.get(square).style.setProperty(half, heat);
        return make("b", [own < 0 && "bad", index && "other"].filter(Boolean).join(" "), pawns(own, 1));
      })), square);
    }));
  }

  showArrows(arrows) { this.#arrow.replaceChildren(...arrows.flatMap(([from, to, classes = ""]) => this.#arrowOf(from, to, classes))); }

  /** Draws squares and arrows, `[{color, from, to}]`; `to` is null for a square. */
  showShapes(shapes) {
    this.#drawn = shapes;
    this.#draw(null);
  }

  /** Shows the shape that is being drawn beside the others. */
  #draw(shape) {
    this.#shape = shape;
    const shapes = shape ? [...this.#drawn, shape] : this.#drawn;
    this.#shapes.replaceChildren(...shapes.flatMap(({ color, from, to }) => {
      const { x, y } = this.#at(from);
      return to ? this.#arrowOf(from, to, color) : [draw("circle", { class: color, cx: x + 0.5, cy: y + 0.5, r: 0.45 })];
    }));
  }

  #arrowOf(from, to, classes) {
    const [a, b] = [this.#at(from), this.#at(to)].map(({ x, y }) => ({ x: x + 0.5, y: y + 0.5 }));
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const end = { x: b.x - 0.46 * ux, y: b.y - 0.46 * uy };
    const point = (along, across) => `${b.x - along * ux - across * uy},${b.y - along * uy + across * ux}`;
    return [draw("line", { class: classes, x1: a.x + 0.25 * ux, y1: a.y + 0.25 * uy, x2: end.x, y2: end.y }),
      draw("polygon", { class: classes, points: `${point(0.08, 0)} ${point(0.46, 0.24)} ${point(0.46, -0.24)}` })];
  }

  /** Lets the pieces of a side be moved to any square, before its legal moves are known. */
  #free(pieces, side) {
    this.#isFree = true;
    for (const [from, code] of pieces) if (code[0] === side[0]) this.#legal.set(from, SQUARES.filter((to) => to !== from).map((to) => ({ from, to, uci: from + to })));
  }

  /** Edits the position: `square` receives clicked squares, `move` both squares of a dragged piece; null ends it. */
  edit(square, move) {
    this.#editing = square && { square, move };
    this.showArrows([]);
  }

  // Layout.

  #layOut() {
    const focused = document.activeElement?.dataset?.square;
    const [files, ranks] = this.#orientation === "white" ? [[...FILES], [8, 7, 6, 5, 4, 3, 2, 1]] : [[...FILES].reverse(), [1, 2, 3, 4, 5, 6, 7, 8]];
    this.#cells.clear();
    this.#grid.replaceChildren(...ranks.map((rank, row) => make("div", "rank", "", { role: "row" }, ...files.map((file, column) => {
      const isDark = (FILES.indexOf(file) + rank) % 2 === 1;
      const cell = make("div", `square ${isDark ? "dark" : "light"}`, "", {
        role: "gridcell", tabindex: -1, "data-square": file + rank, ...(column === 0 && { "data-rank": rank }), ...(row === 7 && { "data-file": file }),
      });
      this.#cells.set(file + rank, cell);
      return cell;
    }))));
    this.#makeTabbable(focused ?? (this.#orientation === "white" ? "e2" : "e7"));
    if (focused) this.#cells.get(focused).focus();
    for (const [square, { element }] of this.#pieceMap) this.#put(element, square);
  }

  #at(square) {
    const [file, rank] = [FILES.indexOf(square[0]), Number(square[1]) - 1];
    return this.#orientation === "white" ? { x: file, y: 7 - rank } : { x: 7 - file, y: rank };
  }

  #put(element, square) {
    const { x, y } = this.#at(square);
    element.style.transform = `translate(${100 * x}%, ${100 * y}%)`;
    return element;
  }

  #squareAt({ clientX, clientY }) {
    const { left, top, width } = this.#root.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top].map((value) => Math.floor((8 * value) / width));
    return this.#grid.children[y]?.children[x]?.dataset.square ?? null;
  }

  // Pieces.

  #place(target, isInstant) {
    const left = new Map([...this.#pieceMap].filter(([square, { code }]) => target.get(square) !== code));
    for (const square of left.keys()) this.#pieceMap.delete(square);
    this.#root.classList.toggle("instant", isInstant);
    for (const [square, code] of target) {
      if (this.#pieceMap.has(square)) continue;
      const from = nearest(left, code, square);
      const piece = from ? left.get(from) : { code, element: figure(code, { class: "piece" }) };
      if (from) left.delete(from);
      piece.element.classList.toggle("moving", Boolean(from));
      this.#put(piece.element, square);
      this.#pieceMap.set(square, piece);
      if (!from) this.#pieces.append(piece.element);
    }
    for (const { element } of left.values()) element.remove();
  }

  // Moves.

  #select(square) {
    this.#selected = square;
    const targets = new Set((this.#legal.get(square) ?? []).map(({ to }) => to));
    for (const [name, cell] of this.#cells) {
      cell.classList.toggle("selected", name === square);
      cell.classList.toggle("target", targets.has(name) && !this.#isFree);
      cell.classList.toggle("taken", targets.has(name) && !this.#isFree && this.#pieceMap.has(name));
      cell.ariaSelected = name === square;
    }
  }

  /** Handles a click or key on a square: selects a piece, or moves the selected one. */
  #choose(square) {
    if (this.#editing && !this.#selected && !this.#legal.has(square)) this.#editing.square(square);
    else if (!this.#tryMove(this.#selected, square)) this.#select(this.#legal.has(square) && square !== this.#selected ? square : null);
  }

  #tryMove(from, to) {
    const moves = (this.#legal.get(from) ?? []).filter((move) => move.to === to);
    if (moves.length === 0) return false;
    this.#select(null);
    if (moves.length > 1) this.#askPromotion(moves, to); else this.#play(moves[0], from);
    return true;
  }

  #play(move, from) {
    // Shown at once; the server's response corrects it if necessary.
    const piece = this.#pieceMap.get(from);
    this.#pieceMap.get(move.to)?.element.remove();
    this.#pieceMap.delete(from);
    this.#pieceMap.set(move.to, piece);
    this.#put(piece.element, move.to);
    this.#legal = new Map();
    const [color] = piece.code;
    if (this.next && !this.#editing) this.#free(new Map([...this.#pieceMap].map(([square, { code }]) => [square, code])), this.next === "own" ? color : color === "w" ? "b" : "w");
    if (this.#editing) this.#editing.move(from, move.to);
    else this.#onMove(move.uci);
  }

  #askPromotion(moves, to) {
    const color = this.#pieceMap.get(moves[0].from).code[0];
    const { x, y } = this.#at(to);
    this.#dialog.replaceChildren(...["q", "r", "b", "n"].map((kind) => {
      const made = button("", () => {
        this.#closeDialog();
        this.#play(moves.find(({ promotion }) => promotion === kind), moves[0].from);
      }, "", figure(color + kind, { class: "piece" }));
      made.dataset.promotion = kind;
      made.ariaLabel = pieceName(color + kind).split(" ")[1];
      return made;
    }));
    this.#dialog.style.left = `${12.5 * x}%`;
    this.#dialog.classList.toggle("upward", y > 3);
    this.#dialog.hidden = false;
    this.#root.classList.add("asking");
    this.#dialog.firstElementChild.focus();
  }

  #closeDialog() {
    if (this.#dialog.hidden) return;
    if (this.#isByKey) this.#grid.querySelector("[tabindex='0']")?.focus();
    else if (this.#dialog.contains(document.activeElement)) document.activeElement.blur();
    this.#dialog.hidden = true;
    this.#root.classList.remove("asking");
    for (const [square, { element }] of this.#pieceMap) this.#put(element, square);
  }

  // Pointer.

  #down(event) {
    // A second finger changes nothing.
    if (!event.isPrimary || this.#drag || this.#shape) return;
    this.#pointer = event.pointerId;
    if (this.onShape && !this.#editing && (event.button === 2 || this.pen && event.button === 0)) {
      const from = this.#squareAt(event);
      if (!from) return;
      event.preventDefault();
      this.#root.setPointerCapture(event.pointerId);
      const color = event.shiftKey ? "red" : event.altKey ? "blue" : this.pen ?? "green";
      this.#draw({ color, from, to: null });
      return;
    }
    if (event.button !== 0 || this.#dialog.contains(event.target)) return;
    if (!this.#dialog.hidden) { this.#closeDialog(); return; }
    const square = this.#squareAt(event);
    if (!square) return;
    event.preventDefault();
    this.#isByKey = false;
    this.#makeTabbable(square);
    const isTarget = square !== this.#selected && !this.#editing && !this.#isFree
      && (this.#legal.get(this.#selected) ?? []).some(({ to }) => to === square);
    if (!this.#legal.has(square) || isTarget) { this.#choose(square); return; }
    const wasSelected = this.#selected === square;
    this.#select(square);
    this.#root.setPointerCapture(event.pointerId);
    this.#drag = { square, wasSelected, x: event.clientX, y: event.clientY, isMoving: false };
  }

  #move(event) {
    if (this.#shape) {
      const to = this.#squareAt(event);
      this.#draw({ ...this.#shape, to: to === this.#shape.from ? null : to });
      return;
    }
    if (!this.#drag) return;
    const { square, x, y } = this.#drag;
    if (Math.hypot(event.clientX - x, event.clientY - y) > CLICK_RADIUS) this.#drag.isMoving = true;
    if (!this.#drag.isMoving) return;
    const { left, top, width } = this.#root.getBoundingClientRect();
    const element = this.#pieceMap.get(square)?.element;
    if (!element) return;
    element.classList.add("dragged");
    element.style.transform = `translate(${event.clientX - left - width / 16}px, ${event.clientY - top - width / 16}px)`;
    const over = this.#squareAt(event);
    for (const [name, cell] of this.#cells) cell.classList.toggle("over", name === over && cell.classList.contains("target"));
  }

  #up(event) {
    if (this.#shape) {
      const [shape, to] = [this.#shape, this.#squareAt(event)];
      this.#draw(null);
      if (to) this.onShape({ ...shape, to: to === shape.from ? null : to });
    }
    if (this.#drag) this.#drop(this.#squareAt(event));
  }

  #drop(square) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    const element = this.#pieceMap.get(drag.square)?.element;
    for (const cell of this.#cells.values()) cell.classList.remove("over");
    if (element && drag.isMoving) {
      this.#root.classList.add("instant");
      element.classList.remove("dragged");
      if (!square || square === drag.square || !this.#tryMove(drag.square, square)) this.#put(element, drag.square);
    } else if (drag.wasSelected) this.#select(null);
  }

  // Keyboard.

  #makeTabbable(square) { for (const [name, cell] of this.#cells) cell.tabIndex = name === square ? 0 : -1; }

  #key(event) {
    const square = event.target.dataset.square;
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const { x, y } = this.#at(square);
      const [column, row] = [x + step[0], y + step[1]].map((value) => Math.min(7, Math.max(0, value)));
      const next = this.#grid.children[row].children[column];
      this.#makeTabbable(next.dataset.square);
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#root.classList.remove("instant");
      this.#isByKey = true;
      this.#choose(square);
    } else if (event.key === "Escape") this.#select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Shapes with one more, or without it if it is drawn. */
export function toggled(shapes, shape) {
  const others = shapes.filter(({ from, to }) => from !== shape.from || to !== shape.to);
  return others.length < shapes.length ? others : [...others, shape];
}


/** The nearest square from which an equal piece disappeared. */
function nearest(pieceMap, code, square) {
  const distance = (from) => Math.hypot(from.charCodeAt(0) - square.charCodeAt(0), from.charCodeAt(1) - square.charCodeAt(1));
  return [...pieceMap].filter(([, piece]) => piece.code === code).map(([from]) => from).sort((a, b) => distance(a) - distance(b))[0];
}
