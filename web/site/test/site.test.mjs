// The static site in a real Chromium, on desktop and phone screens, and the same analysis board in `alfiere play`.
//
//     SITE=FOLDER [ALFIERE=PROGRAM] [PICTURES=FOLDER] [AXE=axe.min.js] [CHROMIUM=PROGRAM] node --test web/site/test/*.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";

import { SCREENS, isAccessible, serve, withPage } from "./browser.mjs";

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

const pause = (milliseconds) => new Promise((later) => setTimeout(later, milliseconds));
/** The seconds on the clock that runs. */
const timeLeft = (page) => page.run("document.querySelector('.clock.running').textContent.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)");

/** Starts a game with this script for the form. */
async function begin(page, choices, address = site.address) {
  await page.open(address);
  await page.wait("!document.getElementById('setup').hidden");
  await page.run(choices);
  await page.click("#setup [type=submit]");
  await page.wait("!document.getElementById('play').hidden && document.querySelectorAll('#board .piece').length > 0");
}

/** Black's king has few moves. */
const ROOKS = `document.querySelector('[name=player][value=random]').click(); ${set("position", "7k/R7/8/8/8/8/1R6/K7 w - - 0 80")}`;

async function type(page, move) {
  await page.click("#typed-move");
  await page.write(move);
  await page.key("Enter");
}

async function analysis(page, hash = "") {
  await page.open(`${site.address}analysis.html${hash}`);
  await page.wait("document.querySelectorAll('#board .piece').length > 0");
}

async function read(page, pgn) {
  await page.run(`document.getElementById("load").open = true; ${set("text", pgn)}`);
  await page.click("#read");
}

/** Drops a file on the page. */
const drop = (page, pgn) => page.run(`(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([${pgn}], "games.pgn"));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
})()`);
const rows = (page) => page.run("[...document.querySelectorAll('#games-list button')].map((button) => button.firstChild.textContent).join(', ')");
const choose = (page, index) => page.run(`document.querySelectorAll("#games-list button")[${index}].click()`);
/** Presses a button of the menu. */
async function press(page, id) {
  await page.run("document.getElementById('menu').open = true");
  await page.click(`#${id}`);
}
/** Where elements are in the window, as text. */
const places = (page, ...selectors) => page.run(`${JSON.stringify(selectors)}.map((name) => { const { x, y, width, height } = document.querySelector(name).getBoundingClientRect(); return [x, y, width, height].map(Math.round).join(" "); }).join(", ")`);

const moveCount = (page, count) => page.wait(`document.querySelectorAll('#moves .move').length === ${count}`);
const moves = (page) => page.run("[...document.querySelectorAll('#moves .move')].map((move) => move.textContent).join(' ')");

/** What a button of "Save or share" copies. */
async function copied(page, button) {
  await page.run(`document.getElementById("share").open = true; ${set("copied", "")}`);
  await page.click(`#${button}`);
  return page.wait(`document.getElementById("copied").value`);
}

const pgnOf = async (page) => (await copied(page, "copy-pgn")).replace(/\s+/g, " ");
const shapes = (page) => page.run("[...document.querySelectorAll('.shapes > *')].map((shape) => `${shape.tagName} ${shape.getAttribute('class')}`).join(', ')");

for (const [screen, theme] of [["desktop", "light"], ["desktop", "dark"], ["phone", "light"], ["phone", "dark"], ["smallPhone", "light"], ["turnedPhone", "light"], ["zoomed", "light"], ["large", "light"]]) {
  test(`the pages fit and can be read: ${screen}, ${theme}`, async () => {
    await withPage({ screen, theme }, async (page) => {
      await page.open(site.address);
      await page.wait("!document.getElementById('setup').hidden");
      await isAccessible(page, "setup");
      await page.picture(`${screen}-${theme}-setup`);
      await page.click("#setup [type=submit]");
      await page.wait("!document.getElementById('play').hidden && document.querySelectorAll('#board .piece').length > 0");
      await page.run("scrollTo(0, 0)");
      await isAccessible(page, "game");
      await page.picture(`${screen}-${theme}-game`);
      await analysis(page);
      await read(page, PGN);
      await page.wait("document.querySelectorAll('#moves .move').length === 9");
      await page.key("ArrowRight");
      await page.wait("document.querySelectorAll('.shapes polygon').length === 1");
      await page.click("#engine");
      await page.wait(`document.querySelectorAll("#lines li").length === 3 && /depth \\d\\d/.test(${text("speed")})`);
      await page.run("scrollTo(0, 0)");
      // The whole board is in the window, as large as it allows, and the moves are, too.
      const [top, bottom, width, movesTop, windowWidth, windowHeight] = await page.run(`(() => {
        const box = document.getElementById("board").getBoundingClientRect();
        return [box.top, box.bottom, box.width, document.getElementById("moves").getBoundingClientRect().top, innerWidth, innerHeight];
      })()`);
      assert.ok(top >= 0 && bottom <= windowHeight, `board from ${top} to ${bottom} in ${windowHeight}`);
      assert.ok(width > 0.9 * windowWidth || width > 0.75 * windowHeight, `board of ${width} in ${windowWidth} x ${windowHeight}`);
      assert.ok(movesTop < windowHeight - 30 || screen === "smallPhone", `moves at ${movesTop} of ${windowHeight}`);
      await isAccessible(page, "analysis");
      await page.picture(`${screen}-${theme}-analysis`);
      await page.click("#engine");
      await press(page, "edit");
      await page.wait("!document.getElementById('editor').hidden");
      await isAccessible(page, "editor");
      await page.picture(`${screen}-${theme}-editor`);
    });
  });
}

test("with everything open every button can be clicked, in windows of every size", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Bxh3 10. gxh3 Na5 11. Bc2 *");
  await moveCount(page, 21);
  await page.click("#review");
  await page.wait(`!document.getElementById("reviewed").hidden`);
  await page.click("#settings");
  await page.run(`${set("line-count", "5")}; document.getElementById("line-count").dispatchEvent(new Event("change"))`);
  await page.click("#engine");
  await page.wait("document.querySelectorAll('#lines li').length === 5");
  for (const screen of ["hd", "laptop", "maximised", "wide", "desktop", "square", "phone", "turnedPhone", "large", "zoomed", "zoomed400"]) {
    await page.send("Emulation.setDeviceMetricsOverride", SCREENS[screen]);
    await page.picture(`open-${screen}`);
    const covered = await page.run(`[...document.querySelectorAll("button, select, summary, a, input")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".lines, #moves, .foot"))
      .filter((element) => {
        element.scrollIntoView({ block: "nearest" });
        const { x, y, width, height } = element.getBoundingClientRect();
        return width < 8 || !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }).map((element) => element.id + element.className + element.textContent)`);
    assert.deepEqual(covered, [], screen);
    const [moves, board, name] = await page.run(`["#moves", "#board", "#player-top .name"].map((name) => { const { width, height } = document.querySelector(name).getBoundingClientRect(); return Math.min(width, height); })`);
    const isSmall = /hone|zoomed/.test(screen);
    assert.ok(moves >= (isSmall ? 90 : 8 * 28) && board > 150 && name > 5, `${screen}: ${moves} ${board} ${name}`);
    // The steps are in the window without scrolling.
    await page.run("scrollTo(0, 0)");
    assert.ok(screen === "zoomed400" || await page.run("document.getElementById('step-forward').getBoundingClientRect().bottom <= innerHeight"), screen);
  }
}));

test("names, ratings, clocks and the result are beside the board, and moves are one tab stop", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, PGN.replace("[Black", '[WhiteElo "2855"]\n[Black'));
  await moveCount(page, 9);
  await page.key("ArrowRight");
  await page.wait("document.querySelector('#player-bottom .clock').textContent === '3:00'");
  const strips = "['top', 'bottom'].map((name) => [...document.querySelectorAll(`#player-${name} .who > :not(.dot)`)].map((part) => part.textContent).join(' ').trim()).join(', ')";
  assert.equal(await page.run(strips), "0 B, 1 A 2855");
  await page.key("f");
  assert.equal(await page.run(strips), "1 A 2855, 0 B");
  assert.equal(await page.run("document.querySelectorAll('#moves [tabindex=\"0\"]').length"), 1);
  assert.equal(await page.run("document.querySelectorAll('h1').length - document.querySelectorAll('[hidden] h1').length"), 1);
  // A reload keeps the side below.
  await page.wait("location.hash === '#moves=e2e4&side=black'");
  await page.open(await page.run("location.href"));
  await page.wait(`document.querySelectorAll('#moves .move').length === 9 && ${strips} === "1 A 2855, 0 B"`);
}));

test("the keyboard's focus hides no piece, and forced colours keep the board", () => withPage({}, async (page) => {
  const middle = async (name) => {
    const at = await page.run(`(() => { const { x, y, width } = document.querySelector("[data-square=${name}]").getBoundingClientRect(); return { x: x + width / 4, y: y + width / 4, width: width / 2, height: width / 2, scale: 1 }; })()`);
    return (await page.send("Page.captureScreenshot", { clip: at })).data;
  };
  await analysis(page);
  const before = await middle("e1");
  await page.run("document.querySelector('[data-square=e2]').focus()");
  await page.key("ArrowDown");
  await page.wait("document.activeElement.matches('[data-square=e1]:focus-visible')");
  assert.equal(await middle("e1"), before);
  await page.run("document.activeElement.blur()");
  await page.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
  assert.equal(await middle("e1"), before);
}));

test("the board is made smaller by its handle", () => withPage({}, async (page) => {
  const width = () => page.run("document.getElementById('board').clientWidth");
  await analysis(page);
  const whole = await width();
  await page.run("document.querySelector('.handle').focus()");
  for (let step = 0; step < 4; step += 1) await page.key("ArrowDown");
  assert.ok(Math.abs(await width() - 0.8 * whole) <= 1, `${await width()} of ${whole}`);
  await page.open(`${site.address}analysis.html`);
  await page.wait("document.querySelectorAll('#board .piece').length > 0");
  assert.ok(Math.abs(await width() - 0.8 * whole) <= 1);
}));

test("nothing moves while positions are shown", () => withPage({}, async (page) => {
  const fixed = ["#moves", "#steps", "#review", "#typed", "#lines"];
  await analysis(page);
  await read(page, PGN);
  await moveCount(page, 9);
  await page.click("#engine");
  await page.wait("document.querySelectorAll('#lines li').length === 3");
  const before = await places(page, ...fixed);
  for (const _ of "123") {
    await page.key("ArrowRight");
    // The lines of the position before are gone at once: they would be wrong moves.
    assert.ok(await page.run("document.querySelectorAll('#lines li').length === 0"));
    assert.equal(await places(page, ...fixed), before);
    await page.wait("document.querySelectorAll('#lines li').length === 3");
    assert.equal(await places(page, ...fixed), before);
  }
}));

test("the opening has its name, by position, and the other side's threat is shown", () => withPage({}, async (page) => {
  // Another order of the moves of 1. e4 e5 2. Nf3 Nc6 3. Bc4.
  await analysis(page, "#moves=e2e4.e7e5.f1c4.b8c6.g1f3.a7a6");
  await page.wait(`${text("opening")} === "C50 Italian Game"`);
  await analysis(page, "#fen=rnbqkbnr/pppp1ppp/8/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR_b_KQkq_-_3_3");
  await page.run("document.activeElement.blur()");
  await page.key("x");
  await page.wait(`${text("lines")}.includes("Qxf7#") && ${text("speed")}.startsWith("threat")`);
  await page.click("#lines button");
  await page.wait(`${text("moves")}.includes("Qxf7#") && ${text("moves")}.includes("--")`);
}));

test("a game with variations is read and written again", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, PGN);
  await page.wait("document.querySelectorAll('#moves .move').length === 9");
  const written = await copied(page, "copy-pgn");
  assert.match(written.replace(/\s+/g, " "), /1\. e4 \{\[%eval 0\.30\] \[%clk 0:03:00\] \[%csl Ge4\] \[%cal Rd2d4\] best\} 1\.\.\. e5 \(1\.\.\. c5 \$5 2\. Nf3 \(2\. c3 d5\) 2\.\.\. d6\) 2\. Nf3 Nc6 1-0 *$/);
  await read(page, written);
  await page.wait("document.querySelectorAll('#moves .move').length === 9");
  assert.equal(await copied(page, "copy-pgn"), written);
  await read(page, "1. e4 e5 2. Ke3");
  await page.wait(`${text("game-error")} === "The moves end at line 1: 2. Ke3: no such move."`);
}));

test("the editor says why a position is illegal", () => withPage({}, async (page) => {
  await analysis(page);
  await press(page, "edit");
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

test("moves sound once sounds are switched on, and the choice is kept", () => withPage({}, async (page) => {
  const listen = `tones = 0; start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (...words) { tones += 1; start.apply(this, words); }`;
  await analysis(page);
  await page.run(listen);
  await page.drag("e2", "e4");
  await moveCount(page, 1);
  assert.equal(await page.run("tones"), 0);
  await page.key("s");
  await page.wait("tones === 1 && document.querySelector('#sounds[aria-pressed=true]')");
  await page.drag("e7", "e5");
  await moveCount(page, 2);
  assert.equal(await page.run("tones"), 2);
  await begin(page, ROOKS);
  await page.run(listen);
  await type(page, "Rb3");
  await moveCount(page, 2);
  assert.ok(await page.run("tones > 1"));
}));

test("variations are promoted, deleted and restored", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, "1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *");
  await page.wait("document.querySelectorAll('#moves .move').length === 5");
  await page.run("[...document.querySelectorAll('#moves .move')].find((move) => move.textContent === 'Nf3').click()");
  await page.wait("location.hash === '#moves=e2e4.c7c5.g1f3' && !document.getElementById('promote').disabled");
  await press(page, "promote");
  assert.equal(await moves(page), "e4 c5 e5 Nc3 Nf3");
  await press(page, "delete");
  await page.wait("location.hash === '#moves=e2e4.c7c5'");
  assert.equal(await moves(page), "e4 c5 e5 Nc3");
  await page.click("#undo");
  await page.wait("document.querySelectorAll('#moves .move').length === 5");
  await page.click("#undo");
  assert.equal(await moves(page), "e4 e5 c5 Nf3 Nc3");
}));

test("a game is reviewed, and the review is kept", () => withPage({}, async (page) => {
  const game = "#moves=e2e4.e7e5.d1h5.e8e7.h5e5";
  await analysis(page, game);
  await moveCount(page, 5);
  await page.click("#review");
  await page.wait("!document.getElementById('progress').hidden");
  await page.wait(`!document.getElementById("reviewed").hidden && ${text("summary")}.includes("Black: accuracy")`);
  const pgn = await pgnOf(page);
  assert.match(pgn, /2\.\.\. Ke7 \$4 \{\[%eval #1\] \[%cal Bh5e5\] Blunder \(.* → M1\): \S+ was better\. Answer: 3\. Qxe5#\} \(2\.\.\. /);
  const summary = await page.run(text("summary"));
  const check = async () => {
    await page.wait(`${text("summary")} === ${JSON.stringify(summary)}`);
    assert.ok(await page.run("document.querySelectorAll('.curve-bad.blunder').length === 1"));
    // The list of the worst moves leads to the move, its reason with lines, and an arrow for the answer.
    await page.run("[...document.querySelectorAll('#worst button')].find((button) => button.textContent.includes('Ke7')).click()");
    await page.wait(`/^Blunder \\(.* → M1\\)\\. Answer: 3\\. Qxe5# Better: 2… /.test(${text("judged")})`);
    await page.wait("document.querySelectorAll('.shapes line.blue').length === 1");
  };
  await check();
  await page.picture("review");
  await page.run("[...document.querySelectorAll('#judged button')].find((button) => button.textContent === '3. Qxe5#').click()");
  await page.wait(`location.hash === "${game}"`);
  // It survives a reload, and its own PGN.
  await page.open(await page.run("location.href"));
  await check();
  await page.run("sessionStorage.clear()");
  await analysis(page);
  await read(page, pgn);
  await page.wait("!document.getElementById('load').open");
  await check();
  // The mistake is offered as a task: the answer is hidden, and moves are judged.
  await page.run("document.activeElement.blur()");
  await page.key("ArrowLeft");
  await page.wait("location.hash === '#moves=e2e4.e7e5.d1h5'");
  await page.run("document.getElementById('puzzle').click()");
  await page.wait(`${text("judged")} === "Find a better move than 2… Ke7."`);
  assert.equal(await page.run("getComputedStyle(document.querySelector('#moves .variation')).visibility"), "hidden");
  await type(page, "Ke7");
  await page.wait(`${text("judged")}.startsWith("2… Ke7 was the mistake.")`);
  await page.run("document.activeElement.blur()");
  await page.key("ArrowLeft");
  await type(page, "g6");
  await page.wait(`/^2… g6 is a (mistake|blunder), too\\./.test(${text("judged")})`);
  await page.run("document.activeElement.blur()");
  await page.key("ArrowLeft");
  await type(page, "Nc6");
  await page.wait(`/^2… Nc6 is (the best|a good) move\\.$/.test(${text("judged")})`);
}));

test("a review can be cancelled, and leaves the game as it was", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, PGN);
  await moveCount(page, 9);
  const before = await pgnOf(page);
  await page.click("#review");
  await page.wait(`${text("speed")}.startsWith("Reviewing position 2 ")`);
  assert.ok(await page.run("document.getElementById('engine').disabled"));
  await page.click("#review");
  await page.wait(`document.getElementById("progress").hidden && ${text("review")} === "Review the game"`);
  assert.equal(await pgnOf(page), before);
  // Another game ends a review, too, and the engine answers again.
  await page.click("#review");
  await page.wait("!document.getElementById('progress').hidden");
  await read(page, "1. d4 d5 *");
  await page.wait("document.getElementById('progress').hidden");
  await page.click("#engine");
  await page.wait("document.querySelectorAll('#lines li').length === 3");
  assert.equal(await moves(page), "d4 d5");
  assert.ok(await page.run("document.getElementById('reviewed').hidden"));
}));

test("a review goes on after another game, and after a reload", () => withPage({}, async (page) => {
  const game = "#moves=e2e4.e7e5.g1f3.f7f6.f3e5.f6e5.d1h5.e8e7.h5e5.e7f7.f1c4.d7d5";
  const reviewed = async () => {
    await page.wait(`${text("summary")}.includes("Black: accuracy") && document.getElementById("progress").hidden`);
    return pgnOf(page);
  };
  await analysis(page, game);
  await moveCount(page, 12);
  await page.click("#review");
  const whole = await reviewed();
  await page.open(`${site.address}assets/base.css`);
  await page.run("sessionStorage.clear()");
  await analysis(page, game);
  await moveCount(page, 12);
  await page.click("#review");
  await page.wait(`${text("speed")}.startsWith("Reviewing position 2 ")`);
  await read(page, "1. d4 d5 *");
  await moveCount(page, 2);
  await page.click("#undo");
  await page.wait(`${text("speed")}.startsWith("Reviewing position ")`);
  const here = await page.run("location.href");
  await page.open(`${site.address}assets/base.css`);
  // What is known is not searched again.
  await page.run("(() => { const kept = JSON.parse(localStorage.getItem('review')); kept.positions[0].evaluation.cp += 1; localStorage.setItem('review', JSON.stringify(kept)); })()");
  await page.open(here);
  assert.equal(await reviewed(), whole.replace(/%eval (\S+)\]/, (_, value) => `%eval ${(Number(value) + 0.01).toFixed(2)}]`));
  assert.equal(await page.run("localStorage.getItem('review')"), "null");
}));

test("arrows and squares are drawn with the right button, and removed in the same way", () => withPage({}, async (page) => {
  await analysis(page);
  await page.drag("e2", "e4", { button: "right" });
  await page.drag("d5", "d5", { button: "right", shift: true });
  assert.equal(await shapes(page), "line green, polygon green, circle red");
  assert.match(await pgnOf(page), /\{\[%csl Rd5\] \[%cal Ge2e4\]\} \*/);
  await page.drag("e2", "e4", { button: "right" });
  assert.equal(await shapes(page), "circle red");
  await page.click("#undo");
  assert.equal(await shapes(page), "line green, polygon green, circle red");
  // The engine's arrow goes with the engine.
  await page.click("#engine");
  await page.wait("document.querySelectorAll('.arrow:not(.shapes) line').length === 3");
  await page.click("#engine");
  await page.wait("document.querySelectorAll('.arrow:not(.shapes) line').length === 0");
}));

test("arrows are drawn on a touch screen", () => withPage({ screen: "phone" }, async (page) => {
  await analysis(page);
  await page.run("document.getElementById('notes').open = true");
  await page.tap("#pens .blue");
  await page.swipe("g1", "f3");
  await page.swipe("e4", "e4");
  assert.equal(await shapes(page), "line blue, polygon blue, circle blue");
  await page.picture("phone-arrows");
  // Without a colour the finger moves pieces again.
  await page.tap("#pens .blue");
  await page.swipe("g1", "f3");
  await page.wait("location.hash === '#moves=g1f3'");
}));

test("a comment and a sign are written", () => withPage({}, async (page) => {
  await analysis(page, "#moves=e2e4");
  await moveCount(page, 1);
  await page.run("document.getElementById('notes').open = true");
  await page.click("#glyphs [aria-label=Good]");
  await page.click("#comment");
  await page.write("The best } by test");
  // A move on the board and an arrow keep what is being written.
  await page.drag("d1", "h5", { button: "right" });
  await page.drag("e7", "e5");
  await moveCount(page, 2);
  assert.equal(await page.run("document.getElementById('comment').value"), "");
  assert.match(await pgnOf(page), /1\. e4 \$1 \{\[%cal Gd1h5\] The best by test\} 1\.\.\. e5 \*/);
  await page.key("ArrowLeft");
  await page.wait("document.getElementById('comment').value === 'The best } by test'");
  // The move, the arrow and the comment are undone one by one.
  for (let step = 0; step < 3; step += 1) await page.click("#undo");
  assert.match(await pgnOf(page), / 1\. e4 \$1 \* $/);
}));

test("one of several games is chosen", () => withPage({}, async (page) => {
  await analysis(page);
  assert.ok(await page.run("document.getElementById('load').open"));
  const games = ["e4 e5", "d4 d5 2. c4", "c4"].map((line, index) => `[White "W${index}"]\n[Black "B${index}"]\n\n1. ${line} *\n`);
  await read(page, games.join("\n"));
  await page.wait("location.hash === '' && document.querySelectorAll('#moves .move').length === 2");
  assert.equal(await rows(page), "1. W0 – B0, 2. W1 – B1, 3. W2 – B2");
  await choose(page, 1);
  await moveCount(page, 3);
  assert.equal(await moves(page), "d4 d5 c4");
  assert.match(await pgnOf(page), /\[White "W1"\]/);
  // Copying leaves the games; another text starts with its first game.
  await choose(page, 2);
  await moveCount(page, 1);
  await read(page, "1. Nf3 d5 2. g3 c5 *");
  await moveCount(page, 4);
  assert.ok(await page.run("document.getElementById('games').hidden"));
}));

test("the explorer counts what was played from a position in the games found, and a reload keeps the games", () => withPage({}, async (page) => {
  const explored = "[...document.querySelectorAll('#explorer tr, #explorer p')].map((row) => row.textContent).join(', ')";
  await analysis(page);
  await page.click("#explore");
  await page.wait(`${explored}.startsWith("Open a file")`);
  const games = ["e4 e5 Nf3 Nc6 1-0", "Nf3 e5 e4 d6 0-1", "e4 e5 Nf3 (Nc3 Nf6) Nc6 1/2-1/2", "d4 *"];
  await read(page, games.map((line, index) => `[White "W${index}"]\n[Black "B"]\n\n${line}\n`).join("\n"));
  await page.wait(`${explored} === "4 of 4 games, e4250%50%, Nf31100%, d41"`);
  await isAccessible(page, "explorer");
  // By position: the second game has another order of moves.
  await page.run("document.querySelector('#explorer tr button').click()");
  await page.wait(`${explored} === "2 of 4 games, e5250%50%"`);
  await page.key("End");
  await page.run("document.querySelectorAll('#moves .move')[2].click()");
  await page.wait(`${explored} === "3 of 4 games, Nc6250%50%, d61100%"`);
  await page.run("[...document.querySelectorAll('#explorer .games button')].find((button) => button.textContent.startsWith('2. W1')).click()");
  await page.wait("location.hash === '#moves=g1f3.e7e5.e2e4'");
  // The list's search chooses the games that count.
  await page.run(`${set("games-filter", "w0")}; document.getElementById("games-filter").dispatchEvent(new Event("input"))`);
  await page.wait(`${explored} === "1 of 1 games, Nc61100%"`);
  await page.open(await page.run("location.href"));
  await page.wait(`${text("games-title")} === "4 games"`);
  assert.match(await page.run("document.querySelector('#games-list [aria-pressed=true]').textContent"), /^2\. W1/);
  await page.click("#explore");
  await page.wait(`${explored}.startsWith("3 of 4 games, ")`);
}));

test("games, scores and comments are those that the programs read", () => withPage({}, async (page) => {
  await analysis(page);
  for (const [pgn, games, written] of [
    ['[Event "x"]\n[BlackType: "human"]\n[White "a"]\n[Black "b"]\n\n1. e4 e5 1-0', "1. a – b", / 1\. e4 e5 1-0 $/],
    ['[White "a"] [Black "b"] 1. e4 d5 1-0\n[White "c"] [Black "d"] 1. d4 d5 0-1', "1. a – b, 2. c – d", / 1\. e4 d5 1-0 $/],
    ["1. c4 {[%eval 17,20]} e5 {[%eval #+3] [%eval ?]} *", "1. Game", / 1\. c4 \{\[%eval 0\.17\]\} 1\.\.\. e5 \{\[%eval #3\]\} \* $/],
    ["1. d4 {[%eval ?]} d5 (\n; maybe } better\n1... c5) 2. Nf3 *", "1. Game", / 1\. d4 \{\[%eval \?\]\} 1\.\.\. d5 \(\{maybe better\} 1\.\.\. c5\) 2\. Nf3 \* $/],
    ["{Of a} 1. Nf3 d5 ½-½ 1. g3 e5* {Of none}", "1. Game, 2. Game", /\[Result "1\/2-1\/2"\] \{Of a\} 1\. Nf3 d5 1\/2-1\/2 $/],
  ]) {
    await read(page, pgn);
    await page.wait(`document.querySelector("#moves .move")?.textContent === ${JSON.stringify(/1\. (\w+)/.exec(pgn)[1])}`);
    assert.equal(await rows(page), games);
    assert.match(await pgnOf(page), written);
  }
  await choose(page, 1);
  await moveCount(page, 2);
  assert.equal(await moves(page), "g3 e5");
}));

test("a link restores the whole tree, and the position", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, PGN);
  await moveCount(page, 9);
  await page.run("[...document.querySelectorAll('#moves .move')].find((move) => move.textContent === 'd5').click()");
  await page.wait("location.hash === '#moves=e2e4.c7c5.c2c3.d7d5'");
  const pgn = await pgnOf(page);
  const link = await copied(page, "copy-link");
  assert.match(link, /analysis\.html#tree=[\w-]+&moves=e2e4\.c7c5\.c2c3\.d7d5$/);
  await page.run("sessionStorage.clear()");
  await page.open(link);
  await page.wait("location.hash === '#moves=e2e4.c7c5.c2c3.d7d5'");
  assert.equal(await pgnOf(page), pgn);
  // A reload keeps the tree, and a broken link says so.
  await page.open(await page.run("location.href"));
  await moveCount(page, 9);
  await page.open(link.replace("#tree=", "#tree=AAAA"));
  await page.wait(`${text("toast")} === "The link is not complete."`);
}));

test("a file is opened, and the game is saved as a file", () => withPage({}, async (page) => {
  const folder = mkdtempSync(join(tmpdir(), "alfiere-files-"));
  try {
    writeFileSync(join(folder, "in.pgn"), PGN);
    await analysis(page);
    await page.choose("#file", join(folder, "in.pgn"));
    await moveCount(page, 9);
    await page.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
    await page.run("document.getElementById('share').open = true");
    await page.click("#save");
    const written = await page.until(() => readFile(join(folder, "A-B.pgn"), "utf8").catch(() => ""));
    assert.equal(written, await copied(page, "copy-pgn"));
  } finally {
    rmSync(folder, { recursive: true });
  }
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
  assert.ok(await page.run("document.getElementById('takeback').disabled && document.querySelector('.bar-text').textContent === '#'"));
  await page.click("#share summary");
  // Evaluations arrive in the field, too, also those of positions that the game has left.
  const pgn = await page.until(() => page.run("document.getElementById('pgn').value").then((text) => text.split("[%eval").length === 3 && text));
  assert.match(pgn.replace(/\s+/g, " "), /\[Result "1-0"\] \[TimeControl "-"\] \[Termination "normal"\] \[SetUp "1"\] .* 80\. Rb6 \{\[%eval #\d\]\} 80\.\.\. Kg8 \{\[%eval #1\]\} 81\. Rb8# \{checkmate\} 1-0 $/);
}));

test("evaluations that arrive after the last move are in the PGN", () => withPage({}, async (page) => {
  await begin(page, set("position", "1. e4 e5 2. Nf3 Nc6"));
  await page.wait("document.getElementById('pgn').value.split('[%eval').length === 5");
  await page.wait("document.getElementById('review').href.includes('#tree=')");
  await page.open(await page.run("document.getElementById('analyse').href"));
  await moveCount(page, 4);
  assert.equal((await pgnOf(page)).split("[%eval").length, 5);
}));

const program = process.env.ALFIERE;
const needsProgram = { skip: program ? false : "ALFIERE names no program" };

/** Starts `alfiere play` on a port, 0 for any; returns `{address, stop}`. */
async function startProgram(port = 0, ...words) {
  const server = spawn(program, ["play", "--no-open", "--port", String(port), ...words]);
  const ended = new Promise((over) => server.on("exit", over));
  const address = await new Promise((found) => {
    const hear = (data) => { const match = /http:\S+/.exec(data); if (match) found(match[0]); };
    server.stdout.on("data", hear);
    server.stderr.on("data", hear);
  });
  return { address, stop: () => { server.kill("SIGKILL"); return ended; } };
}

const labels = (page) => page.run("[...document.querySelectorAll('.label')].map((label) => label.textContent + label.style.transform).sort().join()");

test("alfiere play has the same analysis board", needsProgram, async () => {
  const { address, stop } = await startProgram();
  try {
    const reviewed = (page) => async (place) => {
      await page.open(`${place}#moves=e2e4.e7e5.d1h5.e8e7.h5e5`);
      await moveCount(page, 5);
      await page.click("#review");
      await page.wait(`${text("summary")}.includes("Black: accuracy")`);
      return pgnOf(page);
    };
    await withPage({}, async (page) => {
      const [ours, sites] = [await reviewed(page)(`${address}analysis`), await reviewed(page)(`${site.address}analysis.html`)];
      assert.equal(ours, sites);
      // The network's view, while the engine searches.
      const view = async (place) => {
        await page.open(`${place}#moves=d2d4`);
        await moveCount(page, 1);
        if (place.startsWith(address)) assert.equal(await page.run("document.getElementById('thread-count').length"), availableParallelism());
        await page.key("e");
        await page.wait("document.querySelectorAll('#lines li').length === 3");
        await page.run("document.getElementById('parts').click()");
        await page.wait("document.querySelectorAll('.label').length === 30");
        await page.picture("play-analysis");
        return labels(page);
      };
      assert.equal(await view(`${address}analysis`), await view(`${site.address}analysis.html`));
    });
  } finally {
    await stop();
  }
});

test("a program that is started again is found again, and pieces stay without it", needsProgram, async () => {
  let { address, stop } = await startProgram();
  try {
    await withPage({}, async (page) => {
      await page.open(`${address}analysis`);
      await page.wait("document.querySelectorAll('#board .piece').length === 32");
      await page.click("#engine");
      await page.wait("document.querySelectorAll('#lines li').length === 3");
      await stop();
      // A position without the program: the pieces are part of the page, and nothing is asked for.
      await page.run("location.hash = 'fen=rnbq1bnr/ppppkppp/8/4Q3/4P3/8/PPPP1PPP/RNB1KBNR_b_KQ_-_0_3'");
      await page.wait("!document.getElementById('toast').hidden");
      await type(page, "e4");
      assert.equal(await page.run(`[...document.querySelectorAll("use")].filter((use) => !document.querySelector(use.getAttribute("href"))).length`), 0);
      assert.equal(await page.run("document.querySelectorAll('#board .piece').length"), 32);
      ({ stop } = await startProgram(new URL(address).port));
      await page.wait("document.querySelectorAll('#lines li').length === 3");
      await page.run("document.activeElement.blur()");
      await page.drag("e2", "e4");
      await moveCount(page, 1);
      // A network that was dropped is read again after another start.
      await page.choose("#file", resolve("nets/perceptron.nnue"));
      await page.wait("document.querySelectorAll('#other-lines li').length === 3 && !document.getElementById('other-bar').hidden");
      await page.run("document.getElementById('parts').click()");
      await page.wait("document.querySelectorAll('.label b.other').length === 30");
      assert.match(await page.run(text("totals")), /^Network: [+−]?\d.* · perceptron\.nnue: [+−]?\d/);
      await page.picture("two-networks");
      await stop();
      ({ stop } = await startProgram(new URL(address).port));
      await page.run("document.activeElement.blur()");
      await page.drag("e7", "e5");
      await page.wait("document.querySelectorAll('#other-lines li').length === 3 && document.querySelectorAll('#moves .move').length === 2");
    });
  } finally {
    await stop();
  }
});

test("a review goes on when the program runs again", needsProgram, async () => {
  let { address, stop } = await startProgram();
  const reviewed = (during = () => {}) => withPage({}, async (page) => {
    await page.open(`${address}analysis#moves=e2e4.e7e5.d1h5.e8e7.h5e5`);
    await moveCount(page, 5);
    await page.click("#review");
    await during(page);
    await page.wait(`${text("summary")}.includes("Black: accuracy")`);
    return pgnOf(page);
  });
  try {
    const whole = await reviewed();
    assert.equal(await reviewed(async (page) => {
      await page.wait(`${text("speed")}.startsWith("Reviewing position 3 ")`);
      await stop();
      await page.wait("!document.getElementById('toast').hidden && !document.getElementById('progress').hidden");
      ({ stop } = await startProgram(new URL(address).port));
    }), whole);
  } finally {
    await stop();
  }
});

test("the values of the pieces are those of the player that evaluates", needsProgram, async () => {
  const { address, stop } = await startProgram();
  try {
    await withPage({}, async (page) => {
      await page.open(`${address}analysis#moves=e2e4`);
      await moveCount(page, 1);
      await page.click("#parts");
      await page.wait("document.querySelectorAll('.label').length === 30");
      const network = await labels(page);
      await page.run(`${set("evaluator", "perceptron")}; document.getElementById("evaluator").dispatchEvent(new Event("change"))`);
      await page.wait(`${text("totals")}.startsWith("Simple network: ")`);
      assert.notEqual(await labels(page), network);
      // In a game, too.
      await begin(page, "document.querySelector('[name=player][value=perceptron]').click()", address);
      await page.click("#parts");
      await page.wait("document.querySelectorAll('.label').length === 30");
      const perceptron = await labels(page);
      await begin(page, "document.querySelector('[name=player][value=nnue]').click()", address);
      await page.click("#parts");
      await page.wait("document.querySelectorAll('.label').length === 30");
      assert.notEqual(await labels(page), perceptron);
      await page.open(`${address}tournament`);
      await page.wait("document.querySelector('#table p') !== null");
    });
  } finally {
    await stop();
  }
});

test("a game that another replaces comes back by undo, also after a reload", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, PGN);
  await moveCount(page, 9);
  const first = await pgnOf(page);
  await press(page, "edit");
  await page.click("#edit-start");
  await page.click("#editor [type=submit]");
  await moveCount(page, 0);
  await page.run("document.activeElement.blur()");
  const paste = (text) => page.run(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", ${JSON.stringify(text)});
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await paste("1. d4 d5 2. c4 *");
  await moveCount(page, 3);
  await paste("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1");
  await page.wait("document.querySelectorAll('#board .piece').length === 3");
  await page.wait("location.hash.startsWith('#fen=')");
  await page.open(await page.run("location.href"));
  await page.wait("document.querySelectorAll('#board .piece').length === 3");
  const ctrl = (key, modifiers = 2) => page.send("Input.dispatchKeyEvent", { type: "keyDown", key, modifiers, code: "KeyZ", windowsVirtualKeyCode: 90 });
  await ctrl("z");
  await moveCount(page, 3);
  await ctrl("z");
  await moveCount(page, 9);
  assert.equal(await pgnOf(page), first);
  await ctrl("Z", 10);
  await moveCount(page, 3);
}));

test("walks of a user lose no game and no piece", () => withPage({}, async (page) => {
  await analysis(page);
  let seed = 7;
  const random = (count) => { seed = (48271 * seed) % 2147483647; return seed % count; };
  const made = [];
  const name = () => { made.push(`Walker ${made.length}`); return `[White "${made.at(-1)}"]\n\n1. ${["e4 e5", "d4 d5 2. c4", "c4"][random(3)]} *`; };
  const paste = (pgn) => page.run(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", ${JSON.stringify(pgn)});
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  const click = (id) => page.run(`document.getElementById("${id}").click()`);
  const acts = [
    () => page.run("(() => { const cells = [...document.querySelectorAll('.square')]; for (const cell of cells) { cell.focus(); cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })); if (document.querySelector('.target')) break; } document.querySelector('.target')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })); document.activeElement.blur(); })()"),
    () => click("step-back"), () => click("step-forward"), () => click("step-last"), () => click("undo"), () => click("redo"), () => click("flip"), () => click("engine"),
    async () => { if (made.length < 12) await paste(name()); },
    async () => { await click("edit"); await pause(20); await page.run(`document.getElementById("edit-${["cancel", "start"][random(2)]}").click(); document.querySelector("#editor [type=submit]").click()`); },
    async () => { await pause(350); await page.open(await page.run("location.href")); await page.wait("document.querySelectorAll('#board .piece').length > 0"); },
  ];
  await paste(name());
  await moveCount(page, (await page.run("1"), await page.wait("document.querySelectorAll('#moves .move').length")));
  for (let step = 0; step < 200; step += 1) {
    await acts[random(acts.length)]();
    if (step % 10) continue;
    await pause(200);
    if (await page.run("!document.getElementById('editor').hidden")) await click("edit-cancel");
    // The board shows what the address says.
    await page.wait(`(() => {
      const pieces = document.querySelectorAll("#board > .pieces > .piece").length;
      const words = [...document.querySelectorAll(".square")].filter((square) => !square.ariaLabel.includes("empty")).length;
      return pieces === words && pieces >= 28;
    })()`);
  }
  await pause(400);
  const boards = await page.run("JSON.parse(sessionStorage.getItem('analysis')).boards.map(({ pgn }) => pgn).join(' ')");
  for (const player of made) assert.ok(boards.includes(player), `${player} of ${made.length} is lost`);
}));

test("castling is a click or tap on the rook, too", async () => {
  const fen = (text) => `#fen=${text.replaceAll(" ", "_")}`;
  for (const [screen, press] of [["desktop", "click"], ["phone", "tap"]]) {
    await withPage({ screen }, async (page) => {
      for (const [start, from, to, hash] of [
        ["rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1", "b1", "e1", "b1e1"],
        ["r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", "e1", "a1", "e1c1"],
      ]) {
        await analysis(page, fen(start));
        await page.wait(`document.querySelector("${square("a2")}").ariaLabel.includes("pawn")`);
        await pause(300);
        await page[press](square(from));
        await page[press](square(to));
        await page.wait(`location.hash.endsWith("moves=${hash}")`);
      }
    });
  }
});

test("after a wrong try the answer stays hidden, and tries are not saved; no threat during a review", () => withPage({}, async (page) => {
  await analysis(page, "#moves=e2e4.e7e5.d1h5.e8e7.h5e5");
  await moveCount(page, 5);
  await page.click("#review");
  await page.wait("!document.getElementById('progress').hidden");
  await page.run("document.activeElement.blur()");
  await page.key("x");
  assert.ok(await page.run("document.getElementById('threat').ariaPressed === 'false'"));
  await page.wait(`!document.getElementById("reviewed").hidden && document.getElementById("progress").hidden`);
  const pgn = await pgnOf(page);
  await page.run("document.activeElement.blur()");
  for (const _ of "12") await page.key("ArrowLeft");
  await page.click("#puzzle");
  await page.wait(`${text("judged")} === "Find a better move than 2… Ke7."`);
  // The board is turned to the player whose mistake it was.
  assert.equal(await page.run("document.querySelector('.square').dataset.square"), "h1");
  await type(page, "g6");
  await page.wait(`/too\\./.test(${text("judged")})`);
  assert.equal(await page.run("getComputedStyle(document.querySelector('#moves .variation')).visibility"), "hidden");
  assert.equal(await pgnOf(page), pgn);
  await page.run("document.activeElement.blur()");
  await page.key("ArrowLeft");
  await type(page, "Nc6");
  await page.wait(`/^2… Nc6 is (the best|a good) move\\.$/.test(${text("judged")})`);
  assert.equal(await page.run("getComputedStyle(document.querySelector('#moves .variation')).visibility"), "visible");
}));

test("the space bar plays the best move after a click, and the engine is as it was left", () => withPage({}, async (page) => {
  await analysis(page);
  await page.click("#settings");
  await page.run(`${set("line-count", "2")}; document.getElementById("line-count").dispatchEvent(new Event("change"))`);
  await page.click("#engine");
  await page.wait("document.querySelectorAll('#lines li').length === 2");
  await page.key(" ");
  await moveCount(page, 1);
  assert.ok(await page.run("document.getElementById('engine').ariaPressed === 'true'"));
  await page.wait("location.hash !== ''");
  await analysis(page);
  await page.wait("document.querySelectorAll('#lines li').length === 2 && document.getElementById('engine').ariaPressed === 'true'");
  // The position after a move of a line is shown beside it.
  await page.run("document.querySelector('#lines li span button').dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))");
  assert.ok(await page.run("document.querySelectorAll('#preview use').length === 32 && !document.getElementById('preview').hidden"));
  await page.click("#lines .fold");
  assert.ok(await page.run("document.querySelector('#lines .whole').clientHeight > 0"));
}));

test("small things: gaps in the graph, Escape, promotion, names, errors, a dead draw, signs", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, "1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Nf3 Nc6 3. Bb5 {[%eval 0.1]} a6 {[%eval 0.3]} *");
  await moveCount(page, 6);
  await page.key("End");
  await page.wait("document.querySelectorAll('.curve-line').length === 2");
  await page.key("/");
  await page.key("Escape");
  assert.equal(await page.run("document.activeElement.tagName"), "BODY");
  await read(page, "7k/P7/8/8/8/8/8/K7 w - - 0 1");
  await page.wait("document.querySelectorAll('#board .piece').length === 3");
  await type(page, "a8");
  await page.wait(`${text("moves")}.includes("a8=Q+")`);
  await read(page, '[White "Polgár, Judit"]\n\n1. e4 e5 2. Ke3 *\n\n[White "Kasparow"]\n\n1. d4 $14 *\n');
  await page.wait("!document.getElementById('game-error').hidden");
  await page.run(`${set("games-filter", "polgar")}; document.getElementById("games-filter").dispatchEvent(new Event("input"))`);
  assert.equal(await rows(page), "1. Polgár, Judit – ?");
  await page.run(`${set("games-filter", "")}; document.getElementById("games-filter").dispatchEvent(new Event("input"))`);
  await page.click("#game-forward");
  await page.wait(`${text("moves")}.includes("d4+=")`);
  await read(page, "nonsense");
  await page.wait("!document.getElementById('text-error').hidden && document.getElementById('game-error').hidden");
  await read(page, "8/8/4k3/8/8/4K3/8/8 w - - 0 1");
  await page.wait("document.querySelectorAll('#board .piece').length === 2");
  await page.run("document.activeElement.blur()");
  await page.key("e");
  await page.wait(`${text("speed")}.includes("1/2-1/2")`);
}));

test("moves that follow each other faster than the answers are all played", needsProgram, async () => {
  const { address, stop } = await startProgram();
  try {
    await withPage({}, async (page) => {
      await page.open(`${address}analysis`);
      await page.wait("document.querySelectorAll('#board .piece').length === 32");
      await page.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 });
      await page.drag("e2", "e4");
      await page.drag("e7", "e5");
      await page.drag("g1", "f3");
      await moveCount(page, 3);
      assert.equal(await moves(page), "e4 e5 Nf3");
      await begin(page, ROOKS, address);
      await page.drag("b2", "b3");
      await page.drag("b3", "b4");
      await moveCount(page, 4);
    });
  } finally {
    await stop();
  }
});

test("a hundred games are kept, the finished go first, and all are saved", () => withPage({}, async (page) => {
  await page.open(site.address);
  await page.run(`for (let number = 0; number < 101; number += 1) localStorage.setItem("local-game-a" + (100 + number), JSON.stringify({
    id: "a" + (100 + number), you: "white", player: "random", level: "full", time: { kind: "none" }, seed: 1, fen: null, moves: ["e2e4", "e7e5"], given: 0,
    clocks: null, since: number, ...(number === 50 ? { resigned: true, result: "0-1" } : {}) }))`);
  await begin(page, ROOKS);
  const kept = await page.run("Object.keys(localStorage).filter((key) => key.startsWith('local-game-')).sort()");
  assert.equal(kept.length, 100);
  assert.ok(!kept.includes("local-game-a150") && kept.includes("local-game-a102"));
  await page.open(site.address);
  await page.wait("!document.getElementById('games').hidden");
  assert.equal(await page.run("document.querySelectorAll('#games-list a').length"), 100);
  const folder = mkdtempSync(join(tmpdir(), "alfiere-files-"));
  try {
    await page.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
    await page.run("document.getElementById('games').open = true");
    await page.click("#save-all");
    const written = await page.until(() => readFile(join(folder, "games.pgn"), "utf8").catch(() => ""));
    assert.equal(written.split("[Event ").length, 101);
  } finally {
    rmSync(folder, { recursive: true });
  }
}));

test("the mistakes of reviewed games are practised", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, '[White "Alfiere"]\n[Black "Player"]\n\n1. e4 e5 2. Qh5 Ke7 3. Nf3 *');
  await moveCount(page, 5);
  await page.click("#review");
  await page.wait(`!document.getElementById("reviewed").hidden && document.getElementById("progress").hidden`);
  assert.equal(await page.run("JSON.parse(localStorage.getItem('mistakes')).length"), 1);
  await page.run("localStorage.setItem('local-game-a', JSON.stringify({ id: 'a', you: 'white', player: 'random', level: 'full', since: 1, moves: [] }))");
  await page.open(site.address);
  await page.wait("!document.getElementById('games').hidden");
  await page.run("document.getElementById('games').open = true");
  assert.equal(await page.run(text("practice")), "Practise 1 mistake");
  await page.click("#practice");
  await page.wait(`${text("judged")} === "Find a better move than 2… Ke7."`);
  assert.equal(await page.run("document.querySelector('.square').dataset.square"), "h1");
  await type(page, "Nc6");
  await page.wait(`/^2… Nc6 is (the best|a good) move\\.$/.test(${text("judged")})`);
  assert.equal(await page.run("localStorage.getItem('mistakes')"), "[]");
}));

test("a game goes on from any position of an analysis, with drawn arrows, and without the evaluation if wanted", () => withPage({}, async (page) => {
  await analysis(page, "#moves=e2e4.e7e5.g1f3");
  await moveCount(page, 3);
  await page.click("#play-on");
  await page.wait("!document.getElementById('setup')?.hidden && location.pathname.endsWith('/')");
  await page.wait(`document.querySelector("${square("f3")}")?.ariaLabel.includes("knight")`);
  await page.run("document.querySelector('[name=side][value=black]').click()");
  await page.click("#setup [type=submit]");
  await moveCount(page, 3);
  await page.drag("a1", "a3", { button: "right" });
  assert.equal(await shapes(page), "line green, polygon green");
  assert.ok(await page.run("document.getElementById('bar').checkVisibility({ visibilityProperty: true })"));
  await page.click("#evaluation");
  assert.ok(await page.run("!document.getElementById('bar').checkVisibility({ visibilityProperty: true }) && !document.getElementById('curve').checkVisibility()"));
}));

test("from the second visit on, threads can be chosen", { skip: availableParallelism() < 2 }, () => withPage({}, async (page) => {
  const searches = `/depth \\d\\d/.test(${text("speed")})`;
  await analysis(page);
  assert.ok(await page.run("!crossOriginIsolated && document.getElementById('threads').hidden"));
  await page.click("#engine");
  await page.wait(searches);
  await page.wait("navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)");
  await analysis(page);
  assert.ok(await page.run("crossOriginIsolated && !document.getElementById('threads').hidden"));
  assert.equal(await page.run("document.getElementById('thread-count').length"), availableParallelism());
  // The engine is on, as it was left.
  const names = await page.workersOf(async () => {
    await page.run(`${set("thread-count", "2")}; document.getElementById("thread-count").dispatchEvent(new Event("change"))`);
    await page.wait(searches);
  });
  assert.deepEqual(names.filter((name) => name.startsWith("alfiere-")).sort(), ["alfiere-helper", "alfiere-search"]);
  await page.picture("threads");
}));

test("a piece follows the mouse while the engine searches", () => withPage({}, async (page) => {
  await analysis(page);
  await page.click("#engine");
  await page.wait(`/depth \\d/.test(${text("speed")})`);
  const events = await page.trace(["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame"], () => page.circle("e2", 5000));
  const times = events.filter(({ name }) => name === "DrawFrame").map(({ ts }) => ts / 1000).sort((a, b) => a - b);
  const gaps = times.slice(1).map((time, index) => time - times[index]).sort((a, b) => a - b);
  const rate = (1000 * gaps.length) / (times.at(-1) - times[0]);
  console.log(`frames while dragging: ${rate.toFixed(1)} per second, 99 % within ${gaps[Math.floor(0.99 * gaps.length)].toFixed(1)} ms`);
  assert.ok(rate > 30, `${rate} frames per second`);
}));

test("on a cold page the engine moves soon", () => withPage({}, async (page) => {
  const start = performance.now();
  await page.open(site.address);
  await page.wait("!document.getElementById('setup').hidden");
  await page.run("document.querySelector('[name=side][value=black]').click()");
  await page.click("#setup [type=submit]");
  await page.wait("document.querySelectorAll('.move').length === 1");
  const seconds = (performance.now() - start) / 1000;
  console.log(`first move ${seconds.toFixed(2)} s after the page was asked for`);
  assert.ok(seconds < 20, `${seconds} s`);
}));

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
  // The time goes on when the page is drawn again.
  await pause(2000);
  const left = await timeLeft(page);
  await page.click("#flip");
  assert.ok(await timeLeft(page) <= left);
  await page.click("#flip");
  await page.click("#hint");
  await page.wait("document.querySelector('.arrow line') !== null");
  await page.picture("phone-game");
  await page.click("#takeback");
  await page.wait("document.querySelectorAll('.move').length === 2");
  await pause(2000);
  const before = await timeLeft(page);
  await page.open(await page.run("location.href"));
  await page.wait("document.querySelectorAll('.move').length === 2");
  assert.ok(await timeLeft(page) <= before);
  assert.equal(await page.run(text("status-text")), "Your move");
}));

test("clocks run out, a lone king does not win, and a long game goes on", () => withPage({}, async (page) => {
  const keep = (id, fields) => page.run(`localStorage.setItem("local-game-${id}", JSON.stringify(${JSON.stringify({
    id, you: "white", player: "random", level: "full", seed: 1, fen: null, given: 0, clocks: null, resigned: false, ...fields,
  })}))`);
  const clock = { time: { kind: "clock", seconds: 1, increment: 0 }, clocks: Array(3).fill({ white: 1500, black: 1500 }) };
  await page.open(site.address);
  await keep("a", { ...clock, moves: ["e2e4", "e7e5"], since: Date.now() });
  await page.open(`${site.address}?game=a`);
  await page.wait(`${text("status-text")} === "White ran out of time. Alfiere wins."`);
  await page.wait(`document.getElementById("pgn").value.includes('[Result "0-1"]\\n[TimeControl "1+0"]\\n[Termination "time forfeit"]')`);
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  await keep("b", { ...clock, fen, moves: ["e1d1", "e8d8"], since: 0 });
  await page.open(`${site.address}?game=b`);
  await page.wait(`${text("status-text")} === "White ran out of time, but Black has only the king: a draw."`);
  const shuffle = Array(275).fill(["g1f3", "g8f6", "f3g1", "f6g8"]).flat();
  await keep("c", { time: { kind: "none" }, moves: [...shuffle, "e2e4"], since: 0 });
  await page.open(`${site.address}?game=c`);
  await moveCount(page, 1102);
  await page.wait(`${text("status-text")} === "Your move"`);
}));

test("a game with a clock that begins from a PGN keeps its clocks when a move is taken back", () => withPage({ screen: "desktop" }, async (page) => {
  await page.open(site.address);
  await page.wait("!document.getElementById('setup').hidden");
  await page.run(`document.querySelector('[name=time][value=clock]').click(); ${set("position", "1. e4 e5")}`);
  await page.click("#setup [type=submit]");
  await page.wait("document.querySelectorAll('.clock').length === 2");
  for (const _ of [1, 2]) {
    await page.wait("document.querySelectorAll('.move').length === 2");
    await page.click(square("g1"));
    await page.click(square("f3"));
    await page.wait("document.querySelectorAll('.move').length === 4");
    assert.doesNotMatch(await page.run("[...document.querySelectorAll('.clock')].map((clock) => clock.textContent).join(' ')"), /NaN/);
    await page.click("#takeback");
  }
}));

test("moves are entered while the engine thinks, and from an earlier position; a review follows the end", () => withPage({}, async (page) => {
  await page.open(site.address);
  await page.wait("!document.getElementById('setup').hidden");
  await page.run(`document.querySelector("[name=side][value=black]").click(); document.querySelector("[name=time][value=move]").click();
    document.querySelector("[name=movetime]").value = "3"; ${set("position", "1. f3 e5")}`);
  await page.click("#setup [type=submit]");
  await page.wait(`${text("status-text")} === "Alfiere is thinking"`);
  const fixed = ["#takeback", "#hint", "#flip", "#typed"];
  const before = await places(page, ...fixed);
  await page.drag("b8", "c6");
  await page.wait("document.querySelectorAll('.square.planned').length === 2");
  // The engine may have answered.
  await page.wait("document.querySelectorAll('#moves .move').length >= 4");
  assert.match(await moves(page), /^f3 e5 \S+ Nc6( \S+)?$/);
  // A click on the board of an earlier position leads to the last one; the engine may answer in between.
  await page.key("Home");
  await page.wait(`${text("status-note")}.startsWith("Showing half-move 0")`);
  await page.click(square("e5"));
  await page.wait("document.getElementById('status-note').hidden");
  // Three clicks on one place press one button.
  await page.wait("document.querySelectorAll('#moves .move').length === 5");
  await page.click("#takeback");
  await page.wait("document.querySelectorAll('#moves .move').length === 3");
  assert.equal(await places(page, ...fixed), before);
  await page.run("confirm = () => true");
  await page.click("#resign");
  await page.wait(`${text("status-text")} === "Black resigned. Alfiere wins."`);
  assert.ok(await page.run("document.getElementById('takeback').disabled"));
  assert.equal(await places(page, ...fixed), before);
  await page.wait("document.getElementById('review').href.includes('#tree=')");
  await page.click("#review");
  await page.wait(`location.pathname.endsWith("analysis.html") && ${text("summary")}.includes("Black: accuracy")`);
  assert.equal(await page.run("[...document.querySelectorAll('.name')].map((name) => name.textContent).join(', ')"), "Alfiere (nnue, level 1400), Player");
  assert.equal(await page.run("document.querySelector('.square').dataset.square"), "h1");
}));

test("fields that are not shown do not block the form, and those that are must be filled in", () => withPage({}, async (page) => {
  await page.open(site.address);
  await page.wait("!document.getElementById('setup').hidden");
  const minutes = (value) => page.run(`document.querySelector("[name=minutes]").value = "${value}"; document.getElementById("setup").checkValidity()`);
  await page.click("[name=time][value=clock] + span");
  assert.deepEqual([await minutes(""), await minutes("200"), await minutes("5")], [false, false, true]);
  await minutes("200");
  await page.click("[name=time][value=none] + span");
  await page.click("#setup [type=submit]");
  await page.wait("!document.getElementById('play').hidden");
}));

test("the field for moves keeps the focus, and the list its buttons", () => withPage({}, async (page) => {
  await begin(page, ROOKS);
  await type(page, "Rb3");
  await moveCount(page, 2);
  assert.equal(await page.run("document.activeElement.id"), "typed-move");
  await page.run("document.querySelector('.move').focus()");
  await page.key("Home");
  await page.wait(`${text("status-note")} === "Showing half-move 0 of 2."`);
  await page.key("ArrowRight");
  assert.equal(await page.run("document.activeElement.textContent + document.activeElement.getAttribute('aria-current')"), "Rb3true");
  assert.equal(await page.run("document.querySelectorAll('.taken[aria-label=\"\"]').length"), 0);
}));

test("an engine that cannot be loaded is reported, and tried again", async () => {
  let isMissing = true;
  const other = await serve(process.env.SITE, (file) => isMissing && file.endsWith("/alfiere.wasm"));
  try {
    await withPage({}, async (page) => {
      await begin(page, "document.querySelector('[name=side][value=black]').click()", other.address);
      await page.wait(`/^The engine cannot go on .*404/.test(${text("status-text")})`);
      await page.open(`${other.address}analysis.html`);
      await page.wait("document.querySelectorAll('#board .piece').length > 0");
      await page.click("#engine");
      await page.wait(`/^The engine cannot go on .*404/.test(${text("toast")})`);
      isMissing = false;
      await page.key("e");
      await page.key("e");
      await page.wait("document.querySelectorAll('#lines li').length === 3");
      await page.open(other.address);
      await page.wait("!document.getElementById('resume').hidden");
      await page.click("#resume");
      await moveCount(page, 1);
    });
  } finally {
    other.close();
  }
});

test("rules that cannot be loaded are tried again", async () => {
  let isMissing = true;
  const other = await serve(process.env.SITE, (file) => isMissing && file.endsWith("/rules.wasm"));
  try {
    await withPage({}, async (page) => {
      await page.open(`${other.address}analysis.html`);
      await page.wait(`${text("toast")}.includes("404")`);
      isMissing = false;
      await page.run("location.hash = 'moves=e2e4'");
      await moveCount(page, 1);
    });
  } finally {
    other.close();
  }
});

test("games in several tabs do not destroy each other", () => withPage({}, async (page) => {
  await begin(page, ROOKS);
  await type(page, "Rb3");
  await moveCount(page, 2);
  const first = await page.run("location.href");
  await begin(page, ROOKS);
  await moveCount(page, 0);
  await page.open(first);
  await moveCount(page, 2);
  // The same game in a frame, as in another tab.
  await page.run("document.body.append(Object.assign(document.createElement('iframe'), { src: location.href, id: 'other' }))");
  const other = "document.getElementById('other').contentDocument";
  const playThere = (move) => page.run(`${other}.getElementById("typed-move").value = "${move}"; ${other}.getElementById("typed").requestSubmit()`);
  await page.wait(`${other}.querySelectorAll(".move").length === 2`);
  await playThere("Rb4");
  await moveCount(page, 4);
  // A change that the page has not heard of, because it made it itself: its move is refused.
  await page.run(`(() => {
    const key = "local-game-" + new URLSearchParams(location.search).get("game");
    const kept = JSON.parse(localStorage.getItem(key));
    localStorage.setItem(key, JSON.stringify({ ...kept, moves: kept.moves.slice(0, 2) }));
  })()`);
  await type(page, "Rb6");
  await page.wait(`${text("toast")} === "The game was changed in another tab."`);
  await moveCount(page, 2);
}));

test("a second finger does not disturb the first", () => withPage({ screen: "phone" }, async (page) => {
  await analysis(page);
  await page.swipeWithTwo("e2", "e4", "d2");
  await page.wait("location.hash === '#moves=e2e4'");
  assert.equal(await page.run("document.querySelectorAll('.dragged').length"), 0);
}));

test("lists keep their buttons while the engine searches and while positions are shown", () => withPage({}, async (page) => {
  const depth = `Number(/depth (\\d+)/.exec(${text("speed")})?.[1] ?? 0)`;
  await analysis(page, "#moves=e2e4.e7e5");
  await moveCount(page, 2);
  await page.run("document.querySelector('#moves .move').focus()");
  await page.key("ArrowLeft");
  await page.wait("location.hash === '#moves=e2e4'");
  assert.equal(await page.run("document.activeElement.textContent + document.activeElement.getAttribute('aria-current')"), "e4true");
  await page.click("#engine");
  await page.wait(`${depth} > 4`);
  await page.run(`document.querySelector("#lines li:nth-child(2) button").focus(); depth = ${depth}`);
  await page.wait(`${depth} > depth + 1`);
  assert.ok(await page.run("document.activeElement.matches('#lines li:nth-child(2) button')"));
  await page.key("Enter");
  await page.wait("location.hash.startsWith('#moves=e2e4.')");
}));

test("a page in the background does not search", () => withPage({}, async (page) => {
  const turn = (isHidden) => page.run(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`);
  await analysis(page);
  await page.click("#engine");
  await page.wait(`/depth \\d/.test(${text("speed")})`);
  await turn(true);
  const speed = await page.run(text("speed"));
  await pause(1000);
  assert.equal(await page.run(text("speed")), speed);
  await turn(false);
  await page.wait(`/depth \\d/.test(${text("speed")}) && ${text("speed")} !== ${JSON.stringify(speed)}`);
}));

test("a game that cannot be read does not hide the others", () => withPage({}, async (page) => {
  await analysis(page);
  await read(page, '[White "A"]\n\n1. e4 e5 *\n\n[White "B"]\n\n1. e5 *\n');
  await moveCount(page, 2);
  await choose(page, 1);
  await page.wait(`${text("game-error")} === "Line 7: 1. e5: no such move."`);
  await choose(page, 0);
  await page.wait("document.getElementById('game-error').hidden && document.querySelectorAll('#moves .move').length === 2");
}));

test("a file that is not UTF-8 keeps its letters", () => withPage({}, async (page) => {
  const folder = mkdtempSync(join(tmpdir(), "alfiere-files-"));
  try {
    writeFileSync(join(folder, "in.pgn"), Buffer.concat([Buffer.from('[White "Müller"]\n', "latin1"), Buffer.from('[Black "Šolak"]\n\n1. e4 *\n')]));
    await analysis(page);
    await page.choose("#file", join(folder, "in.pgn"));
    await moveCount(page, 1);
    assert.match(await pgnOf(page), /\[White "Müller"\] \[Black "Šolak"\]/);
    writeFileSync(join(folder, "in.pgn"), Buffer.from("\ufeff1. d4 *\n", "utf16le"));
    await page.choose("#file", join(folder, "in.pgn"));
    await page.wait(`${text("text-error")} === "This is UTF-16: save it as UTF-8."`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}));

test("a wrong address is reported, and the board works", () => withPage({}, async (page) => {
  for (const hash of ["#fen=bad", "#fen=%", "#moves=e2e5"]) {
    await analysis(page, hash);
    await page.wait("!document.getElementById('toast').hidden");
    await type(page, "e4");
    await page.wait("location.hash === '#moves=e2e4'");
    await page.run("sessionStorage.clear()");
  }
}));

test("fast steps seldom change the address", () => withPage({}, async (page) => {
  await analysis(page, "#moves=e2e4.e7e5.g1f3.b8c6.f1b5.a7a6");
  await moveCount(page, 6);
  await page.run("calls = 0; replace = history.replaceState; history.replaceState = function (...words) { calls += 1; replace.apply(this, words); }");
  for (const key of ["Home", ..."1234".split("").map(() => "ArrowRight")]) await page.key(key);
  await page.wait("location.hash === '#moves=e2e4.e7e5.g1f3.b8c6'");
  assert.ok(await page.run("calls") < 5);
}));

test("the editor keeps castling rights of Chess960 and the counters", () => withPage({}, async (page) => {
  const opened = async (hash) => {
    await page.click("#editor [type=submit]");
    await page.wait("document.getElementById('editor').hidden");
    await page.wait(`location.hash === "${hash}"`);
    await press(page, "edit");
  };
  await analysis(page, "#fen=4k3/8/8/8/8/8/8/RR2K3_w_B_-_37_60");
  await press(page, "edit");
  await opened("#fen=4k3/8/8/8/8/8/8/RR2K3_w_B_-_37_60");
  await page.click("[name=turn][value=b] + span");
  await opened("#fen=4k3/8/8/8/8/8/8/RR2K3_b_B_-_0_1");
  await page.click("[aria-label='white rook'][aria-pressed]");
  await page.click(square("b1"));
  await opened("#fen=4k3/8/8/8/8/8/8/R3K3_b_-_-_0_1");
}));

test("the bar shows the evaluation of the position, and none without one", () => withPage({}, async (page) => {
  await analysis(page);
  for (const [pgn, plies, shown, label] of [
    [PGN, 1, "0.3", /^Evaluation \+0\.3/],
    [PGN, 2, "", /^No evaluation$/],
    ["1. d4 d5 *", 2, "", /^No evaluation$/],
    ["1. f3 e5 2. g4 {[%eval 0.3]} Qh4# 0-1", 4, "#", /expected score 0 percent$/],
    ['[FEN "7k/8/4Q3/8/8/8/8/K7 w - - 0 1"]\n\n1. Qf7 {[%eval 9.5]} 1/2-1/2', 1, "0.0", /expected score 50 percent$/],
  ]) {
    await read(page, pgn);
    await page.wait(`document.querySelector("#moves .move")?.textContent === ${JSON.stringify(/1\. (\w+)/.exec(pgn)[1])}`);
    await page.key("Home");
    for (let ply = 0; ply < plies; ply += 1) await page.key("ArrowRight");
    await page.wait(`document.querySelector(".bar-text").textContent === "${shown}"`);
    assert.match(await page.run("document.getElementById('bar').getAttribute('aria-label')"), label, pgn);
  }
}));

test("a file of thousands of games is dropped, searched and sorted", () => withPage({}, async (page) => {
  await analysis(page);
  const game = '`[Event "Cup ${index % 7}"]\\n[White "Player ${index}"]\\n[Black "Other"]\\n[WhiteElo "${1000 + index % 1900}"]\\n\\n1. e4 {[%clk 0:03:00]} e5 2. ${index % 9000 === 7 ? "Nf9" : "Nf3"} Nc6 *\\n\\n`';
  const start = Date.now();
  await drop(page, `Array.from({ length: 10_000 }, (_, index) => ${game.replaceAll("\\\\", "\\")}).join("")`);
  await moveCount(page, 4);
  const seconds = (Date.now() - start) / 1000;
  console.log(`10,000 games after ${seconds.toFixed(1)} s`);
  assert.ok(seconds < 10, `${seconds} s`);
  assert.equal(await page.run(text("games-title")), "10,000 games");
  assert.match(await page.run(text("games-note")), /^9,800 more/);
  await isAccessible(page, "games");
  await page.run("document.getElementById('games-order').value = 'Rating'; document.getElementById('games-order').dispatchEvent(new Event('input'))");
  assert.match(await rows(page), /^1900\. Player 1899 – Other, 3800\. Player 3799 – Other, /);
  await page.click("#games-filter");
  await page.write("player 7 cup 0");
  await page.run("document.getElementById('games-order').value = 'File'; document.getElementById('games-order').dispatchEvent(new Event('input'))");
  assert.match(await rows(page), /^8\. Player 7 – Other, /);
  // What can be read of a game is shown, with the place in the file where it ends.
  await choose(page, 0);
  await moveCount(page, 2);
  assert.equal(await page.run(text("game-error")), "The moves end at line 55: 2. Nf9: this is no move.");
  // A long text is read in parts.
  await page.run(`${set("games-filter", "9007")}; document.getElementById("games-filter").dispatchEvent(new Event("input"))`);
  assert.equal(await rows(page), "9008. Player 9007 – Other");
  await choose(page, 0);
  await page.wait(`${text("game-error")} === "The moves end at line 63055: 2. Nf9: this is no move."`);
}));

