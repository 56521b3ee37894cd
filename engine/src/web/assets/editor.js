// The position editor: pieces put on any square; the rules say why a position is illegal.

import { at, button, figure, say } from "./elements.js";
import { SQUARES, START, code, pieceName, placement } from "./notation.js";

/** The palette: pieces, and nothing for removal. */
const TOOLS = [..."KQRBNP", "", ..."kqrbnp"];

export class Editor {
  #form; #board; #ask; #pieces = new Map(); #tool = null;
  /** The FEN that was set last. */
  #original = START;

  /** Edits on `board` in `form`; `done(fen)` receives a legal position, and null if the user cancels. */
  constructor(form, board, ask, done) {
    [this.#form, this.#board, this.#ask] = [form, board, ask];
    at("palette").append(...TOOLS.map((letter) => this.#toolButton(letter)));
    form.addEventListener("input", () => this.#show());
    at("edit-empty").addEventListener("click", () => this.#set("8/8/8/8/8/8/8/8 w - - 0 1"));
    at("edit-start").addEventListener("click", () => this.#set(START));
    at("edit-cancel").addEventListener("click", () => done(null));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await this.#check()) done(this.#fen());
    });
  }

  open(fen) {
    this.#form.hidden = false;
    this.#board.edit((square) => this.#put(square), (from, to) => {
      this.#pieces.set(to, this.#pieces.get(from));
      this.#pieces.delete(from);
      this.#show();
    });
    this.#set(fen);
  }

  close() {
    this.#form.hidden = true;
    this.#board.edit(null, null);
  }

  #toolButton(letter) {
    const made = button(letter ? "" : "✕", () => {
      this.#tool = this.#tool === letter ? null : letter;
      for (const other of made.parentElement.children) other.ariaPressed = other === made && this.#tool === letter;
      // Pieces can be moved only while none is chosen.
      this.#show();
    }, "", Boolean(letter) && figure(code(letter), { class: "piece" }));
    made.ariaLabel = made.title = letter ? pieceName(code(letter)) : "Remove pieces";
    made.ariaPressed = false;
    return made;
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

  #fen() {
    const letter = ([color, kind]) => (color === "w" ? kind.toUpperCase() : kind);
    const rows = [..."87654321"].map((rank) => [..."abcdefgh"].map((file) => letter(this.#pieces.get(file + rank) ?? "b1")).join("").replace(/1+/g, ({ length }) => length));
    const { elements } = this.#form;
    const letters = [...new Set([...this.#original.split(" ")[2], ..."KQkq"])];
    const castling = letters.filter((right) => this.#hasRight(right)).join("") || "-";
    const fen = `${rows.join("/")} ${elements.turn.value} ${castling} ${elements.passed.value.trim() || "-"}`;
    return this.#original.startsWith(`${fen} `) ? this.#original : `${fen} 0 1`;
  }

  /** Whether a letter of castling rights is on: `KQkq` have a field; others, of Chess960, need their king and rook where they were. */
  #hasRight(letter) {
    const field = this.#form.elements[`castle-${letter}`];
    if (field) return field.checked;
    const [color, before] = [code(letter)[0], placement(this.#original)];
    const rook = letter.toLowerCase() + (color === "w" ? 1 : 8);
    const king = [...before].find(([, piece]) => piece === `${color}k`)?.[0];
    return this.#pieces.get(king) === `${color}k` && before.get(rook) === `${color}r` && this.#pieces.get(rook) === `${color}r`;
  }

  #show() {
    const moves = [...this.#pieces.keys()].flatMap((from) => SQUARES.filter((to) => to !== from).map((to) => from + to));
    this.#board.show({ fen: this.#fen(), legal: this.#tool === null ? moves : [] });
    this.#check();
  }

  /** Shows why the position is illegal; returns whether it is legal. */
  async #check() {
    const fen = this.#fen();
    const error = await this.#ask({ ask: "line", fen, moves: [] }).then(() => "", ({ message }) => message);
    if (fen !== this.#fen()) return false;
    say("edit-error", error);
    this.#form.querySelector("[type=submit]").disabled = Boolean(error);
    return !error;
  }
}
