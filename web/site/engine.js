// An engine in a worker: one search at a time, each with its own options.

import { viewBy } from "./lines.js";
import { sentence } from "./notation.js";

/** Where the browser keeps the network that was trained in it. */
const STORE = "own-network";

export class Engine {
  #worker = null;
  /** The bytes of a network file; without it the engine has its own. */
  #network;
  /** What was loaded, in words. */
  #architecture = "";
  #listen = () => {};
  /** Ends what runs with an error. */
  #fail = () => {};
  /** Ends when the last search has answered. */
  #last = Promise.resolve();

  constructor(network = null) { this.#network = network; }

  #post(message) {
    if (!this.#worker) {
      this.#worker = new Worker(new URL("alfiere.js", import.meta.url));
      this.#worker.onmessage = ({ data }) => {
        const failure = /^info string (the engine cannot go on .*)/.exec(data)?.[1];
        if (failure) this.#giveUp(failure);
        else this.#listen(data);
      };
      this.#worker.onerror = ({ message: reason }) => this.#giveUp(`the engine cannot go on (${reason ?? "its script cannot be loaded"})`);
      this.#worker.postMessage("setoption name UCI_ShowWDL value true");
      if (this.#network) this.#worker.postMessage({ network: this.#network });
    }
    this.#worker.postMessage(message);
  }

  /** The next search starts another worker. */
  #giveUp(reason) {
    this.#worker.terminate();
    this.#worker = null;
    this.#fail(new Error(sentence(reason)));
  }

  /** Posts messages, the last of which is answered, after those before were; calls `hear` with each line until the answer. */
  #ask(messages, hear, signal) {
    this.#last = this.#last.catch(() => {}).then(() => new Promise((over, failed) => {
      if (signal?.aborted) { over(); return; }
      const stop = () => this.#post("stop");
      const end = (act) => (result) => {
        signal?.removeEventListener("abort", stop);
        this.#listen = this.#fail = () => {};
        act(result);
      };
      this.#listen = (line) => {
        if (!signal?.aborted) hear(line);
        if (/^(bestmove|readyok)/.test(line)) end(over)();
      };
      this.#fail = end(failed);
      signal?.addEventListener("abort", stop);
      messages.forEach((message) => this.#post(message));
    }));
    return this.#last;
  }

  /**
   * Searches a position, after the searches before. `options` are UCI options by name, `go` the words after `go`; without
   * them the position is only evaluated. `isNew` empties the table first; `hear` receives each line of UCI. Returns when the
   * engine has answered; an aborted signal stops the search. Throws the reason if the engine fails.
   */
  search({ fen, moves = [], options = {}, go, isNew = false }, hear, signal) {
    return this.#ask([
      ...Object.entries(options).map(([name, value]) => `setoption name ${name} value ${value}`),
      ...(isNew ? ["ucinewgame"] : []),
      `position ${fen ? `fen ${fen}` : "startpos"} moves ${moves.join(" ")}`,
      ...(go ? [`go ${go}`] : ["eval", "isready"]),
    ], hear, signal);
  }

  /** Searches with the network of a file from now on; returns its architecture, or throws what is wrong with the file. */
  async load(network) {
    if (network === this.#network && this.#architecture) return this.#architecture;
    let said = "";
    await this.#ask([{ network }, "isready"], (line) => { said = /^info string (network .*|.*; the network stays)/.exec(line)?.[1] ?? said; });
    const problem = /^(.*); the network stays/.exec(said)?.[1];
    if (problem) throw new Error(sentence(problem));
    [this.#network, this.#architecture] = [network, said.replace(/^network /, "")];
    return this.#architecture;
  }

  /** What the network sees; see `viewBy`. */
  view(fen) { return viewBy(fen, (hear) => this.search({ fen, options: { Player: "nnue", Hash: 1 } }, hear)); }
}

export const keepNetwork = async (bytes) => (await caches.open(STORE)).put("network", new Response(bytes));

/** The bytes of the network that was trained in this browser; `null` if there is none. */
export async function ownNetwork() {
  const kept = await globalThis.caches?.open(STORE).then((store) => store.match("network"));
  return kept ? kept.arrayBuffer() : null;
}

/** The engine that searches. */
export const engine = new Engine();

/** The networks that were opened here, by player, and engines by what they are for and whose network they have. */
const [opened, engines] = [new Map(), new Map([["0 ", engine]])];

/** Reads a network file, whose player is `file:` and its name; returns its architecture. */
export async function openNetwork(name, bytes) {
  const architecture = await new Engine().load(bytes);
  opened.set(`file:${name}`, bytes);
  for (const use of [0, 1, "view"]) engines.delete(`${use} file:${name}`);
  return architecture;
}

/** The engine of a player for a use: the number of a search that runs beside others, or `view`. `own` is the network that was trained in this browser. */
export async function engineOf(player, use = 0) {
  const network = player === "own" ? await ownNetwork() : opened.get(player) ?? null;
  if (player === "own" && !network) throw new Error("The network that was trained here is no longer in this browser.");
  if (player.startsWith("file:") && !network) throw new Error(`${player.slice(5)} is no longer open: drop it again.`);
  const key = `${use} ${network ? player : ""}`;
  if (!engines.has(key)) engines.set(key, new Engine(network));
  return engines.get(key);
}
