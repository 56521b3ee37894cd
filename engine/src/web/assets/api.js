// Requests to the server, which owns the rules. Error messages come from the server.

import { checked, sentence } from "./notation.js";

/** Milliseconds between attempts to connect again. */
const RETRY = 1500;

const noServer = () => { throw new Error("The server is not responding. Is Alfiere still running?"); };

async function send(path, options) {
  const response = await fetch(path, options).catch(noServer);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  throw Object.assign(new Error(sentence(body.error ?? response.statusText)), { status: response.status });
}

const json = (body) =>
  ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body ?? {}) });
const read = (response) => response.json().catch(() => ({}));
const get = async (path) => read(await send(path));
const post = async (path, body) => read(await send(path, json(body)));

export const info = () => get("/api/info");
export const begin = (settings) => post("/api/games", settings);
export const tournament = () => get("/api/tournament");

/** A game on the server. */
export class Game {
  constructor(id) { this.path = `/api/games/${id}`; }
  show() { return get(this.path); }
  play(move, ply) { return post(`${this.path}/moves`, { move, ply }); }
  takeBack() { return post(`${this.path}/takeback`); }
  resign() { return post(`${this.path}/resign`); }
  hint(ply) { return post(`${this.path}/hint`, { ply }); }
  async pgn() { return (await get(`${this.path}/pgn`)).pgn; }

  /**
   * Calls `changed` with the game on every change, and `lost` with the error of each attempt while there is no connection,
   * up to one of status 404: the server does not know the game. Background pages have no connection.
   */
  follow(changed, lost) {
    let [source, timer] = [null, null];
    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = null;
    };
    const open = () => {
      close();
      const opened = new EventSource(`${this.path}/events`);
      source = opened;
      opened.onmessage = (event) => changed(JSON.parse(event.data));
      opened.onerror = async () => {
        opened.close();
        const error = await this.show().then(changed, (problem) => problem);
        if (error) lost(error);
        if (error?.status !== 404 && source === opened) timer = setTimeout(open, RETRY);
      };
    };
    document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
    addEventListener("pagehide", close);
    addEventListener("pageshow", ({ persisted }) => { if (persisted) open(); });
    open();
  }
}

/** Answers a question about the rules; see the crate `alfiere-rules`. */
export const ask = async (question) => checked(await post("/api/rules", question));

/** Searches `{fen, moves, lines, nodes, threads, hash}` and calls `hear` with each line of UCI, until the signal aborts or the search ends. */
export async function search(position, hear, signal) {
  const response = await send("/api/search", { ...json(position), signal });
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

/** The largest `{threads, hash}` of a search; the hash table in MiB. */
export const limits = async () => (await info()).limits;

/** What each piece adds to the network's evaluation for White, in centipawns by square. */
export const parts = async (fen) => (await post("/api/parts", { fen })).pieces;

/** The page of a game, and the game of the page shown. */
export const gamePage = (id) => `/game/${id}`;
export const shownGame = () => /^\/game\/([0-9a-f]+)$/.exec(location.pathname)?.[1];
export const analysisPage = "/analysis";
