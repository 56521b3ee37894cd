// The static site in a real Chromium, on desktop and phone screens, and the same analysis board in `alfiere play`.
//
//     SITE=FOLDER [ALFIERE=PROGRAM] [PICTURES=FOLDER] [AXE=axe.min.js] [CHROMIUM=PROGRAM] node --test web/site/test/*.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";

import { serve, withPage } from "./browser.mjs";

let site;
before(async () => { site = await serve(process.env.SITE); });
after(() => site.close());

const PGN = `[Event "Test"]
[White "A"]
[Black "B"]

1. e4 {[%eval 0.30] [%clk 0:03:00] best [%csl Ge4] [%cal Rd2d4]} e5 (1... c5 $5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 Nc6 1-0`;
const square = (name) => `[data-square=${name}]`;
const text = (id) => `document.getElementById("${id}").textContent`;
const set = (id, value) => `document.getElementById("${id}").value = ${JSON.stringify(value)}`;

async function analysis(page, hash = "") {
  await page.open(`${site.address}analysis.html${hash}`);
  await page.wait("document.querySelectorAll('#board .piece').length > 0");
}

async function read(page, pgn) {
  await page.run(`document.getElementById("share").open = true; ${set("text", pgn)}`);
  await page.click("#read");
}

async function isAccessible(page, name) {
  if (process.env.AXE) {
    await page.run(await readFile(process.env.AXE, "utf8"));
    const found = await page.run(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 120)).join(" | ")))`);
    assert.deepEqual(found, [], name);
  }
  assert.ok(await page.run("document.documentElement.scrollWidth <= innerWidth"), `${name} is wider than the screen`);
}

for (const [screen, theme] of [["desktop", "light"], ["desktop", "dark"], ["phone", "light"], ["phone", "dark"]]) {
  test(`the pages fit and can be read: ${screen}, ${theme}`, async () => {
    await withPage({ screen, theme }, async (page) => {
      await page.open(site.address);
      await page.wait("!document.getElementById('setup').hidden");
      await isAccessible(page, "setup");
      await page.picture(`${screen}-${theme}-setup`);
      await analysis(page);
      await read(page, PGN);
      await page.wait("document.querySelectorAll('#moves .move').length === 9");
      await page.run("document.getElementById('share').open = false");
      await page.key("ArrowRight");
      await page.wait("document.querySelectorAll('.shapes polygon').length === 1");
      await page.click("#engine");
      await page.wait(`document.querySelectorAll("#lines li").length === 3 && /depth \\d\\d/.test(${text("speed")})`);
      await page.run("scrollTo(0, 0)");
      await isAccessible(page, "analysis");
      await page.picture(`${screen}-${theme}-analysis`);
      await page.click("#engine");
      await page.click("#edit");
      await page.wait("!document.getElementById('editor').hidden");
      await isAccessible(page, "editor");
      await page.picture(`${screen}-${theme}-editor`);
    });
  });
}

test("a game with variations is read and written again", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, PGN);
  await page.wait("document.querySelectorAll('#moves .move').length === 9");
  await page.click("#copy-pgn");
  const written = await page.wait(`document.getElementById("text").value.includes("[Result") && document.getElementById("text").value`);
  assert.match(written.replace(/\s+/g, " "), /1\. e4 \{\[%eval 0\.30\] \[%clk 0:03:00\] \[%csl Ge4\] \[%cal Rd2d4\] best\} 1\.\.\. e5 \(1\.\.\. c5 \$5 2\. Nf3 \(2\. c3 d5\) 2\.\.\. d6\) 2\. Nf3 Nc6 1-0 *$/);
  await read(page, written);
  await page.wait("document.querySelectorAll('#moves .move').length === 9");
  await page.click("#copy-pgn");
  assert.equal(await page.run(`document.getElementById("text").value`), written);
  await read(page, "1. e4 e5 2. Ke3");
  await page.wait(`${text("text-error")}.includes("'Ke3' is not legal")`);
}));

test("the editor says why a position is illegal", () => withPage({}, async (page) => {
  await analysis(page);
  await page.click("#edit");
  await page.click("#edit-empty");
  await page.wait(`${text("edit-error")}.includes("White has 0 kings")`);
  assert.ok(await page.run("document.querySelector('#editor [type=submit]').disabled"));
  for (const [piece, name] of [["white king", "e1"], ["black king", "e8"], ["white pawn", "a7"]]) {
    await page.click(`[aria-label="${piece}"][aria-pressed]`);
    await page.click(square(name));
  }
  await page.wait("document.getElementById('edit-error').hidden && !document.querySelector('#editor [type=submit]').disabled");
  await page.click("#editor [type=submit]");
  await page.wait("location.hash === '#fen=4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1'");
}));

test("the keyboard alone plays, analyses and goes back", () => withPage({}, async (page) => {
  await analysis(page);
  await page.wait(`document.querySelector("${square("e2")}").tabIndex === 0`);
  await page.key("/");
  await page.write("e4");
  await page.key("Enter");
  await page.wait("location.hash === '#moves=e2e4'");
  await page.run("document.activeElement.blur()");
  await page.key("e");
  await page.wait("document.querySelectorAll('#lines li').length === 3");
  await page.key(" ");
  await page.wait("location.hash.split('.').length === 2");
  await page.key("Home");
  await page.wait("location.hash === ''");
  await page.key("f");
  await page.wait("document.querySelector('.square').dataset.square === 'h1'");
}));

test("variations are promoted, deleted and restored", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, "1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *");
  await page.wait("document.querySelectorAll('#moves .move').length === 5");
  const moves = () => page.run("[...document.querySelectorAll('#moves .move')].map((move) => move.textContent).join(' ')");
  await page.run("[...document.querySelectorAll('#moves .move')].find((move) => move.textContent === 'Nf3').click()");
  await page.wait("location.hash === '#moves=e2e4.c7c5.g1f3' && !document.getElementById('promote').disabled");
  await page.click("#promote");
  assert.equal(await moves(), "e4 c5 e5 Nc3 Nf3");
  await page.click("#delete");
  await page.wait("location.hash === '#moves=e2e4.c7c5'");
  assert.equal(await moves(), "e4 c5 e5 Nc3");
  await page.click("#undo");
  await page.wait("document.querySelectorAll('#moves .move').length === 5");
  await page.click("#undo");
  assert.equal(await moves(), "e4 e5 c5 Nf3 Nc3");
}));

test("accuracies match calculations by hand", () => withPage({}, async (page) => {
  await analysis(page);
  const [moves, game] = await page.run(`import("./assets/review.js").then(({ moveAccuracy, gameAccuracy }) =>
    [[-5, 0, 10, 20, 95].map(moveAccuracy), gameAccuracy([50, 50, 30], [[0, 100], [1, 40]])])`);
  assert.deepEqual(moves.map((accuracy) => accuracy.toFixed(2)), ["100.00", "100.00", "64.58", "41.02", "0.00"]);
  assert.ok(Math.abs(game - (450 / 10.5 + 2 / 0.035) / 2) < 1e-9, String(game));
}));

test("a game is reviewed", () => withPage({}, async (page) => {
  await analysis(page, "#moves=e2e4.e7e5.d1h5.e8e7.h5e5");
  await page.wait("document.querySelectorAll('#moves .move').length === 5");
  await page.click("#review");
  await page.wait("!document.getElementById('reviewing').hidden");
  await page.wait(`${text("summary")}.includes("Black: accuracy")`);
  await page.wait("[...document.querySelectorAll('#moves .move')].some((move) => move.textContent === 'Ke7??' && move.title.includes('Better:'))");
  await page.picture("review");
}));

test("a short game is played, and the site works offline", () => withPage({}, async (page) => {
  await page.open(site.address);
  await page.wait("navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)");
  await page.offline();
  await page.open(site.address);
  await page.wait("!document.getElementById('setup').hidden");
  await page.run(`document.querySelector('[name=player][value=random]').click(); ${set("position", "7k/R7/8/8/8/8/1R6/K7 w - - 0 80")}`);
  await page.click("#setup [type=submit]");
  await page.wait("!document.getElementById('play').hidden && document.querySelectorAll('#board .piece').length === 4");
  // Black has a single legal move, to g8, so even the random player is mated.
  await page.click(square("b2"));
  await page.click(square("b6"));
  await page.wait("document.querySelectorAll('.move').length === 2");
  await page.click(square("b6"));
  await page.click(square("b8"));
  await page.wait(`${text("status-text")} === "Checkmate. You win!"`);
  await page.picture("game");
}));

const program = process.env.ALFIERE;
test("alfiere play has the same analysis board", { skip: program ? false : "ALFIERE names no program" }, async () => {
  const server = spawn(program, ["play", "--no-open", "--port", "0"]);
  try {
    const address = await new Promise((found) => {
      const hear = (data) => { const match = /http:\S+/.exec(data); if (match) found(match[0]); };
      server.stdout.on("data", hear);
      server.stderr.on("data", hear);
    });
    await withPage({}, async (page) => {
      await page.open(`${address}analysis#moves=e2e4.e7e5.d1h5.e8e7.h5e5`);
      await page.wait("document.querySelectorAll('#moves .move').length === 5");
      await page.click("#review");
      await page.wait(`${text("summary")}.includes("Black: accuracy")`);
      await page.wait("[...document.querySelectorAll('#moves .move')].some((move) => move.textContent === 'Ke7??')");
      await page.key("Home");
      await page.key("e");
      await page.wait("document.querySelectorAll('#lines li').length === 3");
      await page.picture("play-analysis");
    });
  } finally {
    server.kill();
  }
});

test("a game with a clock: moves, a hint, taking back, and a reload", () => withPage({ screen: "phone" }, async (page) => {
  await page.open(site.address);
  await page.wait("!document.getElementById('setup').hidden");
  await page.run("document.querySelector('[name=time][value=clock]').click()");
  await page.click("#setup [type=submit]");
  await page.wait("!document.getElementById('play').hidden && document.querySelectorAll('.clock').length === 2");
  for (const [index, [from, to]] of [["e2", "e4"], ["d2", "d3"]].entries()) {
    await page.click(square(from));
    await page.click(square(to));
    await page.wait(`document.querySelectorAll('.move').length === ${2 * index + 2}`);
  }
  await page.wait("document.querySelector('.clock.running')?.dataset.side === 'white'");
  await page.click("#hint");
  await page.wait("document.querySelector('.arrow line') !== null");
  await page.picture("phone-game");
  await page.click("#takeback");
  await page.wait("document.querySelectorAll('.move').length === 2");
  await page.open(await page.run("location.href"));
  await page.wait("document.querySelectorAll('.move').length === 2");
  assert.equal(await page.run(text("status-text")), "Your move");
}));
