// An engine in a worker: one search at a time, each with its own options.

import { sentence } from "./notation.js";
import { ownNetwork } from "./own-network.js";

export class Engine {
  #worker = null;
  /** The bytes of a network file; without it the engine has its own. */
  #network;
  #listen = () => {};
  /** Ends what runs with an error. */
  #fail = () => {};
  /** Ends when the last search has answered. */
  #last = Promise.resolve();

  constructor(network = null) { this.#network = network; }

  #post(line) {
    if (!this.#worker) {
      this.#worker = new Worker(new URL("alfiere.js", import.meta.url));
      this.#worker.onmessage = ({ data }) => {
        const failure = /^info string (the engine cannot go on .*)/.exec(data)?.[1];
        if (failure) this.#giveUp(failure);
        else this.#listen(data);
      };
      this.#worker.onerror = ({ message }) => this.#giveUp(`the engine cannot go on (${message ?? "its script cannot be loaded"})`);
      this.#worker.postMessage("setoption name UCI_ShowWDL value true");
      if (this.#network) this.#worker.postMessage({ network: this.#network });
    }
    this.#worker.postMessage(line);
  }

  /** The next search starts another worker. */
  #giveUp(reason) {
    this.#worker.terminate();
    this.#worker = null;
    this.#fail(new Error(sentence(reason)));
  }

  /**
   * Searches a position, after the searches before. `options` are UCI options by name, `go` the words after `go`; without
   * them the position is only evaluated. `isNew` empties the table first; `hear` receives each line of UCI. Returns when the
   * engine has answered; an aborted signal stops the search. Throws the reason if the engine fails.
   */
  search({ fen, moves = [], options = {}, go, isNew = false }, hear, signal) {
    this.#last = this.#last.catch(() => {}).then(() => new Promise((over, failed) => {
      if (signal?.aborted) { over(); return; }
      const stop = () => this.#post("stop");
      const end = () => {
        signal?.removeEventListener("abort", stop);
        this.#listen = this.#fail = () => {};
      };
      this.#listen = (line) => {
        if (!signal?.aborted) hear(line);
        if (!/^(bestmove|readyok)/.test(line)) return;
        end();
        over();
      };
      this.#fail = (error) => {
        end();
        failed(error);
      };
      signal?.addEventListener("abort", stop);
      for (const [name, value] of Object.entries(options)) this.#post(`setoption name ${name} value ${value}`);
      if (isNew) this.#post("ucinewgame");
      this.#post(`position ${fen ? `fen ${fen}` : "startpos"} moves ${moves.join(" ")}`);
      for (const line of go ? [`go ${go}`] : ["eval", "isready"]) this.#post(line);
    }));
    return this.#last;
  }
}

/** The engine that searches. */
export const engine = new Engine();

let own = null;

/** The engine that plays for a player; `own` is the network that was trained in this browser. */
export async function engineOf(player) {
  if (player !== "own") return engine;
  const network = await ownNetwork();
  if (!network) throw new Error("The network that was trained here is no longer in this browser.");
  return own ??= new Engine(network);
}
