// The trainer: the WebAssembly module of the crate `alfiere-trainer-wasm`.

/**
 * An instance of the module: `load(name, bytes, start)`, `epoch()`, both with answers of the crate, and `network()`, a
 * file's bytes. `report` receives the progress within an epoch.
 */
export async function openTrainer(module, report = () => {}) {
  let trainer;
  let said = "";
  const bytes = (address, length) => new Uint8Array(trainer.memory.buffer, address, length);
  const numbers = () => new DataView(trainer.memory.buffer);
  // What the standard library asks of WASI. Whatever else it imports is about files, of which there are none.
  const system = {
    clock_time_get(clock, precision, address) {
      numbers().setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_get: () => 0,
    environ_sizes_get(count, length) {
      for (const address of [count, length]) numbers().setUint32(address, 0, true);
      return 0;
    },
    random_get(address, length) {
      crypto.getRandomValues(bytes(address, length));
      return 0;
    },
    /** The reason of a panic. */
    fd_write(file, parts, count, written) {
      let length = 0;
      for (let part = parts; part < parts + 8 * count; part += 8) {
        const text = bytes(numbers().getUint32(part, true), numbers().getUint32(part + 4, true));
        said += new TextDecoder().decode(text);
        length += text.length;
      }
      numbers().setUint32(written, length, true);
      return 0;
    },
    proc_exit(code) { throw new Error(`exit with ${code}`); },
  };
  const NO_FILE = 8;
  const preview = new Proxy(system, { get: (known, name) => known[name] ?? (() => NO_FILE) });
  const host = { report: (address, length) => report(JSON.parse(new TextDecoder().decode(bytes(address, length)))) };
  trainer = (await WebAssembly.instantiate(module, { wasi_snapshot_preview1: preview, trainer: host })).exports;
  trainer._initialize();

  const call = (name, ...values) => {
    try {
      const length = trainer[name](...values);
      return bytes(trainer.trainer_output(), length);
    } catch (error) {
      throw new Error(`The trainer cannot go on (${said.trim() || error.message}).`);
    }
  };
  const ask = (name, ...values) => {
    const answer = JSON.parse(new TextDecoder().decode(call(name, ...values)));
    if (answer.error) throw new Error(answer.error);
    return answer;
  };
  return {
    load(name, content, start = "embedded") {
      const parts = [new TextEncoder().encode(name), new TextEncoder().encode(start), content];
      let address = trainer.trainer_input(parts.reduce((sum, part) => sum + part.length, 0));
      for (const part of parts) {
        bytes(address, part.length).set(part);
        address += part.length;
      }
      return ask("trainer_load", parts[0].length, parts[1].length);
    },
    epoch: () => ask("trainer_epoch"),
    network: () => call("trainer_network").slice(),
  };
}
