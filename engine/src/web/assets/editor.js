// The position editor: pieces put on any square; the rules say why a position is illegal.

import { figure } from "./elements.js";
import { START, code, pieceName, placement } from "./notation.js";

/** The palette: pieces, and nothing for removal. */
const TOOLS = [..."KQRBNP", "", ..."kqrbnp"];

export class Editor {
  #form; #board; #ask; #pieces = new Map(); #tool = null;
  /** The FEN that was set last. */
  #original = START;

  /** Edits on `board` in `form`; `done(fen)` receives a legal position, and null if the user cancels. */
  constructor(form, board, ask, done) {
    this.#form = form;
    this.#board = board;
    this.#ask = ask;
    const palette = form.querySelector("#palette");
    for (const letter of TOOLS) palette.append(this.#toolButton(letter));
    form.addEventListener("input", () => this.#show());
    form.querySelector("#edit-empty").addEventListener("click", () => this.#set("8/8/8/8/8/8/8/8 w - - 0 1"));
    form.querySelector("#edit-start").addEventListener("click", () => this.#set(START));
    form.querySelector("#edit-cancel").addEventListener("click", () => done(null));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await this.#check()) done(this.#fen());
    });
  }

  open(fen) {
    this.#form.hidden = false;
    this.#board.edit((square) => this.#put(square), (from, to) => this.#move(from, to));
    this.#set(fen);
  }

  close() {
    this.#form.hidden = true;
    this.#board.edit(null, null);
  }

  #toolButton(letter) {
    const name = letter ? pieceName(code(letter)) : "Remove pieces";
    const button = Object.assign(document.createElement("button"), { type: "button", title: name });
    button.setAttribute("aria-label", name);
    button.setAttribute("aria-pressed", "false");
    button.append(letter ? figure(code(letter), { class: "piece" }) : "✕");
    button.addEventListener("click", () => {
      this.#tool = this.#tool === letter ? null : letter;
      for (const other of button.parentElement.children) {
        other.setAttribute("aria-pressed", String(other === button && this.#tool === letter));
      }
      // Pieces can be moved only while none is chosen.
      this.#show();
    });
    return button;
  }

  #set(fen) {
    const [, side, castling, passed] = fen.split(" ");
    this.#original = fen;
    this.#pieces = placement(fen);
    const { elements } = this.#form;
    elements.turn.value = side;
    elements.passed.value = passed;
    for (const letter of "KQkq") elements[`castle-${letter}`].checked = castling.includes(letter);
    this.#show();
  }

  #put(square) {
    if (this.#tool === null) return;
    const piece = this.#tool && code(this.#tool);
    if (!piece || this.#pieces.get(square) === piece) this.#pieces.delete(square);
    else this.#pieces.set(square, piece);
    this.#show();
  }

  #move(from, to) {
    this.#pieces.set(to, this.#pieces.get(from));
    this.#pieces.delete(from);
    this.#show();
  }

  #fen() {
    const rows = [];
    for (let rank = 8; rank >= 1; rank -= 1) {
      let row = "";
      for (const file of "abcdefgh") {
        const piece = this.#pieces.get(file + rank);
        row += piece ? (piece[0] === "w" ? piece[1].toUpperCase() : piece[1]) : "1";
      }
      rows.push(row.replace(/1+/g, (empty) => empty.length));
    }
    const { elements } = this.#form;
    const letters = [...new Set([...this.#original.split(" ")[2], ..."KQkq"])];
    const castling = letters.filter((letter) => this.#hasRight(letter)).join("") || "-";
    const fen = `${rows.join("/")} ${elements.turn.value} ${castling} ${elements.passed.value.trim() || "-"}`;
    return this.#original.startsWith(`${fen} `) ? this.#original : `${fen} 0 1`;
  }

  /** Whether a letter of castling rights is on: `KQkq` have a field; others, of Chess960, need their king and rook where they were. */
  #hasRight(letter) {
    const field = this.#form.elements[`castle-${letter}`];
    if (field) return field.checked;
    const color = code(letter)[0];
    const rook = letter.toLowerCase() + (color === "w" ? 1 : 8);
    const before = placement(this.#original);
    const king = [...before].find(([, piece]) => piece === `${color}k`)?.[0];
    return this.#pieces.get(king) === `${color}k` && before.get(rook) === `${color}r` && this.#pieces.get(rook) === `${color}r`;
  }

  #show() {
    const squares = [..."abcdefgh"].flatMap((file) => [..."12345678"].map((rank) => file + rank));
    const moves = [...this.#pieces.keys()].flatMap((from) => squares.filter((to) => to !== from).map((to) => from + to));
    this.#board.show({ fen: this.#fen(), legal: this.#tool === null ? moves : [] });
    this.#check();
  }

  /** Shows why the position is illegal; returns whether it is legal. */
  async #check() {
    const fen = this.#fen();
    const error = await this.#ask({ ask: "line", fen, moves: [] }).then(() => "", (problem) => problem.message);
    if (fen !== this.#fen()) return false;
    const place = this.#form.querySelector("#edit-error");
    place.textContent = error;
    place.hidden = !error;
    this.#form.querySelector("[type=submit]").disabled = Boolean(error);
    return !error;
  }
}
