// Positions, moves and names as text for display and screen readers. Independent of the rules.

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const NAMES = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export const SQUARES = [..."abcdefgh"].flatMap((file) => [..."12345678"].map((rank) => file + rank));

/** Whether a text is meant as a FEN: its first word has eight rows. */
export const isFen = (text) => text.trim().split(/\s/)[0].split("/").length === 8;

/** Whether White is to move in a FEN. */
export const isWhiteToMove = (fen) => fen.split(" ")[1] === "w";

export const squaresOf = (uci) => [uci.slice(0, 2), uci.slice(2, 4)];

/** A 32-bit number for pieces and side to move, that of the rules: FNV-1a. */
export function positionKey(fen) {
  let key = 0x811c9dc5;
  for (const letter of fen.split(" ", 2).join(" ")) key = Math.imul(key ^ letter.charCodeAt(), 0x01000193);
  return key >>> 0;
}

/** Maps squares to piece codes such as `wp` and `bk`, from a FEN. */
export function placement(fen) {
  const pieces = new Map();
  fen.trim().split(/\s+/)[0].split("/").slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) { file += Number(letter); continue; }
      if (/[pnbrqk]/i.test(letter) && file < 8) pieces.set("abcdefgh"[file] + (8 - index), code(letter));
      file += 1;
    }
  });
  return pieces;
}

/** Converts a FEN letter to a piece code: `N` to `wn`. */
export const code = (letter) => (letter === letter.toUpperCase() ? "w" : "b") + letter.toLowerCase();

export const pieceName = (code) => `${code[0] === "w" ? "white" : "black"} ${NAMES[code[1]]}`;

/** Writes the moves of a line after a FEN in print: with move numbers for White, and for a first move of Black. */
export function numbered(fen, dots = "…") {
  const first = 2 * Number(fen.split(" ")[5]) + (isWhiteToMove(fen) ? 0 : 1);
  return ({ san }, index) => {
    const ply = first + index;
    return ply % 2 && index ? san : `${Math.floor(ply / 2)}${ply % 2 ? dots : "."} ${san}`;
  };
}

/** A move as spoken text: `knight takes f6, check`. */
export function spoken(san) {
  const ending = san.endsWith("#") ? ", mate" : san.endsWith("+") ? ", check" : "";
  if (san.startsWith("O-O")) return `castles ${san.startsWith("O-O-O") ? "queenside" : "kingside"}${ending}`;
  const match = /^([NBRQK]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([NBRQ]))?/.exec(san);
  if (!match) return san;
  const [, piece, from, takes, to, promotion] = match;
  const words = [NAMES[piece.toLowerCase()] ?? (takes && "pawn"), from, takes && "takes", to, promotion && `promotes to ${NAMES[promotion.toLowerCase()]}`];
  return words.filter(Boolean).join(" ") + ending;
}

/** An evaluation as text: `+0.4`, `−1.2`, `M3`, `−M2`. */
export function score(evaluation) {
  const { cp, mate } = evaluation ?? {};
  if (mate !== undefined) return mate === 0 ? "#" : `${mate < 0 ? "−" : ""}M${Math.abs(mate)}`;
  return cp === undefined ? "" : pawns(cp, 1);
}

export function pawns(centipawns, digits) {
  const text = (Math.abs(centipawns) / 100).toFixed(digits);
  if (Number(text) === 0) return text;
  return (centipawns < 0 ? "−" : "+") + text;
}

/** A figure with a minus sign; a dash for none. */
export const digits = (value, count) => value?.toFixed(count).replace("-", "−") ?? "–";

export function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return seconds < 90 ? `${Math.ceil(seconds)} s` : minutes < 90 ? `${minutes} min` : hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A message as a sentence. */
export const sentence = (text) => capital(text) + (/[.!?]$/.test(text) ? "" : ".");

const PLAYERS = {
  nnue: ["Network", "The neural network"],
  classical: ["Classical", "Rules written by hand"],
  kaggle: ["Kaggle", "From a public table"],
  perceptron: ["Simple network", "Adds up piece values"],
  beam: ["Narrow search", "Follows only three moves"],
  random: ["Random", "Any legal move"],
  own: ["Your network", "Trained in this browser"],
};

/** The display name of a player; unknown players keep their name. */
export const playerTitle = (name) => PLAYERS[name]?.[0] ?? capital(name);
export const playerNote = (name) => PLAYERS[name]?.[1] ?? "";

/** An answer of the rules; throws its error, unless a part of the game can be shown. */
export function checked(answer) {
  if (answer.error && !answer.nodes?.length) throw new Error(sentence(answer.error));
  return answer;
}
