// Files: saving a game, and the text of a file that was opened or dropped.

/** Saves a file under a name. */
export function saveFile(download, content, type = "application/octet-stream") {
  const link = Object.assign(document.createElement("a"), { download });
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export const savePgn = (name, pgn) => saveFile(`${name}.pgn`, pgn, "application/x-chess-pgn");

/** The text of a file; that of old programs is not UTF-8. */
export async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
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
