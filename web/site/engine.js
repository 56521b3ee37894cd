// The engine in a worker: one search at a time, each with its own options.

import { sentence } from "./notation.js";

let worker = null;
let listen = () => {};
/** Ends the search that runs with an error. */
let fail = () => {};
/** Ends when the last search has answered. */
let last = Promise.resolve();

function post(line) {
  if (!worker) {
    worker = new Worker(new URL("alfiere.js", import.meta.url));
    worker.onmessage = ({ data }) => {
      const failure = /^info string (the engine cannot go on .*)/.exec(data)?.[1];
      if (failure) giveUp(failure);
      else listen(data);
    };
    worker.onerror = ({ message }) => giveUp(`the engine cannot go on (${message ?? "its script cannot be loaded"})`);
    worker.postMessage("setoption name UCI_ShowWDL value true");
  }
  worker.postMessage(line);
}

/** The next search starts another worker. */
function giveUp(reason) {
  worker.terminate();
  worker = null;
  fail(new Error(sentence(reason)));
}

/**
 * Searches a position, after the searches before. `options` are UCI options by name, `go` the words after `go`; `hear`
 * receives each line of UCI. Returns when the engine has answered; an aborted signal stops the search. Throws the reason if
 * the engine fails.
 */
export function search({ fen, moves, options, go }, hear, signal) {
  last = last.catch(() => {}).then(() => new Promise((over, failed) => {
    if (signal?.aborted) { over(); return; }
    const stop = () => post("stop");
    const end = () => {
      signal?.removeEventListener("abort", stop);
      listen = fail = () => {};
    };
    listen = (line) => {
      if (!signal?.aborted) hear(line);
      if (!line.startsWith("bestmove")) return;
      end();
      over();
    };
    fail = (error) => {
      end();
      failed(error);
    };
    signal?.addEventListener("abort", stop);
    for (const [name, value] of Object.entries(options)) post(`setoption name ${name} value ${value}`);
    post(`position ${fen ? `fen ${fen}` : "startpos"} moves ${moves.join(" ")}`);
    post(`go ${go}`);
  }));
  return last;
}
