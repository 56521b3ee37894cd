// The explorer: what was played from a position in the games of a file, how often, and with which results.

import { ask } from "./api.js";
import { at, button, make } from "./elements.js";
import { gameButton } from "./games.js";
import { positionKey } from "./notation.js";

const RESULTS = { "1-0": "White wins", "1/2-1/2": "draws", "0-1": "Black wins" };
const MAX_GAMES = 20;

export class Explorer {
  #play; #open; #games = null; #lines = null; #key = 0;

  /** `play(san)` receives a move that is clicked, `open(game, key)` a game and the number of the position. */
  constructor(play, open) { [this.#play, this.#open] = [play, open]; }

  /** Shows what was played from a position in those `found` of the games, which are read when they are first asked for. */
  async show(fen, games, found) {
    const key = this.#key = positionKey(fen);
    if (games !== this.#games) {
      [this.#games, this.#lines] = [games, read(games.parts ?? [])];
      at("explorer").replaceChildren(make("p", "note", "Reading the games…"));
    }
    const lines = await this.#lines.catch((error) => { this.#games = null; throw error; });
    if (key !== this.#key || games !== this.#games) return;
    const [here, moves] = [[], new Map()];
    found.forEach((index) => {
      const { result, moves: line, positions } = lines[index];
      const place = positions.indexOf(key);
      if (place < 0) return;
      here.push(index);
      const san = line.split(" ")[place];
      if (san) moves.set(san, [...moves.get(san) ?? [], result]);
    });
    const rows = [...moves].sort(([, a], [, b]) => b.length - a.length).map(([san, results]) => make("tr", "", "", {},
      make("th", "", "", { scope: "row" }, button(san, () => this.#play(san))), make("td", "", results.length.toLocaleString("en")), make("td", "", "", {}, bar(results))));
    const list = here.slice(0, MAX_GAMES).map((index) => make("li", "", "", {}, gameButton(games[index], index, () => this.#open(games[index], key))));
    const words = lines.length ? `${here.length.toLocaleString("en")} of ${found.length.toLocaleString("en")} games` : "Open a file of games to see what was played from here.";
    at("explorer").replaceChildren(make("p", "note", words), make("table", "", "", {}, make("tbody", "", "", {}, ...rows)), make("ol", "games", "", {}, ...list));
  }
}

/** The main lines of the games of a text in parts, one after the other. */
async function read(parts) {
  const lines = [];
  for (const pgn of parts) lines.push(...(await ask({ ask: "moves", pgn })).games.map((game) => ({ ...game, positions: Uint32Array.from(game.positions) })));
  return lines;
}

/** The shares of the results, of which some games have none. */
function bar(results) {
  const counts = Object.keys(RESULTS).map((result) => results.filter((other) => other === result).length);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const label = Object.values(RESULTS).map((name, place) => `${name}: ${counts[place]}`).join(", ");
  return make("div", "results", "", { role: "img", title: label, "aria-label": label }, ...counts.map((count) => {
    const [part, percent] = [make("span"), Math.round((100 * count) / all)];
    part.style.flexGrow = count;
    if (percent >= 20) part.textContent = `${percent}%`;
    return part;
  }));
}
