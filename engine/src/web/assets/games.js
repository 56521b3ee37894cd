// The games of a PGN, which the rules find and read, and a list to choose from.

import { ask } from "./api.js";
import { at, button, make } from "./elements.js";

/** Letters of a question; `alfiere play` answers none of more than 8 MiB. */
const QUESTION_LETTERS = 1_000_000;
/** Rows of the list; a search finds the others. */
const MAX_ROWS = 200;
const ORDERS = {
  "File": null,
  ...Object.fromEntries(["White", "Black", "Event", "Date", "Result"].map((name) => [name, (game) => tag(game, name)])),
  "Rating": (game) => -Math.max(0, ...["WhiteElo", "BlackElo"].map((name) => Number(tag(game, name)) || 0)),
};

const tag = ({ tags }, name) => ((tags[name] ?? "?") === "?" ? "" : tags[name]);

/** A text in lower case without accents. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * The games of a text, `{tags, line, number, pgn}`: lines of the text that contain the game, the number of games in them
 * before it, and the number of lines before them. A long text is read in parts that begin with a tag `Event`.
 */
export async function findGames(text) {
  const lines = text.split(/\r*\n|\r/);
  const games = [];
  games.parts = [];
  for (let start = 0, end = 0; start < lines.length; start = end) {
    for (let length = 0; end < lines.length && (length < QUESTION_LETTERS || !lines[end].startsWith('[Event "')); end += 1) length += lines[end].length;
    const part = lines.slice(start, end).join("\n");
    games.parts.push(part);
    const found = await ask({ ask: "games", pgn: part });
    for (const { tags, lines: [first, last], number } of found.games) {
      const line = start + first - 1;
      games.push({ tags: Object.fromEntries(tags), line, number, get pgn() { return lines.slice(line, line - first + last + 1).join("\n"); } });
    }
  }
  return games;
}

/** The list of games, a part of the page that can be closed; `choose(game)` receives the one that is clicked. */
export class GameList {
  #choose; #rows = []; #chosen = null;
  /** The rows that have the words of the search, in order: games with their places in the file. */
  found = [];
  /** The games, and the parts of their text. */
  games = [];

  constructor(choose) {
    this.#choose = choose;
    at("games-order").append(...Object.keys(ORDERS).map((name) => new Option(name)));
    for (const name of ["games-filter", "games-order"]) at(name).addEventListener("input", () => this.#draw());
  }

  /** Shows the games, if there are several. */
  show(games) {
    this.games = games;
    this.#rows = games.map((game, index) => ({ game, index, words: plain(Object.values(game.tags).join(" ")) }));
    at("games").hidden = games.length < 2;
    at("games").open = games.length > 1;
    at("games-title").textContent = `${games.length.toLocaleString("en")} games`;
    at("games-filter").value = "";
    this.mark(games[0]);
  }

  /** Chooses the game that many rows further; returns whether there is one. */
  step(rows) {
    const next = this.found[this.found.findIndex(({ game }) => game === this.#chosen) + rows];
    if (next) this.#choose(next.game);
    return Boolean(next);
  }

  mark(game) {
    this.#chosen = game;
    this.#draw();
  }

  #draw() {
    const wanted = plain(at("games-filter").value).split(/\s+/).filter(Boolean);
    const key = ORDERS[at("games-order").value];
    const found = this.#rows.filter(({ words }) => wanted.every((word) => words.includes(word)));
    const { compare } = new Intl.Collator();
    if (key) found.sort(({ game: a }, { game: b }) => (key === ORDERS.Rating ? key(a) - key(b) : compare(key(a), key(b))));
    this.found = found;
    at("games-list").replaceChildren(...found.slice(0, MAX_ROWS).map(({ game, index }) => {
      const made = gameButton(game, index, () => this.#choose(game));
      made.ariaPressed = game === this.#chosen;
      return make("li", "", "", {}, made);
    }));
    const rest = found.length - MAX_ROWS;
    at("games-note").textContent = rest > 0 ? `${rest.toLocaleString("en")} more: search for a player, an event or a year.` : found.length ? "" : "No game has these words.";
  }
}

/** A button with the number of a game in its file, its players or event, ratings, result and date. */
export function gameButton(game, index, act) {
  const both = (names, between) => { const values = names.map((name) => tag(game, name)); return values.some(Boolean) && values.map((value) => value || "?").join(between); };
  const details = [both(["WhiteElo", "BlackElo"], "–"), tag(game, "Result"), tag(game, "Date").replace(/\.\?\?.*/, "")];
  return button(`${index + 1}. ${both(["White", "Black"], " – ") || tag(game, "Event") || "Game"}`, act, "", make("small", "", details.filter(Boolean).join(" · ")));
}
