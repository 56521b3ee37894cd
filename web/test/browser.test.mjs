// The package in a real Chromium: where memory may be shared, where it may not, and the example page.
//
//     ALFIERE_PACKAGE=FOLDER [CHROMIUM=PROGRAM] node --test web/test/*.test.mjs
//
// The pages run here are served by this test, and post it what they saw.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

const folder = resolve(process.env.ALFIERE_PACKAGE ?? ".");
const chromium = process.env.CHROMIUM ?? "chromium";
const types = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
const PATIENCE = 60_000;

function isThere(program) {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
const browser = { skip: isThere(chromium) ? false : `there is no program '${chromium}'` };

/** The nodes of `bench 9` in Node, where the engine is compared with the native one. */
async function benchNodes() {
  const load = createRequire(import.meta.url)(join(folder, "alfiere.js"));
  // `quit` would end the bench.
  let engine;
  const last = await new Promise((found) => {
    engine = load((line) => /^\d+ nodes /.test(line) && found(line));
    engine.postMessage("bench 9");
  });
  engine.postMessage("quit");
  await engine.ended;
  return nodes(last);
}
const nodes = (line) => Number(/^(\d+) nodes/.exec(line)[1]);

/** Talks to the engine as any page would, and says when each line came. */
async function talk() {
  const engine = new Worker("alfiere.js");
  const heard = [];
  let waiting = [];
  engine.onmessage = ({ data }) => {
    heard.push(data);
    waiting = waiting.filter(({ pattern, found }) => !pattern.test(data) || void found(data));
  };
  const next = (pattern) => new Promise((found) => waiting.push({ pattern, found }));
  const timed = async (text, pattern) => {
    const [start, answer] = [performance.now(), next(pattern)];
    engine.postMessage(text);
    return { line: await answer, milliseconds: performance.now() - start };
  };
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const count = (pattern) => heard.filter((line) => pattern.test(line)).length;
  const seen = { isolated: crossOriginIsolated };
  await timed("uci", /^uciok$/);
  seen.perft = (await timed("go perft 4", /searched/)).line;
  engine.postMessage("go infinite");
  await next(/^info depth 8 /);
  seen.ready = await timed("isready", /^readyok$/);
  await pause(700);
  seen.early = count(/^bestmove/);
  seen.stop = await timed("stop", /^bestmove/);
  // A thread that took the place of another loads the module first.
  await timed("isready", /^readyok$/);
  seen.movetime = await timed("go movetime 700", /^bestmove/);
  engine.postMessage("go ponder movetime 100");
  await pause(500);
  seen.pondered = count(/^bestmove/);
  seen.ponderhit = await timed("ponderhit", /^bestmove/);
  engine.postMessage("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite");
  await pause(300);
  seen.stalemate = await timed("stop", /^bestmove/);
  seen.bench = (await timed("bench 9", /nps$/)).line;
  engine.postMessage("uci");
  seen.threads = Number((await next(/ Threads /)).split(" max ")[1]);
  seen.nodes = [];
  for (const threads of [1, Math.min(2, seen.threads)]) {
    engine.postMessage(`position startpos\nsetoption name Threads value ${threads}\nucinewgame`);
    // Deep enough for the second thread, whose worker starts with the search.
    await timed("go depth 17", /^bestmove/);
    seen.nodes.push(Number(/ nodes (\d+)/.exec(heard.at(-2))[1]));
  }
  await fetch("/seen", { method: "POST", body: JSON.stringify(seen) });
}

/** What a page posts, run in a browser of its own. */
async function visit(page, headers) {
  let tell;
  const seen = new Promise((found) => (tell = found));
  const server = createServer(async (request, answer) => {
    if (request.method === "POST") {
      let text = "";
      for await (const part of request) text += part;
      answer.end();
      return tell(JSON.parse(text));
    }
    const name = request.url.slice(1);
    const body = name === "" ? page : await readFile(join(folder, name)).catch(() => undefined);
    const type = types[name.split(".").at(-1)] ?? types.html;
    answer.writeHead(body === undefined ? 404 : 200, { "Content-Type": type, ...headers }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const profile = mkdtempSync(join(tmpdir(), "alfiere-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${profile}`];
  const address = `http://127.0.0.1:${server.address().port}/`;
  const program = spawn(chromium, [...flags, address], { stdio: "ignore" });
  const ended = new Promise((over) => program.on("exit", over));
  const late = setTimeout(() => tell({ error: "the page said nothing" }), PATIENCE);
  try {
    return await seen;
  } finally {
    clearTimeout(late);
    program.kill();
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

const talking = `<!doctype html><script>(${talk})().catch((error) =>
  fetch("/seen", { method: "POST", body: JSON.stringify({ error: String(error) }) }));</script>`;
const isolating = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

// Such a page hides from the search what it is told: the worker ends it from outside.
const hiding = { "Content-Security-Policy": "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'" };

for (const [where, headers] of [
  ["an ordinary page", {}],
  ["a cross-origin isolated page", isolating],
  ["a page that allows no addresses of its own", hiding],
]) {
  test(`the worker of ${where} searches, and hears what it is told meanwhile`, browser, async () => {
    const seen = await visit(talking, headers);
    assert.equal(seen.error, undefined);
    assert.equal(seen.isolated, headers === isolating);
    assert.equal(seen.perft, "Nodes searched: 197281");
    assert.ok(seen.ready.milliseconds < 500);
    assert.equal(seen.early, 0);
    assert.match(seen.stop.line, /^bestmove [a-h]/);
    assert.ok(seen.stop.milliseconds < 500, `stopped after ${seen.stop.milliseconds} ms`);
    assert.ok(seen.movetime.milliseconds > 500 && seen.movetime.milliseconds < 1200, `${seen.movetime.milliseconds} ms`);
    assert.equal(seen.pondered, 2);
    assert.ok(seen.ponderhit.milliseconds < 1000);
    assert.equal(seen.stalemate.line, "bestmove (none)");
    assert.equal(nodes(seen.bench), await benchNodes());
    assert.equal(seen.threads, headers === isolating ? availableParallelism() : 1);
    const [alone, both] = seen.nodes;
    assert.ok(seen.threads > 1 ? both > 1.1 * alone : both === alone, `${both} nodes with two threads, ${alone} with one`);
    console.log(`${where}: stop heard after ${seen.stop.milliseconds.toFixed()} ms, bench 9 ${seen.bench}`);
  });
}

test("the example page shows a move", browser, async () => {
  const watch = `<script>setInterval(() => {
    const move = /^bestmove .*$/m.exec(lines.textContent);
    if (move) fetch("/seen", { method: "POST", body: JSON.stringify({ move: move[0] }) });
  }, 200);</script>`;
  const seen = await visit((await readFile(join(folder, "example.html"), "utf8")) + watch, {});
  assert.match(seen.move ?? seen.error, /^bestmove [a-h]/);
});
