// The position in the page's address: `#fen=...&moves=e2e4.e7e5`, the initial position without `fen`. A link to a whole
// game with its variations has `tree`, the compressed PGN, in place of `fen`.

import { START } from "./notation.js";

/** The part of an address after `#`. */
export function writeAddress(fen, moves) {
  const parts = [];
  if (fen !== START) parts.push(`fen=${fen.replaceAll(" ", "_")}`);
  if (moves.length) parts.push(`moves=${moves.join(".")}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** The address of a game, as PGN, at the position after these moves. */
export async function writeTreeAddress(pgn, moves) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(pgn));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const tree = letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `#tree=${tree}${moves.length ? `&moves=${moves.join(".")}` : ""}`;
}

/** The PGN of an address with `tree`. */
export async function readTree(tree) {
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

/** `{fen, moves, tree}` of an address; `fen` is null for the initial position. */
export function readAddress(hash) {
  let text = hash.replace(/^#/, "");
  try { text = decodeURIComponent(text); } catch { /* the rules say what is wrong with it */ }
  const values = new Map(text.split("&").map((part) => part.split("=")));
  return {
    fen: values.get("fen")?.replaceAll("_", " ") ?? null,
    moves: values.get("moves")?.split(".").filter(Boolean) ?? [],
    tree: values.get("tree") ?? null,
  };
}
