declare namespace alfiere {
  /** A conversation with the engine, which thinks on a thread of its own. */
  interface Engine {
    /** Says one or more lines of UCI to the engine, separated by line feeds, or gives it the bytes of a network file. */
    postMessage(message: string | { network: ArrayBuffer | Uint8Array }): void;
    /** Ends the engine at once; a search that runs does not answer any more. */
    terminate(): void;
    /** Settles when the engine has ended: after `quit` or `terminate()`, or because it could not begin, which it says in an `info string`. */
    readonly ended: Promise<void>;
  }
}

/**
 * Starts an engine in Node. `onLine` is given each line that the engine says, without its line feed.
 *
 * In a browser there is nothing to import: `new Worker("alfiere.js")` takes and gives the same lines as messages.
 */
declare function alfiere(onLine: (line: string) => void): alfiere.Engine;

export = alfiere;
