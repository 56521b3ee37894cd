// A position or a game in the page's address: `#fen=...&moves=e2e4.e7e5`, the initial position without `fen`. A game with
// its variations has `tree`, the compressed PGN, in place of `fen`. `side=black` turns the board, `review` starts a review.

import { START } from "./notation.js";

/** The part of an address after `#`; `tree` is what `pack` returned. */
export function writeAddress({ fen = START, tree = null, moves = [], side = "white", review = false }) {
  const parts = [];
  if (tree) parts.push(`tree=${tree}`);
  else if (fen !== START) parts.push(`fen=${fen.replaceAll(" ", "_")}`);
  if (moves.length) parts.push(`moves=${moves.join(".")}`);
  if (side === "black") parts.push("side=black");
  if (review) parts.push("review");
  return parts.length ? `#${parts.join("&")}` : "";
}

/** `{fen, moves, tree, side, review}` of an address; `fen` is null for the initial position. */
export function readAddress(hash) {
  let text = hash.replace(/^#/, "");
  try { text = decodeURIComponent(text); } catch { /* the rules say what is wrong with it */ }
  const values = new Map(text.split("&").map((part) => part.split("=")));
  return {
    fen: values.get("fen")?.replaceAll("_", " ") ?? null,
    moves: values.get("moves")?.split(".").filter(Boolean) ?? [],
    tree: values.get("tree") ?? null,
    side: values.get("side") ?? "white",
    review: values.has("review"),
  };
}

/** A PGN as letters for an address. */
export async function pack(pgn) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(pgn));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The PGN of an address with `tree`. */
export async function unpack(tree) {
  try {
    const letters = atob(tree.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
    return new TextDecoder().decode(bytes);
  } catch {
    throw new Error("The link is not complete.");
  }
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
