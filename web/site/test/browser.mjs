// A Chromium driven over a pipe by its own protocol, and a web server for the site.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";

const chromium = process.env.CHROMIUM ?? "chromium";
const PATIENCE = Number(process.env.PATIENCE ?? 60_000);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css", ".svg": "image/svg+xml" };
export const SCREENS = {
  desktop: { width: 1280, height: 800, mobile: false, deviceScaleFactor: 1 },
  phone: { width: 390, height: 844, mobile: true, deviceScaleFactor: 2 },
  turnedPhone: { width: 844, height: 390, mobile: true, deviceScaleFactor: 2 },
  laptop: { width: 1366, height: 657, mobile: false, deviceScaleFactor: 1 },
  wide: { width: 1536, height: 730, mobile: false, deviceScaleFactor: 1 },
  hd: { width: 1280, height: 720, mobile: false, deviceScaleFactor: 1 },
  maximised: { width: 1366, height: 768, mobile: false, deviceScaleFactor: 1 },
  square: { width: 1024, height: 768, mobile: false, deviceScaleFactor: 1 },
  /** A desktop's window at 200 and 400 percent. */
  zoomed: { width: 640, height: 400, mobile: false, deviceScaleFactor: 2 },
  zoomed400: { width: 320, height: 200, mobile: false, deviceScaleFactor: 4 },
  large: { width: 2560, height: 1440, mobile: false, deviceScaleFactor: 1 },
  smallPhone: { width: 360, height: 640, mobile: true, deviceScaleFactor: 2 },
};

/** Serves a folder, without files for which `isMissing` is true; returns `{address, close}`. */
export async function serve(folder, isMissing = () => false) {
  const server = createServer(async (request, answer) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = join(resolve(folder), path.endsWith("/") ? `${path}index.html` : path);
    const body = isMissing(file) ? null : await readFile(file).catch(() => null);
    answer.writeHead(body ? 200 : 404, { "Content-Type": TYPES[extname(file)] ?? "text/plain" }).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const close = () => { server.closeAllConnections(); server.close(); };
  return { address: `http://127.0.0.1:${server.address().port}/`, close };
}

/** Runs `use(page)` in a browser of its own. */
export async function withPage({ screen = "desktop", theme = "light" }, use) {
  const profile = mkdtempSync(join(tmpdir(), "alfiere-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", `--user-data-dir=${profile}`];
  const program = spawn(chromium, [...flags, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true });
  const ended = new Promise((over) => program.on("exit", over));
  const page = new Page(program.stdio[3], program.stdio[4]);
  try {
    await page.attach(SCREENS[screen], theme);
    await use(page);
    if (page.errors.length) throw new Error(`errors in the page: ${page.errors.join("; ")}`);
  } finally {
    // The whole group: helpers of the browser would write to the profile after its main process has ended.
    process.kill(-program.pid, "SIGKILL");
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Checks with axe-core, where AXE names it, and that the page is no wider than the screen. */
export async function isAccessible(page, name) {
  if (process.env.AXE) {
    await page.run(await readFile(process.env.AXE, "utf8"));
    const found = await page.run(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 120)).join(" | ")))`);
    assert.deepEqual(found, [], name);
  }
  // On a phone innerWidth grows with the page.
  const widths = await page.run("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
  assert.ok(widths[0] <= widths[1], `${name} is wider than the screen: ${widths}`);
}

class Page {
  errors = [];
  #to; #session; #next = 1; #waiting = new Map();
  /** Who receives the events of a name. */
  #listeners = new Map();

  constructor(to, from) {
    this.#to = to;
    let rest = "";
    from.setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      messages.forEach((message) => this.#hear(JSON.parse(message)));
    });
  }

  #hear({ id, result, error, method, params }) {
    if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    this.#listeners.get(method)?.(params);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.fail(new Error(error.message));
    else waiting?.done(result);
  }

  send(method, params = {}, sessionId = this.#session) {
    const id = this.#next++;
    this.#to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((done, fail) => this.#waiting.set(id, { done, fail }));
  }

  async attach(screen, theme) {
    const { targetInfos } = await this.send("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    this.#session = (await this.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    await Promise.all(["Page.enable", "Runtime.enable", "Network.enable"].map((method) => this.send(method)));
    await this.send("Emulation.setDeviceMetricsOverride", screen);
    await this.send("Emulation.setTouchEmulationEnabled", { enabled: screen.mobile });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: theme }, { name: "prefers-reduced-motion", value: "reduce" }] });
  }

  async open(address) {
    await this.send("Page.navigate", { url: "about:blank" });
    await this.send("Page.navigate", { url: address });
    await this.wait("document.readyState === 'complete' && location.href !== 'about:blank'");
  }

  async run(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true; the value of the expression, or an error after a minute. */
  wait(expression) { return this.until(() => this.run(expression).catch(() => false), expression); }

  /** Waits until `look` returns something true. */
  async until(look, name = look) {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end) {
      const value = await look();
      if (value) return value;
      await new Promise((later) => setTimeout(later, 50));
    }
    throw new Error(`still not true: ${name}`);
  }

  /** The middle of an element, which is scrolled into view. */
  #middle(selector) {
    return this.run(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: "nearest" });
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    })()`);
  }

  async click(selector) {
    const at = await this.#middle(selector);
    for (const type of ["mousePressed", "mouseReleased"]) await this.send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1 });
  }

  /** The middles of two squares of the board, which is scrolled into view first. */
  async #squares(...names) {
    await this.#middle("#board");
    return Promise.all(names.map((name) => this.#middle(`[data-square=${name}]`)));
  }

  /** Drags the mouse from one square of the board to another. */
  async drag(from, to, { button = "left", shift = false } = {}) {
    const [start, end] = await this.#squares(from, to);
    const send = (type, at) => this.send("Input.dispatchMouseEvent", { type, ...at, button, clickCount: 1, modifiers: shift ? 8 : 0 });
    await send("mousePressed", start);
    await send("mouseMoved", end);
    await send("mouseReleased", end);
  }

  /** Holds what is on a square and moves it in circles for some milliseconds, then lets it go where it was. */
  async circle(name, milliseconds) {
    const [middle] = await this.#squares(name);
    const send = (type, at) => this.send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1 });
    await send("mousePressed", middle);
    const end = Date.now() + milliseconds;
    for (let step = 0; Date.now() < end; step += 0.1) {
      await send("mouseMoved", { x: middle.x + 150 * Math.sin(step), y: middle.y - 150 + 150 * Math.cos(step) });
    }
    await send("mouseMoved", middle);
    await send("mouseReleased", middle);
  }

  /** The names of the workers that are started during `act`, also by workers. */
  async workersOf(act) {
    const names = [];
    const attach = (sessionId) => this.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }, sessionId);
    this.#listeners.set("Target.attachedToTarget", ({ sessionId, targetInfo: { type, title } }) => {
      if (type === "worker") names.push(title);
      attach(sessionId).catch(() => {});
    });
    await attach();
    await act();
    return names;
  }

  /** The events of some categories that Chromium records during `act`. */
  async trace(includedCategories, act) {
    const events = [];
    this.#listeners.set("Tracing.dataCollected", ({ value }) => events.push(...value));
    const complete = new Promise((done) => this.#listeners.set("Tracing.tracingComplete", done));
    await this.send("Tracing.start", { traceConfig: { includedCategories }, transferMode: "ReportEvents" });
    await act();
    await this.send("Tracing.end");
    await complete;
    return events;
  }

  /** Taps an element with a finger. */
  async tap(selector) {
    const at = await this.#middle(selector);
    await this.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    await this.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  /** Moves a finger from one square of the board to another. */
  async swipe(from, to) {
    const [start, end] = await this.#squares(from, to);
    await this.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [start] });
    await this.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [end] });
    await this.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  /** Moves a finger between squares of the board while a second finger touches a third square. */
  async swipeWithTwo(from, to, other) {
    const [start, end, second] = await this.#squares(from, to, other);
    const send = (type, ...touchPoints) => this.send("Input.dispatchTouchEvent", { type, touchPoints });
    await send("touchStart", { ...start, id: 1 });
    await send("touchStart", { ...start, id: 1 }, { ...second, id: 2 });
    await send("touchMove", { ...end, id: 1 }, { ...second, id: 2 });
    await send("touchEnd", { ...end, id: 1 });
    await send("touchEnd");
  }

  /** Chooses a file for a field. */
  async choose(selector, path) {
    const { root } = await this.send("DOM.getDocument");
    const { nodeId } = await this.send("DOM.querySelector", { nodeId: root.nodeId, selector });
    await this.send("DOM.setFileInputFiles", { nodeId, files: [path] });
  }

  async key(key, code = key) {
    const numbers = { Enter: 13, Tab: 9, " ": 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Home: 36, End: 35 };
    const number = numbers[key] ?? key.toUpperCase().charCodeAt(0);
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    const event = { key, code, text, windowsVirtualKeyCode: number };
    for (const type of ["keyDown", "keyUp"]) await this.send("Input.dispatchKeyEvent", { type, ...event });
  }

  write(text) { return this.send("Input.insertText", { text }); }

  offline() {
    return this.send("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 });
  }

  async picture(name) {
    const folder = process.env.PICTURES;
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: true });
    writeFileSync(join(folder, `${name}.png`), Buffer.from(data, "base64"));
  }
}
