// The package in Node: UCI in a worker, from plain code and over pipes, and the same searches as the native program.
//
//     ALFIERE_PACKAGE=FOLDER [ALFIERE_NATIVE=PROGRAM] node --test web/test/*.test.mjs
//
// FOLDER is what scripts/wasm made; PROGRAM the native engine of the same source, to compare with.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

const folder = resolve(process.env.ALFIERE_PACKAGE ?? ".");
const script = join(folder, "alfiere.js");
const alfiere = createRequire(import.meta.url)(script);
const native = process.env.ALFIERE_NATIVE;
const suite = fileURLToPath(new URL("../../datasets/suites/eret.epd", import.meta.url));

/** An engine whose lines can be waited for. */
class Gui {
  lines = [];
  #waiting = [];
  #engine;

  constructor(start = alfiere) {
    this.#engine = start((line) => {
      this.lines.push(line);
      this.#waiting = this.#waiting.filter(({ pattern, found }) => !pattern.test(line) || void found(line));
    });
  }

  say(text) {
    this.#engine.postMessage(text);
  }

  /** The next line that fits. */
  next(pattern) {
    return new Promise((found) => this.#waiting.push({ pattern, found }));
  }

  ask(text, pattern) {
    const answer = this.next(pattern);
    this.say(text);
    return answer;
  }

  get ended() {
    return this.#engine.ended;
  }

  async quit() {
    this.say("quit");
    await this.ended;
  }
}

async function withGui(use, start) {
  const gui = new Gui(start);
  await use(gui);
  await gui.quit();
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

test("uci and isready are answered", () =>
  withGui(async (gui) => {
    await gui.ask("uci", /^uciok$/);
    assert.match(gui.lines[0], /^id name Alfiere /);
    assert.ok(gui.lines.some((line) => line.startsWith("option name Hash type spin default 16 min 1 max 1024")));
    await gui.ask("isready", /^readyok$/);
  }));

test("perft 4 of the initial position is 197281", () =>
  withGui(async (gui) => assert.equal(await gui.ask("go perft 4", /searched/), "Nodes searched: 197281")));

test("perft and bench end when they are told to, and not before", () =>
  withGui(async (gui) => {
    for (const [task, stopped] of [["go perft 20", /perft: stopped/], ["bench 60", /^info string bench|nps$/]]) {
      const answer = gui.next(stopped);
      gui.say(task);
      await pause(500);
      const start = performance.now();
      gui.say("stop");
      await answer;
      assert.ok(performance.now() - start < 1000, task);
    }
    const count = gui.next(/searched/);
    gui.say("go perft 4\nsetoption name Hash value 4\nucinewgame");
    assert.equal(await count, "Nodes searched: 197281");
  }));

test("limits by depth, nodes and time are kept", () =>
  withGui(async (gui) => {
    await gui.ask("go depth 7", /^bestmove/);
    assert.match(gui.lines.at(-2), /^info depth 7 /);
    await gui.ask("go nodes 30000", /^bestmove/);
    const nodes = Number(/ nodes (\d+)/.exec(gui.lines.at(-2))[1]);
    assert.ok(nodes <= 30_000, `${nodes} nodes`);
    for (const go of ["go movetime 700", "go wtime 10000 btime 10000 winc 100 binc 100"]) {
      const start = performance.now();
      await gui.ask(go, /^bestmove/);
      const time = performance.now() - start;
      assert.ok(go.includes("movetime") ? time > 500 && time < 900 : time < 4000, `${go}: ${time} ms`);
    }
  }));

test("a search that nothing limits is ready, and ends when it is told to", () =>
  withGui(async (gui) => {
    const answer = gui.next(/^bestmove/);
    gui.say("position startpos moves e2e4\ngo infinite");
    await gui.next(/^info depth 8 /);
    await gui.ask("isready", /^readyok$/);
    await pause(300);
    assert.ok(!gui.lines.some((line) => line.startsWith("bestmove")));
    const start = performance.now();
    gui.say("stop");
    assert.match(await answer, /^bestmove [a-h][1-8]/);
    assert.ok(performance.now() - start < 300);
    // The order belonged to that search alone.
    const bench = /^\d+ nodes/.exec(await gui.ask("bench 5", /nps$/))[0];
    await gui.ask("go depth 9", /^bestmove/);
    assert.match(gui.lines.at(-2), /^info depth 9 /);
    await withGui(async (fresh) => assert.match(await fresh.ask("bench 5", /nps$/), new RegExp(`^${bench}`)));
  }));

test("where there is nothing to search, the answer waits all the same", () =>
  withGui(async (gui) => {
    gui.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite");
    await pause(300);
    assert.ok(!gui.lines.some((line) => line.startsWith("bestmove")));
    assert.equal(await gui.ask("stop", /^bestmove/), "bestmove (none)");
  }));

test("the clock counts from the ponder hit on", () =>
  withGui(async (gui) => {
    gui.say("go ponder movetime 200");
    await pause(600);
    assert.ok(!gui.lines.some((line) => line.startsWith("bestmove")));
    await gui.ask("ponderhit", /^bestmove/);
  }));

test("a new search ends the one before", () =>
  withGui(async (gui) => {
    gui.say("go infinite");
    await gui.next(/^info depth 5 /);
    await gui.ask("go depth 6", /^bestmove/);
    await gui.next(/^bestmove/);
    assert.match(gui.lines.at(-2), /^info depth 6 /);
  }));

test("what cannot be is refused in words", () =>
  withGui(async (gui) => {
    assert.match(await gui.ask("position fen 8/8/8/8/8/8/8/8 w - - 0 1", /^info string/), /position: .*kings/);
    assert.match(await gui.ask("position startpos moves e2e5", /^info string/), /position: /);
    assert.match(await gui.ask("setoption name Player value beam", /^info string/), /expected one of nnue, classical/);
    assert.match(await gui.ask("setoption name EvalFile value a.nnue", /^info string/), /nothing is searched until it names a network/);
    assert.equal(await gui.ask("go depth 3", /^bestmove/), "bestmove 0000");
    assert.match(await gui.ask("setoption name EvalFile value <embedded>", /^info string/), /network dual/);
    assert.match(await gui.ask("setoption name SyzygyPath value /", /^info string/), /stay as they were/);
    assert.match(await gui.ask("setoption name Threads value 0", /^info string/), new RegExp(`from 1 to ${availableParallelism()},`));
    assert.match(await gui.ask("xyzzy", /^info string/), /unknown command/);
    // A refused position leaves none to search, until the next one.
    assert.equal(await gui.ask("go depth 3", /^bestmove/), "bestmove 0000");
    gui.say("position startpos");
    assert.match(await gui.ask("go depth 3", /^bestmove/), /^bestmove [a-h]/);
  }));

test("a table as large as can be is given, or a smaller one", () =>
  withGui(async (gui) => {
    gui.say("setoption name Hash value 1024");
    await gui.ask("go depth 8", /^bestmove/);
    gui.say("setoption name Hash value 16");
    await gui.ask("go depth 8", /^bestmove/);
  }));

const processors = { skip: availableParallelism() < 2 ? "there is one processor" : false };

test("two threads search together, and stop together", processors, () =>
  withGui(async (gui) => {
    const nodes = async (threads) => {
      gui.say(`setoption name Threads value ${threads}\nucinewgame`);
      // Deep enough for the second thread, whose worker starts with the search.
      await gui.ask("go depth 17", /^bestmove/);
      return Number(/ nodes (\d+)/.exec(gui.lines.at(-2))[1]);
    };
    const [alone, both] = [await nodes(1), await nodes(2)];
    assert.equal(await nodes(1), alone);
    // The second thread searches about as many nodes as the first, which needs fewer than alone.
    assert.ok(both > 1.1 * alone, `${both} nodes with two threads, ${alone} with one`);
    gui.say("setoption name Threads value 2\nsetoption name Hash value 64\nposition fen 7k/8/8/8/8/8/R7/1R5K w - - 0 80");
    await gui.ask("go depth 9", /^bestmove [ab]/);
    assert.match(gui.lines.at(-2), / score mate 2 /);
    gui.say("position startpos\nucinewgame");
    for (let search = 0; search < 20; search += 1) await gui.ask("go nodes 3000", /^bestmove [a-h]/);
    gui.say("go infinite");
    await gui.next(/^info depth 9 /);
    const start = performance.now();
    await gui.ask("stop", /^bestmove [a-h]/);
    assert.ok(performance.now() - start < 300);
    // It can end while both search.
    gui.say("go infinite");
    await gui.next(/^info depth 9 /);
  }));

test("without the module of threads one thread searches", async () => {
  const place = mkdtempSync(join(tmpdir(), "alfiere-"));
  try {
    for (const name of ["alfiere.js", "alfiere.wasm"]) copyFileSync(join(folder, name), join(place, name));
    await withGui(async (gui) => {
      const bench = await gui.ask("bench 5", /nps$/);
      assert.match(await gui.ask("setoption name Threads value 2", /^info string/), /from 1 to 1,/);
      await withGui(async (other) => assert.equal(parseInt(await other.ask("bench 5", /nps$/)), parseInt(bench)));
    }, createRequire(import.meta.url)(join(place, "alfiere.js")));
  } finally {
    rmSync(place, { recursive: true });
  }
});

test("the script is a worker by itself", () => {
  const start = (onLine) => {
    const worker = new Worker(script);
    worker.on("message", onLine);
    const ended = new Promise((over) => worker.on("exit", over));
    return { postMessage: (text) => worker.postMessage(text), ended };
  };
  return withGui(async (gui) => {
    await gui.ask("uci", /^uciok$/);
    await gui.ask("go depth 5", /^bestmove/);
  }, start);
});

test("the script is a UCI program", async () => {
  const program = spawn(process.execPath, [script]);
  let said = "";
  program.stdout.on("data", (text) => (said += text));
  program.stdin.end("uci\ngo infinite\n");
  assert.equal(await new Promise((over) => program.on("exit", over)), 0);
  // The end of input stops the search, which answers.
  assert.match(said, /uciok\n(.*\n)*bestmove [a-h].*\n$/);
});

test("without its module it says so, and ends", async () => {
  const place = mkdtempSync(join(tmpdir(), "alfiere-"));
  try {
    copyFileSync(script, join(place, "alfiere.js"));
    const gui = new Gui(createRequire(import.meta.url)(join(place, "alfiere.js")));
    gui.say("uci\ngo depth 5");
    await gui.ended;
    assert.match(gui.lines[0], /^info string .*alfiere\.wasm/);
    assert.deepEqual(gui.lines.slice(1), ["bestmove (none)"]);
  } finally {
    rmSync(place, { recursive: true });
  }
});

const comparison = { skip: native ? false : "ALFIERE_NATIVE names no program to compare with" };
const lastLine = (words) => execFileSync(native, words, { encoding: "utf8" }).trimEnd().split("\n").at(-1);

test("bench visits the nodes of the native program", comparison, () =>
  withGui(async (gui) => {
    const nodes = (line) => Number(/^(\d+) nodes/.exec(line)[1]);
    assert.equal(nodes(await gui.ask("bench 9", /nps$/)), nodes(lastLine(["bench", "9"])));
  }));

test("ERET at depth 4 is solved as by the native program", comparison, () => {
  const place = mkdtempSync(join(tmpdir(), "alfiere-"));
  try {
    const program = join(place, "alfiere");
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${script}'\n`);
    chmodSync(program, 0o755);
    const words = ["suite", suite, "--depth", "4", "--quiet"];
    const solved = (words) => /^\D*(\d+)\D+(\d+)/.exec(lastLine(words)).slice(1, 3);
    assert.deepEqual(solved([...words, "--engine", program]), solved(words));
  } finally {
    rmSync(place, { recursive: true });
  }
});
