// The engine in a worker: one search at a time, each with its own options.

let worker = null;
let listen = () => {};
/** Ends when the last search has answered. */
let last = Promise.resolve();

function post(line) {
  if (!worker) {
    worker = new Worker(new URL("alfiere.js", import.meta.url));
    worker.onmessage = ({ data }) => listen(data);
    worker.onerror = () => listen("bestmove (none)");
    worker.postMessage("setoption name UCI_ShowWDL value true");
  }
  worker.postMessage(line);
}

/**
 * Searches a position, after the searches before. `options` are UCI options by name, `go` the words after `go`; `hear`
 * receives each line of UCI. Returns when the engine has answered; an aborted signal stops the search.
 */
export function search({ fen, moves, options, go }, hear, signal) {
  last = last.then(() => new Promise((over) => {
    if (signal?.aborted) { over(); return; }
    const stop = () => post("stop");
    listen = (line) => {
      if (!signal?.aborted) hear(line);
      if (!line.startsWith("bestmove")) return;
      signal?.removeEventListener("abort", stop);
      listen = () => {};
      over();
    };
    signal?.addEventListener("abort", stop);
    for (const [name, value] of Object.entries(options)) post(`setoption name ${name} value ${value}`);
    post(`position ${fen ? `fen ${fen}` : "startpos"} moves ${moves.join(" ")}`);
    post(`go ${go}`);
  }));
  return last;
}
