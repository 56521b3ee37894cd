// The rules of chess, from the WebAssembly module of the crate `alfiere-rules`.

import { bytesAt } from "./files.js";
import { checked } from "./notation.js";

let ready = null;

const load = async () => (await WebAssembly.instantiate(await bytesAt(new URL("rules.wasm", import.meta.url)), {})).instance.exports;

/** Answers a question; see the crate `alfiere-rules`. */
export async function ask(question) {
  // After a failure the next question tries again.
  ready ??= load().catch((error) => { ready = null; throw error; });
  const rules = await ready;
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  // The call may replace the memory's buffer.
  const address = rules.rules_question(bytes.length);
  new Uint8Array(rules.memory.buffer, address, bytes.length).set(bytes);
  const length = rules.rules_answer();
  return checked(JSON.parse(new TextDecoder().decode(new Uint8Array(rules.memory.buffer, rules.rules_address(), length))));
}
