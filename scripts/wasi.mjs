// Runs a test program made for wasm32-wasip1, as cargo's runner: node --no-warnings scripts/wasi.mjs PROGRAM [WORD...]
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { WASI } from "node:wasi";

const [program, ...words] = process.argv.slice(2);
const folders = { "/": "/", ".": "." };
const wasi = new WASI({
  version: "preview1",
  args: [program, ...words],
  env: { ...process.env, TMPDIR: tmpdir() },
  preopens: folders,
  returnOnExit: true,
});
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
