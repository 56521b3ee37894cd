// A position or a game in the page's address: `#fen=...&moves=e2e4.e7e5`, the initial position without `fen`. A game with
// its variations has `tree`, the compressed PGN, in place of `fen`. `side=black` turns the board, `review` starts a review,
// and `compare` is a player or a network's address that evaluates, too.

import { START } from "./notation.js";

/** The part of an address after `#`; `tree` is what `pack` returned. */
export function writeAddress({ fen = START, tree = null, moves = [], side = "white", review = false, compare = null }) {
  const parts = [
    tree ? `tree=${tree}` : fen !== START && `fen=${fen.replaceAll(" ", "_")}`, moves.length > 0 && `moves=${moves.join(".")}`,
    side === "black" && "side=black", review && "review", compare && `compare=${encodeURIComponent(compare)}`,
  ].filter(Boolean);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** `{fen, moves, tree, side, review, compare}` of an address; `fen` is null for the initial position. */
export function readAddress(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    fen: values.get("fen")?.replaceAll("_", " ") ?? null, moves: values.get("moves")?.split(".").filter(Boolean) ?? [],
    tree: values.get("tree"), side: values.get("side") ?? "white", review: values.has("review"), compare: values.get("compare"),
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
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
  } catch {
    throw new Error("The link is not complete.");
  }
}

const through = async (stream, bytes) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
