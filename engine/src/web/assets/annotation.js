// Comments and glyphs of PGN: what is text, and what are commands for evaluations, clocks, squares and arrows.

const SIGNS = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−",
  19: "−+", 22: "⨀", 36: "→", 40: "↑", 132: "⇆", 138: "⊕", 140: "∆", 146: "N",
};

/** The glyphs that judge a move, with their names. */
export const MOVE_GLYPHS = [[3, "Brilliant"], [1, "Good"], [5, "Interesting"], [6, "Dubious"], [2, "Mistake"], [4, "Blunder"]];

/** The class of a move that is judged bad, from its glyphs. */
export const faultOf = ({ glyphs }) => ({ 6: "dubious", 2: "mistake", 4: "blunder" })[glyphs.find((glyph) => [6, 2, 4].includes(glyph))] ?? null;

export const sign = (glyph) => SIGNS[glyph] ?? `$${glyph}`;

const LETTERS = { G: "green", R: "red", Y: "yellow", B: "blue" };
const letter = (color) => Object.keys(LETTERS).find((key) => LETTERS[key] === color) ?? "G";

export const COLORS = Object.values(LETTERS);

/** Splits the rules' `{comments, evaluation}` into `{text, evaluation, clock, shapes}`; unknown commands stay in the text. */
export function readComments({ comments, evaluation }) {
  const read = { text: "", evaluation, clock: null, shapes: [] };
  const text = comments.join(" ").replace(/\[%(eval|clk|csl|cal)\s+([^\]]*)\]/g, (whole, name, value) => {
    if (name === "eval") return evaluation ? "" : whole;
    if (name === "clk") read.clock = value.trim();
    else for (const [, color, from, to = null] of value.matchAll(/([GRYB])([a-h][1-8])([a-h][1-8])?/g)) read.shapes.push({ color: LETTERS[color], from, to });
    return "";
  });
  read.text = text.replace(/\s+/g, " ").trim();
  return read;
}

/** The comment of `{text, evaluation, clock, shapes}` as in PGN, without braces. */
export function writeComment({ text, evaluation, clock, shapes }) {
  const list = (name, kept) => kept.length > 0 && `[%${name} ${kept.map(({ color, from, to }) => letter(color) + from + (to ?? "")).join(",")}]`;
  return [
    evaluation && `[%eval ${evaluation.mate !== undefined ? `#${evaluation.mate}` : (evaluation.cp / 100).toFixed(2)}]`, clock && `[%clk ${clock}]`,
    list("csl", shapes.filter(({ to }) => !to)), list("cal", shapes.filter(({ to }) => to)), text,
  ].filter(Boolean).join(" ");
}
