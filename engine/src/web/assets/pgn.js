// A tree from the rules' answer to a PGN, and a tree as PGN.

import { readComments, writeComment } from "./annotation.js";
import { START } from "./notation.js";
import { Tree, turnOf } from "./tree.js";

const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
const WIDTH = 80;

/** The tree of a game that the rules read. */
export function readGame(game) {
  const tree = new Tree(game.start, game.tags);
  const nodes = [tree.root];
  tree.annotate(tree.root, readComments(game));
  for (const { parent, glyphs, before, comments, evaluation, ...ply } of game.nodes) {
    const node = tree.add(nodes[parent], ply);
    tree.annotate(node, { glyphs, before: before.join(" "), ...readComments({ comments, evaluation }) });
    nodes.push(node);
  }
  tree.result = game.result;
  tree.settle();
  return tree;
}

/** The tree as PGN. */
export function writeGame(tree) {
  const own = new Map(tree.tags.filter(([name]) => name !== "FEN" && name !== "SetUp"));
  const tags = ROSTER.map((name) => [name, own.get(name) ?? { Date: "????.??.??", Result: tree.result ?? "*" }[name] ?? "?"]);
  for (const [name, value] of own) if (!ROSTER.includes(name)) tags.push([name, value]);
  if (tree.root.fen !== START) tags.push(["SetUp", "1"], ["FEN", tree.root.fen]);
  const words = [];
  comment(words, writeComment(tree.root));
  line(words, tree.root);
  words.push(tree.result ?? "*");
  const escape = (value) => value.replace(/[\\"]/g, "\\$&");
  return `${tags.map(([name, value]) => `[${name} "${escape(value)}"]\n`).join("")}\n${wrap(words)}\n`;
}

/** The moves after a node: the main one, its variations, and so on. */
function line(words, start, isInterrupted = true) {
  for (let node = start; node.children.length; node = node.children[0]) {
    const [main, ...others] = node.children.filter(({ isTry }) => !isTry);
    if (!main) return;
    isInterrupted = move(words, main, isInterrupted);
    for (const other of others) {
      const first = words.length;
      line(words, other, move(words, other, true));
      words[first] = `(${words[first]}`;
      words[words.length - 1] += ")";
      isInterrupted = true;
    }
  }
}

/** Writes a move; returns whether a comment follows it. */
function move(words, node, isInterrupted) {
  comment(words, node.before);
  const { isWhite, number } = turnOf(node);
  if (isWhite) words.push(`${number}.`);
  else if (isInterrupted || node.before) words.push(`${number}...`);
  words.push(node.san, ...node.glyphs.map((glyph) => `$${glyph}`));
  const text = writeComment(node);
  comment(words, text);
  return text !== "";
}

/** Adds a comment word by word; commands in brackets are not split, and braces are left out: a closing one would end it. */
function comment(words, text) {
  const kept = text.replace(/[{}]/g, "").trim();
  if (kept) words.push(...`{${kept}}`.match(/\{?\[%[^\]]*\]\}?|\S+/g));
}

function wrap(words) {
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1);
    if (last && last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join("\n");
}
