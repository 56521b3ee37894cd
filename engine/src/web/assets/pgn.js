// A tree from the rules' answer to a PGN, and a tree as PGN.

import { readComments, writeComment } from "./annotation.js";
import { START } from "./notation.js";
import { Tree, turnOf } from "./tree.js";

const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
const WIDTH = 80;

export function readGame(game) {
  const tree = new Tree(game.start, game.tags);
  const nodes = [tree.root];
  Object.assign(tree.root, readComments(game));
  for (const { parent, glyphs, before, comments, evaluation, ...ply } of game.nodes) {
    nodes.push(Object.assign(tree.add(nodes[parent], ply), { glyphs, before: before.join(" "), ...readComments({ comments, evaluation }) }));
  }
  [tree.result, tree.error] = [game.result, game.error];
  tree.settle();
  return tree;
}

export function writeGame(tree) {
  const own = new Map(tree.tags.filter(([name]) => name !== "FEN" && name !== "SetUp"));
  const result = tree.result ?? "*";
  const tags = ROSTER.map((name) => [name, own.get(name) ?? { Date: "????.??.??", Result: result }[name] ?? "?"]);
  tags.push(...[...own].filter(([name]) => !ROSTER.includes(name)));
  if (tree.root.fen !== START) tags.push(["SetUp", "1"], ["FEN", tree.root.fen]);
  const words = [];
  comment(words, writeComment(tree.root));
  line(words, tree.root);
  words.push(result);
  return `${tags.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]\n`).join("")}\n${wrap(words)}\n`;
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
  return comment(words, writeComment(node));
}

/** Adds a comment word by word, if it is one; commands in brackets are not split, and braces are left out: a closing one would end it. */
function comment(words, text) {
  const kept = text.replace(/[{}]/g, "").trim();
  if (kept) words.push(...`{${kept}}`.match(/\{?\[%[^\]]*\]\}?|\S+/g));
  return text !== "";
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
