// Trains a network in a worker, a few steps at a time; between them it receives messages.
//
// It receives `{ name, bytes, lesson }`, a file and the positions of the first lesson, then `{ runs }`, whether to train. It posts
// `{ file }`, what was read; `{ report }` within a lesson, which no message interrupts; and `{ progress, seconds, network }` after
// each part of the training: the progress, its time and, after an epoch and at the end, the best network's file.

import { openTrainer } from "./trainer.js";

/** Milliseconds between two looks at the messages. */
const PART = 200;

let trainer = null;
let runs = false;
let isPlanned = false;
let count = 1;
let epochs = 0;
/** When the part began; lessons do not count. */
let start = 0;

function report(lesson) {
  self.postMessage({ report: lesson });
  start = performance.now();
}

async function load({ name, bytes, lesson }) {
  const response = await fetch(new URL("trainer.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}.`);
  trainer = await openTrainer(await WebAssembly.compile(await response.arrayBuffer()), report);
  self.postMessage({ file: trainer.load(name, bytes, lesson) });
}

/** Trains the next part after the messages that have arrived. */
function plan() {
  if (!runs || isPlanned) return;
  isPlanned = true;
  setTimeout(guarded(train));
}

function train() {
  isPlanned = false;
  if (!runs) return;
  start = performance.now();
  const progress = trainer.steps(count);
  const time = performance.now() - start;
  count = Math.max(1, Math.min(2 * count, Math.round(count * PART / time)));
  const isEpoch = progress.epochs.length > epochs;
  epochs = progress.epochs.length;
  self.postMessage({ progress, seconds: time / 1000, network: isEpoch || progress.stop ? trainer.network() : null });
  runs = !progress.stop;
  plan();
}

/** A function whose errors are posted. */
function guarded(act) {
  return async (argument) => {
    try {
      await act(argument);
    } catch ({ message }) {
      runs = false;
      self.postMessage({ failure: message });
    }
  };
}

self.onmessage = guarded(async ({ data }) => {
  if (data.bytes) await load(data);
  else {
    runs = data.runs;
    plan();
  }
});
