// The position in the page's address: `#fen=...&moves=e2e4.e7e5`, the initial position without `fen`.

import { START } from "./notation.js";

/** The part of an address after `#`. */
export function writeAddress(fen, moves) {
  const parts = [];
  if (fen !== START) parts.push(`fen=${fen.replaceAll(" ", "_")}`);
  if (moves.length) parts.push(`moves=${moves.join(".")}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** `{fen, moves}` of an address; `fen` is null for the initial position. */
export function readAddress(hash) {
  const values = new Map(decodeURIComponent(hash.replace(/^#/, "")).split("&").map((part) => part.split("=")));
  return { fen: values.get("fen")?.replaceAll("_", " ") ?? null, moves: values.get("moves")?.split(".").filter(Boolean) ?? [] };
}
