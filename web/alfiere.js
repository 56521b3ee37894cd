#!/usr/bin/env node
// Alfiere, a chess engine, in a worker: post it lines of UCI, and it posts lines of UCI back. MIT.
//
//     const engine = new Worker("alfiere.js");            // the modules, *.wasm, lie beside it
//     engine.onmessage = (event) => console.log(event.data);
//     engine.postMessage("uci");
//
// A message `{ network: bytes }`, of a network file, makes it search with that network.
//
// A search blocks its thread, and a blocked thread receives no messages. So there are two workers: this script starts as
// the one that receives commands, and starts itself again as the one that searches. Signals to a running search are left
// where it polls: in shared memory (Node, and pages that are cross-origin isolated), else in addresses that stop being valid.
//
// Where memory can be shared, alfiere-threads.wasm takes the place of alfiere.wasm. Its other threads run in workers that the
// outer worker starts, because one that searches cannot.
//
// In Node the script is a UCI program (`node alfiere.js`), a worker as above, and a module: `require("alfiere")(onLine)`.
"use strict";

(() => {
  const [SEARCH, HELPER] = ["alfiere-search", "alfiere-helper"];
  /** The bits of the signals to a search. */
  const [STOP, PONDER_HIT] = [1, 2];
  const node = typeof process === "object" && process.versions?.node && require("node:worker_threads");

  /** Signals in shared memory: for each bit, the number of the last search that received it. */
  class SharedOrders {
    memory = new SharedArrayBuffer(16);
    numbers = new Int32Array(this.memory);

    /** For the search with this number: what is sent along with it. */
    open(number) { return { number, memory: this.memory }; }

    give(bit, { number }) {
      Atomics.store(this.numbers, bit, number);
      Atomics.notify(this.numbers, bit);
    }

    close() {}

    static received({ number, memory }) {
      const numbers = new Int32Array(memory);
      const told = (bit) => (Atomics.load(numbers, bit) >= number ? bit : 0);
      return { bits: () => told(STOP) | told(PONDER_HIT), rest: () => Atomics.wait(numbers, STOP, numbers[STOP], 10) };
    }
  }

  /** Signals without shared memory: a blob address for each bit, revoked to signal. Only workers can check it. */
  class RevokedOrders {
    open(number) {
      const address = () => URL.createObjectURL(new Blob(["?"]));
      return { number, addresses: { [STOP]: address(), [PONDER_HIT]: address() } };
    }

    give(bit, { addresses }) { URL.revokeObjectURL(addresses[bit]); }

    close({ addresses }) { Object.values(addresses).forEach((address) => URL.revokeObjectURL(address)); }

    static isRevoked(address) {
      try {
        const request = new XMLHttpRequest();
        request.open("GET", address, false);
        request.send();
        return false;
      } catch { return true; }
    }

    /** Whether the page's Content-Security-Policy, or whatever else, hides all addresses from this thread. */
    static isBlind() { return this.isRevoked(URL.createObjectURL(new Blob(["?"]))); }

    static received({ addresses }) {
      let [bits, next] = [0, 0];
      const look = () => {
        // A look takes about a millisecond.
        if (performance.now() < next) return bits;
        for (const bit of [STOP, PONDER_HIT]) if (!(bits & bit) && this.isRevoked(addresses[bit])) bits |= bit;
        next = performance.now() + 40;
        return bits;
      };
      return { bits: look, rest: () => sleep(20) };
    }
  }

  /** Waits without memory that others share: on memory of one's own where that can be had, else by looking at the clock. */
  function sleep(milliseconds) {
    try {
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      Atomics.wait(new Int32Array(memory.buffer), 0, 0, milliseconds);
    } catch {
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
    }
  }

  /** The signals to a search that has none. */
  const UNORDERED = { bits: () => 0, rest: () => sleep(10) };

  /** The number of processors. */
  const processors = () => (node ? require("node:os").availableParallelism() : navigator.hardwareConcurrency);

  const canShare = () => typeof SharedArrayBuffer === "function" && (node || globalThis.crossOriginIsolated === true);

  /** Takes lines from the page and tells it lines; `start(hear)` makes what searches. */
  class Conversation {
    constructor(say, start, end) {
      Object.assign(this, { say, start, end });
      this.orders = canShare() ? new SharedOrders() : new RevokedOrders();
      this.searches = 0;
      /** What a new search thread must be told: the last word on each option, and the position. */
      this.settings = new Map();
      this.position = "position startpos";
      this.begin();
    }

    begin() {
      /** What the search thread was given and has not finished, oldest first; `orders` where it can be stopped. */
      this.pending = [];
      this.forget();
      this.hasWorked = false;
      const thread = this.thread = this.start((message) => thread === this.thread && this.hear(message));
    }

    /** The next search has said nothing yet. */
    forget() {
      this.best = undefined;
      this.hasInformed = false;
    }

    /** One or more lines from the page, or a network. */
    receive(text) {
      if (text?.network) {
        this.give(STOP, (task) => task.isSearch);
        this.network = text.network;
        this.hand({ network: this.network });
        return;
      }
      for (const line of String(text).split("\n")) this.execute(line.trim());
    }

    execute(line) {
      const [word, next] = line.split(/\s+/);
      if (word === "" || this.isOver) return;
      const isSearch = (task) => task.isSearch;
      if (word === "stop") return this.give(STOP);
      if (word === "ponderhit") return this.give(PONDER_HIT, isSearch);
      if (word === "isready" && this.pending.some(isSearch)) return this.say("readyok");
      // These end a search that is running, which answers before they are executed.
      if (["go", "ucinewgame", "setoption", "bench"].includes(word)) this.give(STOP, isSearch);
      if (["quit", "exit"].includes(word)) this.give(STOP);
      if (word === "setoption") this.settings.set(/name\s+(.*?)(\s+value\s|$)/.exec(line)?.[1].toLowerCase(), line);
      if (word === "position") this.position = line;
      // `go perft` and `bench` can be stopped too, but have no move to answer with.
      const orders = word === "go" || word === "bench" ? this.orders.open(++this.searches) : undefined;
      this.hand({ line, orders, isSearch: word === "go" && next !== "perft", position: this.position });
    }

    hand(task) {
      this.pending.push(task);
      this.thread.post(task);
    }

    /** Tells the tasks that were begun: all that can be stopped, or those of a kind. */
    give(bit, isMeant = () => true) {
      for (const task of this.pending) {
        if (!task.orders || !isMeant(task)) continue;
        this.orders.give(bit, task.orders);
        task.isTold = true;
      }
      this.stopBlind();
    }

    /** A search that cannot see its orders is ended from outside, once it has found a move; at a ponder hit too. */
    stopBlind() {
      const [first] = this.pending;
      if (this.isBlind && first?.isTold && !first.isAnswered && (this.hasInformed || !first.isSearch)) this.replace();
    }

    /** Another search thread goes on from here; a search of the old one is answered with the best move that it had found. */
    replace() {
      const [first, ...waiting] = this.pending;
      this.thread.end();
      if (first?.orders) this.orders.close(first.orders);
      if (first?.isSearch && !first.isAnswered) this.say(`bestmove ${this.best ?? "(none)"}`);
      if (first?.orders && !first.isSearch) this.say(`info string ${first.line}: stopped`);
      this.begin();
      if (this.network) this.hand({ network: this.network, isQuiet: true });
      for (const line of [...this.settings.values(), first?.position ?? this.position]) this.hand({ line, isQuiet: true });
      for (const task of waiting) if (!task.isQuiet && !task.network) this.hand(task);
    }

    /** A message of the search thread: a line, the end of a task, or that it can do no more. */
    hear({ line, done, isBlind, failure }) {
      if (this.isOver) return;
      if (line !== undefined) {
        const [task] = this.pending;
        if (task?.isQuiet) return;
        this.best = /^info .*\bmultipv 1 .*\bpv (\S+)/.exec(line)?.[1] ?? this.best;
        this.hasInformed ||= line.startsWith("info depth");
        if (task && line.startsWith("bestmove")) task.isAnswered = true;
        this.say(line);
        this.stopBlind();
      } else if (done) {
        const { orders, isQuiet } = this.pending.shift();
        if (orders) this.orders.close(orders);
        this.forget();
        this.hasWorked ||= !isQuiet;
        if (done.isLast) this.quit();
      } else if (isBlind) {
        this.isBlind = true;
        this.stopBlind();
      } else this.fail(failure);
    }

    /** A page that gets no move waits for ever. A thread that did nothing before is not tried again. */
    fail(reason) {
      this.say(`info string the engine cannot go on (${reason})`);
      if (this.hasWorked) return this.replace();
      for (const task of this.pending) if (task.isSearch) this.say("bestmove (none)");
      this.quit();
    }

    quit() {
      this.isOver = true;
      this.thread.end();
      this.end();
    }
  }

  /** The worker that searches and the workers of its threads; `launch(name, hear)` starts one. */
  class Team {
    constructor(launch, hear) {
      // The idle are workers whose threads have ended, for the next ones.
      Object.assign(this, { launch, hear, workers: [], idle: [] });
      this.first = this.add(SEARCH, ({ thread, ...message }) => (thread ? this.run(thread) : hear(message)));
    }

    add(name, hear) {
      const worker = this.launch(name, hear);
      this.workers.push(worker);
      return worker;
    }

    run(thread) {
      const helper = this.idle.pop() ?? this.add(HELPER, (message) => (message.isIdle ? this.idle.push(helper) : this.hear(message)));
      helper.post(thread);
    }

    post(task) { this.first.post(task); }

    end() { this.workers.forEach((worker) => worker.end()); }
  }

  /** Shared memory: as much as the module allows (2 GiB) and the browser gives, in pages of 64 KiB. */
  function sharedMemory(maximum = 32768) {
    try {
      return new WebAssembly.Memory({ initial: 512, maximum, shared: true });
    } catch (error) {
      if (maximum <= 2048) throw error;
      return sharedMemory(maximum / 2);
    }
  }

  /** The module, with memory if it has threads; `read(name)` returns the bytes of a file. */
  async function load(read) {
    const one = async () => ({ module: await WebAssembly.compile(await read("alfiere.wasm")) });
    const several = async () => ({ memory: sharedMemory(), module: await WebAssembly.compile(await read("alfiere-threads.wasm")) });
    return canShare() ? several().catch(one) : one();
  }

  /** An instance of the module for one thread. `signals` are those of its search; `spawn(argument)` starts another thread. */
  function instantiate({ module, memory }, { tell, signals, spawn }) {
    let engine;
    const decoder = new TextDecoder();
    const bytes = (address, length) => new Uint8Array(engine.memory.buffer, address, length);
    const numbers = () => new DataView(engine.memory.buffer);
    const alfiere = {
      // Each call is one or more whole lines.
      write(address, length) {
        const text = decoder.decode(bytes(address, length).slice());
        text.replace(/\n$/, "").split("\n").forEach((line) => tell({ line }));
      },
      now: () => performance.now(),
      random: () => crypto.getRandomValues(new Uint32Array(1))[0],
      signals: () => signals().bits(),
      rest: () => signals().rest(),
      processors,
    };
    // What the standard library asks of WASI. Whatever else it imports is about files, of which there are none.
    const system = {
      clock_time_get(clock, precision, address) {
        numbers().setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      environ_get: () => 0,
      environ_sizes_get(...places) {
        for (const address of places) numbers().setUint32(address, 0, true);
        return 0;
      },
      random_get(address, length) {
        bytes(address, length).set(crypto.getRandomValues(new Uint8Array(length)));
        return 0;
      },
      sched_yield: () => 0,
      proc_exit(code) { throw new Error(`exit with ${code}`); },
    };
    const NO_FILE = 8;
    const preview = new Proxy(system, { get: (known, name) => known[name] ?? (() => NO_FILE) });
    const imports = { alfiere, env: { memory }, wasi: { "thread-spawn": spawn }, wasi_snapshot_preview1: preview };
    engine = new WebAssembly.Instance(module, imports).exports;
    return engine;
  }

  /** Obeys the tasks of a conversation, one after the other; `tell` gives messages back. */
  function search(read, tell) {
    let [orders, threads] = [UNORDERED, 0];
    let engine;
    const ready = load(read).then((loaded) => {
      const spawn = (argument) => {
        tell({ thread: { loaded, number: ++threads, argument } });
        return threads;
      };
      engine = instantiate(loaded, { tell, signals: () => orders, spawn });
      engine._initialize?.();
    });

    let isBlind;
    const received = (task) => {
      if (!task.orders) return UNORDERED;
      if (task.orders.memory) return SharedOrders.received(task.orders);
      if (isBlind === undefined) {
        isBlind = RevokedOrders.isBlind();
        if (isBlind) tell({ isBlind });
      }
      return isBlind ? UNORDERED : RevokedOrders.received(task.orders);
    };
    const execute = (task) => {
      orders = received(task);
      const input = task.network ? new Uint8Array(task.network) : new TextEncoder().encode(task.line);
      const address = engine.alfiere_line(input.length);
      new Uint8Array(engine.memory.buffer, address, input.length).set(input);
      if (task.network) engine.alfiere_network();
      tell({ done: { isLast: !task.network && engine.alfiere_execute() === 1 } });
    };
    let last = ready;
    // Everything after a failure fails too; it is reported once.
    last.catch(() => {});
    let fail = (error) => {
      tell({ failure: String(error) });
      fail = () => {};
    };
    return (task) => {
      last = last.then(() => execute(task));
      last.catch((error) => fail(error));
    };
  }

  /** Runs threads of a search, one after the other. */
  function help(tell) {
    let engine;
    return ({ loaded, number, argument }) => {
      engine ??= instantiate(loaded, { tell, signals: () => UNORDERED, spawn: () => -1 });
      engine.wasi_thread_start(number, argument);
      tell({ isIdle: true });
    };
  }

  function inNode() {
    const { Worker, isMainThread, parentPort, workerData } = node;
    const launch = (name, hear) => {
      const worker = new Worker(__filename, { workerData: name });
      worker.on("message", hear);
      worker.on("error", (error) => hear({ failure: String(error) }));
      return { post: (task) => worker.postMessage(task), end: () => worker.terminate() };
    };
    const start = (hear) => new Team(launch, hear);
    const tell = (message) => parentPort.postMessage(message);
    if (workerData === SEARCH) {
      const file = (name) => require("node:path").join(__dirname, name);
      parentPort.on("message", search((name) => require("node:fs/promises").readFile(file(name)), tell));
    } else if (workerData === HELPER) {
      parentPort.on("message", help(tell));
    } else if (require.main === module && isMainThread) {
      const input = require("node:readline").createInterface({ input: process.stdin, terminal: false });
      const conversation = new Conversation((line) => process.stdout.write(`${line}\n`), start, () => input.close());
      input.on("line", (line) => conversation.receive(line));
      input.on("close", () => conversation.receive("quit"));
    } else if (!isMainThread && (require.main === module || require.main === undefined)) {
      const conversation = new Conversation(tell, start, () => parentPort.close());
      parentPort.on("message", (text) => conversation.receive(text));
    } else {
      module.exports = (onLine) => {
        let over;
        const ended = new Promise((resolve) => (over = resolve));
        const conversation = new Conversation(onLine, start, over);
        return { postMessage: (text) => conversation.receive(text), terminate: () => conversation.quit(), ended };
      };
    }
  }

  function inBrowser() {
    const here = self.location.href;
    const tell = (message) => self.postMessage(message);
    if (self.name === SEARCH || self.name === HELPER) {
      const read = async (name) => {
        const answer = await fetch(new URL(name, here));
        if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
        return answer.arrayBuffer();
      };
      const receive = self.name === SEARCH ? search(read, tell) : help(tell);
      self.onmessage = (event) => receive(event.data);
      return;
    }
    const launch = (name, hear) => {
      const worker = new Worker(here, { name });
      worker.onmessage = (event) => hear(event.data);
      worker.onerror = (event) => hear({ failure: event.message ?? "the script cannot be loaded again" });
      return { post: (task) => worker.postMessage(task), end: () => worker.terminate() };
    };
    const conversation = new Conversation(tell, (hear) => new Team(launch, hear), () => self.close());
    self.onmessage = (event) => conversation.receive(event.data);
  }

  if (node) inNode();
  else inBrowser();
})();
