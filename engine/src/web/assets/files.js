// Files: saving a game, and the text of a file that was opened or dropped.

export function saveFile(download, content, type = "application/octet-stream") {
  const link = Object.assign(document.createElement("a"), { download });
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const savePgn = (name, pgn) => saveFile(`${name}.pgn`, pgn, "application/x-chess-pgn");

/** The bytes at an address. */
export async function bytesAt(address, options) {
  const response = await fetch(address, options);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}.`);
  return response.arrayBuffer();
}

/** The text of a file; lines that are not UTF-8 are Windows-1252, of old programs. */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [utf8, old] = [new TextDecoder("utf-8", { fatal: true }), new TextDecoder("windows-1252")];
  const decode = (part, other) => { try { return utf8.decode(part); } catch { return other(part); } };
  let from = 0;
  // Old text has a letter for each byte.
  return decode(bytes, () => old.decode(bytes).split("\n").map(({ length }) => decode(bytes.subarray(from, from += length + 1), (line) => old.decode(line))).join(""));
}

/** Calls `take(file)` with a file that is dropped anywhere on the page. */
export function onDrop(take) {
  const hasFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", ({ relatedTarget }) => { if (!relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!hasFile(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}
