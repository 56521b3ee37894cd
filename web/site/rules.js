// The rules of chess, from the WebAssembly module of the crate `alfiere-rules`.

import { checked } from "./notation.js";

let ready = null;

async function load() {
  const response = await fetch(new URL("rules.wasm", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}.`);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), {});
  return instance.exports;
}

/** Answers a question; see the crate `alfiere-rules`. */
export async function ask(question) {
  // After a failure the next question tries again.
  ready ??= load().catch((error) => { ready = null; throw error; });
  const rules = await ready;
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const address = rules.rules_question(bytes.length);
  new Uint8Array(rules.memory.buffer, address, bytes.length).set(bytes);
  const length = rules.rules_answer();
  const text = new TextDecoder().decode(new Uint8Array(rules.memory.buffer, rules.rules_address(), length));
  return checked(JSON.parse(text));
}
