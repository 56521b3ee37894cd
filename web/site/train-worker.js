// Trains a network in a worker, an epoch at a time; between them it receives messages.
//
// It receives `{ name, bytes, start }`, a file and what training starts from, then `{ runs }`, whether to train. It posts `{ file }`,
// what was read; `{ report }` within an epoch, which no message interrupts; and `{ progress, network }` after each epoch: the
// progress and the network's file.

import { openTrainer } from "./trainer.js";

/** Milliseconds between two reports. */
const PART = 100;

let trainer = null;
let runs = false;
let isPlanned = false;
let reported = 0;

function report(part) {
  if (performance.now() - reported < PART) return;
  reported = performance.now();
  self.postMessage({ report: part });
}

async function load({ name, bytes, start }) {
  const response = await fetch(new URL("trainer.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}.`);
  trainer = await openTrainer(await WebAssembly.compile(await response.arrayBuffer()), report);
  self.postMessage({ file: trainer.load(name, bytes, start) });
}

/** Trains the next epoch after the messages that have arrived. */
function plan() {
  if (!runs || isPlanned) return;
  isPlanned = true;
  setTimeout(guarded(train));
}

function train() {
  isPlanned = false;
  if (!runs) return;
  const progress = trainer.epoch();
  self.postMessage({ progress, network: trainer.network() });
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
