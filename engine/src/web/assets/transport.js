// Requests to `alfiere play`. Error messages come from the server.

import { checked, sentence } from "./notation.js";

const noServer = () => { throw new Error("The server is not responding. Is Alfiere still running?"); };

async function send(path, options) {
  const response = await fetch(`./api/${path}`, options).catch(noServer);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw Object.assign(new Error(sentence(body.error ?? response.statusText)), { status: response.status });
}

const get = async (path) => (await send(path)).json();
const post = (path, body, signal, type = "application/json") => send(path, { method: "POST", headers: { "Content-Type": type }, body, signal });

/** `{players, limits}`: names, and the largest `{threads, hash}` of a search, the hash table in MiB. */
export const info = () => get("info");
export const tournament = () => get("tournament");

/** Answers a question about the rules; see the crate `alfiere-rules`. */
export const ask = async (question) => checked(await (await post("rules", JSON.stringify(question))).json().catch(noServer));

/** The networks that were opened here, `{id, bytes}` by player. */
const opened = new Map();

async function sendNetwork(player, bytes) {
  const { id, architecture } = await (await post("network", bytes, undefined, "application/octet-stream")).json();
  opened.set(player, { id, bytes });
  return architecture;
}

/** Reads a network file, whose player is `file:` and its name; returns its architecture. */
export const openNetwork = (name, bytes) => sendNetwork(`file:${name}`, bytes);

/**
 * Searches `{fen, moves, player, elo, seed, analysis, lines, threads, hash, go}`, all optional, and calls `hear` with each
 * line of UCI, until the signal aborts or the search ends. `go` has the words of UCI; without it the position is only
 * evaluated. Each search starts with an empty table, as `isNew` asks for.
 */
export async function search({ isNew, slot, player, ...request }, hear, signal) {
  const network = opened.get(player);
  if (player?.startsWith("file:") && !network) throw new Error(`${player.slice(5)} is no longer open: drop it again.`);
  const start = () => post("search", JSON.stringify({ ...request, ...(network ? { network: opened.get(player).id } : { player }) }), signal);
  // A program that was started again has forgotten the network.
  const response = await start().catch(async (error) => {
    if (!network || error.status !== 404) throw error;
    await sendNetwork(player, network.bytes);
    return start();
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let [rest, last] = ["", ""];
  for (;;) {
    const { value, done } = await reader.read().catch(noServer);
    if (done && !/^(bestmove|readyok)/.test(last)) noServer();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    lines.forEach(hear);
    last = lines.at(-1) ?? last;
  }
}
