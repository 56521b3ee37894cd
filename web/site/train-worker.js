// Trains a network in a worker, an epoch at a time; between them it receives messages.
//
// It receives `{ name, bytes, start }`, a file and what training starts from, then `{ runs }`, whether to train. It posts `{ file }`,
// what was read; `{ report }` within an epoch, which no message interrupts; and `{ progress, network }` after each epoch: the
// progress and the network's file.

import { bytesAt } from "./files.js";
import { openTrainer } from "./trainer.js";

/** Milliseconds between two reports. */
const PART = 100;

let [trainer, runs, isPlanned, reported] = [null, false, false, 0];

function report(part) {
  if (performance.now() - reported < PART) return;
  reported = performance.now();
  self.postMessage({ report: part });
}

/** A function whose errors are posted. */
const guarded = (act) => async (argument) => {
  try {
    await act(argument);
  } catch ({ message }) {
    runs = false;
    self.postMessage({ failure: message });
  }
};

const train = guarded(() => {
  isPlanned = false;
  if (!runs) return;
  const progress = trainer.epoch();
  self.postMessage({ progress, network: trainer.network() });
  runs = !progress.stop;
  plan();
});

/** Trains the next epoch after the messages that have arrived. */
function plan() {
  if (!runs || isPlanned) return;
  isPlanned = true;
  setTimeout(train);
}

self.onmessage = guarded(async ({ data: { name, bytes, start, runs: isOn } }) => {
  if (bytes) {
    trainer = await openTrainer(await WebAssembly.compile(await bytesAt(new URL("trainer.wasm", import.meta.url))), report);
    self.postMessage({ file: trainer.load(name, bytes, start) });
    return;
  }
  runs = isOn;
  plan();
});
