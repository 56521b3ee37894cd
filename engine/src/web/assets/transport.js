// Requests to `alfiere play`. Error messages come from the server.

import { checked, sentence } from "./notation.js";

const noServer = () => { throw new Error("The server is not responding. Is Alfiere still running?"); };

async function send(path, options) {
  const response = await fetch(path, options).catch(noServer);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw new Error(sentence(body.error ?? response.statusText));
}

const get = async (path) => (await send(path)).json();
const post = (path, body, signal) =>
  send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });

/** `{players, limits}`: names, and the largest `{threads, hash}` of a search, the hash table in MiB. */
export const info = () => get("/api/info");
export const tournament = () => get("/api/tournament");

/** Answers a question about the rules; see the crate `alfiere-rules`. */
export const ask = async (question) => checked(await (await post("/api/rules", question)).json().catch(noServer));

/**
 * Searches `{fen, moves, player, elo, seed, analysis, lines, threads, hash, go}`, all optional, and calls `hear` with each
 * line of UCI, until the signal aborts or the search ends. `go` has the words of UCI; without it the position is only
 * evaluated. Each search starts with an empty table, as `isNew` asks for.
 */
export async function search({ isNew, ...request }, hear, signal) {
  const response = await post("/api/search", request, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(noServer);
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    lines.forEach(hear);
  }
}
