// Training a network in the site: the module in Node against the program, and the page in Chromium.
//
//     SITE=FOLDER [TRAINER=PROGRAM] [PICTURES=FOLDER] [AXE=axe.min.js] [CHROMIUM=PROGRAM] node --test web/site/test/train.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

import { isAccessible, serve, withPage } from "./browser.mjs";

const asset = (name) => resolve(process.env.SITE, "assets", name);
const program = process.env.TRAINER;
const alfiere = process.env.ALFIERE;
let site;
before(async () => { site = await serve(process.env.SITE); });
after(() => site.close());

const sample = () => gunzipSync(readFileSync(asset("sample.csv.gz"))).toString().split("\n");

/** Runs `use(folder)` in a folder of its own. */
async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "alfiere-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The network that the program makes of a file with this start. */
function programNetwork(path, start) {
  const out = `${path}.nnue`;
  execFileSync(program, ["train", "--data", path, "--no-cache", "--force", "--start", start, "--out", out], { stdio: "ignore" });
  return readFileSync(out);
}

/** The network that the module makes of a file with this start; `changed` sees each answer and report. */
async function moduleNetwork(path, start, changed = () => {}) {
  const { openTrainer } = await import(pathToFileURL(asset("trainer.js")));
  const trainer = await openTrainer(await WebAssembly.compile(readFileSync(asset("trainer.wasm"))), changed);
  changed(trainer.load("rows.csv", readFileSync(path), start));
  for (let answer = {}; !answer.stop;) {
    answer = trainer.epoch();
    changed(answer);
  }
  return Buffer.from(trainer.network());
}

test("the module writes the program's bytes", { skip: program ? false : "TRAINER names no program" }, () => withFolder(async (folder) => {
  // With a bad row.
  const lines = sample().slice(0, 6_001);
  lines.splice(3, 0, "8/8/8/8/8/8/8/8 w - - 0 1,+7");
  const path = join(folder, "rows.csv");
  writeFileSync(path, `${lines.join("\n")}\n`);
  for (const [start, lessons] of [["random", ["rows"]], ["embedded", ["rows"]],
    ["classical:20000", ["evaluation", "searches", "rows", "own searches 1", "own searches 2", "own searches 3"]]]) {
    const [answers, reports] = [[], new Set()];
    const network = await moduleNetwork(path, start, (answer) => { if (answer.lesson) reports.add(answer.lesson); else answers.push(answer); });
    assert.deepEqual([answers[0].rows, answers[0].bad_rows], [6_000, 1]);
    assert.match(answers[0].bad[0], /^line 4: illegal FEN/);
    assert.deepEqual([...reports], lessons);
    const { epochs } = answers.at(-1);
    if (start === "random") assert.ok(epochs.at(-1).loss < 0.8 * epochs[0].loss, epochs.map(({ loss }) => loss).join(" "));
    assert.deepEqual(network, programNetwork(path, start), start);
  }
}));

test("what is no CSV is refused with the reason", async () => {
  const { openTrainer } = await import(pathToFileURL(asset("trainer.js")));
  const trainer = await openTrainer(await WebAssembly.compile(readFileSync(asset("trainer.wasm"))));
  const refused = (content) => { try { return trainer.load("a.csv", Buffer.from(content)); } catch ({ message }) { return message; } };
  assert.match(refused("hello\n"), /^a\.csv:1: found `hello`/);
  assert.match(refused(""), /the file is empty/);
  assert.match(refused("(\xB5/\xFDxx"), /a\.csv/);
});

const text = (id) => `document.getElementById("${id}").textContent`;

for (const [screen, theme] of [["desktop", "light"], ["desktop", "dark"], ["phone", "light"], ["turnedPhone", "light"]]) {
  test(`the page of the trainer fits and can be read: ${screen}, ${theme}`, () => withPage({ screen, theme }, async (page) => {
    await page.open(`${site.address}train.html`);
    await isAccessible(page, "before");
    await page.picture(`${screen}-${theme}-train`);
    await page.click("#sample");
    await page.wait(`/^Epoch [2-9]/.test(${text("status")})`);
    await page.run("scrollTo(0, 0)");
    await isAccessible(page, "while training");
    await page.picture(`${screen}-${theme}-training`);
    await page.wait(`/^All epochs are done/.test(${text("status")})`);
    await isAccessible(page, "after");
    await page.picture(`${screen}-${theme}-trained`);
  }));
}

test("a visitor trains on the sample, stops and goes on, and plays against the network", () => withPage({}, async (page) => {
  await page.open(`${site.address}train.html`);
  const start = Date.now();
  await page.click("#sample");
  // There are few epochs: it is stopped during the first.
  await page.wait(`/^Epoch 1/.test(${text("status")})`);
  await page.click("#pause");
  await page.wait("document.getElementById('play').href");
  const first = Date.now() - start;
  assert.ok(first < 60_000, `the first network after ${first} ms`);
  await page.wait(`/^Stopped after epoch/.test(${text("status")})`);
  const stopped = await page.run(text("status"));
  await new Promise((later) => setTimeout(later, 600));
  assert.equal(await page.run(text("status")), stopped);
  await page.click("#pause");
  await page.wait(`/^All epochs are done/.test(${text("status")})`);
  const all = Date.now() - start;
  const losses = await page.run("[...document.querySelectorAll('#epochs tr')].map((row) => Number(row.children[3].textContent))");
  assert.ok(losses.length > 1 && losses.at(-1) < losses[0], losses.join(" "));

  // The kept network is the file that the shown command writes beside the file that the page links to.
  const kept = await page.run("caches.open('own-network').then((store) => store.match('network')).then((kept) => kept.arrayBuffer()).then((bytes) => [...new Uint8Array(bytes)])");
  const { words, link } = await page.run("({ words: document.getElementById('command').textContent, link: document.querySelector('#sample-link a').href })");
  assert.equal(words, "trainer train --data sample.csv.gz --out sample.nnue");
  await withFolder(async (folder) => {
    writeFileSync(join(folder, link.split("/").at(-1)), Buffer.from(await (await fetch(link)).arrayBuffer()));
    if (!program) return;
    execFileSync("bash", ["-c", `PATH="$0:$PATH"; ln -s "$1" trainer; ${words}`, folder, resolve(program)], { cwd: folder, stdio: "ignore" });
    assert.deepEqual(Buffer.from(kept), readFileSync(join(folder, "sample.nnue")));
  });

  // The analysis compares the engine's network with this one in a position of the largest errors.
  const [phases, address] = await page.run("[[...document.querySelectorAll('#mistakes h3')].map((phase) => phase.textContent).join(), document.querySelector('#mistakes a').href]");
  assert.equal(phases, "Opening,Middlegame,Endgame");
  assert.match(await page.wait("document.querySelector('#facts small')?.textContent"), /^[−\d.]+ to [\d.]+ \(95 %, \d+ games\)$/);
  const play = await page.run("document.getElementById('play').href");
  await page.open(address);
  await page.wait("document.getElementById('other').value === 'own' && document.querySelectorAll('#other-lines li').length > 0 && document.querySelectorAll('#lines li').length > 0");
  await page.picture("own-mistake");
  await page.click("#engine");

  await page.open(play);
  await page.wait("document.querySelector('[name=player]:checked')?.value === 'own' && !document.getElementById('setup').hidden");
  await page.picture("own-setup");
  await page.click("#setup [type=submit]");
  await page.wait("!document.getElementById('play').hidden && document.querySelectorAll('#board .piece').length === 32");
  await page.click("#typed-move");
  await page.write("e4");
  const moved = Date.now();
  await page.key("Enter");
  await page.until(() => page.run("document.querySelectorAll('#moves .move').length === 2"));
  const answered = Date.now() - moved;
  await page.picture("own-game");
  console.log(`first network ${first} ms, all epochs ${all} ms, first answer ${answered} ms`);
  assert.ok(answered < 1_000, `answered after ${answered} ms`);
}));

test("the network is looked at while it learns, tested, saved and opened again", () => withPage({}, (page) => withFolder(async (folder) => {
  await page.open(`${site.address}train.html`);
  await page.click("#sample");
  const seen = "[...document.querySelectorAll('#board .label')].map((label) => label.textContent).join()";
  await page.wait(`/of epoch 1$/.test(${text("value-note")}) && document.querySelectorAll("#board .label").length === 30`);
  const first = await page.run(seen);
  await page.wait(`/^All epochs are done/.test(${text("status")}) && /of epoch 2$/.test(${text("value-note")})`);
  assert.notEqual(await page.run(seen), first);
  // The largest errors lead to the position.
  assert.equal(await page.run("document.querySelectorAll('#mistakes .mistake').length"), 12);
  const mistake = await page.run("document.querySelector('#mistakes a').title");
  await page.click("#mistakes button");
  await page.wait(`document.getElementById("fen").value === ${JSON.stringify(mistake)} && ${seen} !== ${JSON.stringify(first)}`);
  assert.match(await page.run("document.querySelector('#mistakes p').textContent"), /^label \S+, network [+−]?\d+ cp$/);
  await page.run("document.getElementById('fen').value = '8/8/8/8/8/8/8/8 w - - 0 1'; document.getElementById('fen').dispatchEvent(new Event('change'))");
  await page.wait(`/White has 0 kings/.test(${text("fen-error")})`);
  await page.click("#initial");
  await page.wait(`document.getElementById("fen-error").hidden && document.querySelectorAll("#board .label").length === 30`);
  const [last, value] = await page.run(`[${seen}, ${text("value")}]`);
  await page.click("#test");
  const solved = await page.wait(`/^Solved: .*/.exec(${text("test-status")})?.[0]`);

  await page.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  await page.click("#save");
  const path = join(folder, "sample.nnue");
  await page.until(() => { try { return readFileSync(path).length > 0; } catch { return false; } }, "the network is saved");
  if (alfiere) {
    // The program finds the same values, and solves as many.
    const counted = (...words) => /solved (\d+)\/111/.exec(execFileSync(alfiere, ["suite", "datasets/suites/eret.epd", "--depth", "4", "--hash", "16", "--quiet", ...words], { encoding: "utf8" }))[1];
    assert.match(solved, new RegExp(`^Solved: ${counted("--net", path)} of 111\\. Alfiere’s own network: \\d+\\.$`));
  }
  console.log(solved);
  await page.run("caches.delete('own-network')");
  await page.open(`${site.address}train.html`);
  await page.choose("#file", path);
  await page.wait(`${seen} === ${JSON.stringify(last)}`);
  assert.equal(await page.run(text("value")), value);
  assert.match(await page.run(text("status")), /^Dual \[1024,32,32\]/);
  await isAccessible(page, "an opened network");
  await page.wait("document.getElementById('play').href");
  writeFileSync(path, "hello");
  await page.choose("#file", path);
  await page.wait(`/^No network file: /.test(${text("failure")}) && !document.getElementById("failure").hidden`);
})));

test("the start can be chosen, and its lessons are shown", () => withPage({}, async (page) => {
  await page.open(`${site.address}train.html`);
  await page.run("document.getElementById('start').add(new Option('A few', 'classical:20000')); document.getElementById('start').value = 'classical:20000'");
  await page.click("#sample");
  await page.wait(`/^Epoch 1 of \\d+: the start’s evaluation, /.test(${text("status")})`);
  await page.wait(`/^All epochs are done/.test(${text("status")})`);
  assert.equal(await page.run(text("command")), "trainer train --data sample.csv.gz --start classical:20000 --out sample.nnue");
  await page.wait("document.getElementById('play').href && document.querySelectorAll('#board .label').length === 30");
}));

test("bad rows are named by line, and a file that is no CSV by its fault", () => withFolder((folder) => withPage({}, async (page) => {
  const lines = sample().slice(0, 2_001);
  lines.splice(10, 0, "8/8/8/8/8/8/8/8 w - - 0 1,+7");
  const path = join(folder, "a few.csv");
  writeFileSync(path, `${lines.join("\n")}\n`);
  await page.open(`${site.address}train.html`);
  await page.choose("#file", path);
  assert.equal(await page.wait(text("command")), "trainer train --data './a few.csv' --out './a few.nnue'");
  await page.wait(`/1 of 2,001 rows cannot be read/.test(${text("bad")}) && /line 11: illegal FEN/.test(${text("bad")})`);
  await page.wait(`/^All epochs are done/.test(${text("status")})`);
  writeFileSync(path, "hello\n");
  await page.choose("#file", path);
  await page.wait(`/found .hello./.test(${text("failure")}) && !document.getElementById("failure").hidden`);
})));

test("the network beats a random player", async () => {
  const startEngine = (await import(pathToFileURL(asset("alfiere.js")))).default;
  const path = asset("sample.csv.gz");
  const network = await moduleNetwork(path, "embedded");
  const { instance } = await WebAssembly.instantiate(readFileSync(asset("rules.wasm")), {});
  const rules = instance.exports;
  const line = (moves) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ ask: "line", moves }));
    const address = rules.rules_question(bytes.length);
    new Uint8Array(rules.memory.buffer, address, bytes.length).set(bytes);
    const length = rules.rules_answer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(rules.memory.buffer, rules.rules_address(), length)));
  };
  let hear = () => {};
  const said = [];
  const engine = startEngine((text) => { said.push(text); hear(text); });
  engine.postMessage({ network });
  let state = 1;
  const random = (below) => { state = state * 48_271 % 2_147_483_647; return state % below; };
  const moves = [];
  let game = line(moves);
  try {
    while (!game.end) {
      if (moves.length % 2) moves.push(game.legal[random(game.legal.length)]);
      else {
        moves.push(await new Promise((found) => {
          hear = (text) => { if (text.startsWith("bestmove")) found(text.split(" ")[1]); };
          engine.postMessage(`position startpos moves ${moves.join(" ")}`);
          engine.postMessage("go nodes 3000");
        }));
      }
      game = line(moves);
    }
  } finally {
    engine.terminate();
  }
  assert.ok(said.some((text) => text.startsWith("info string network dual [1024,32,32]")), said.slice(0, 3).join("\n"));
  assert.equal(game.end.result, "1-0", moves.join(" "));
});
