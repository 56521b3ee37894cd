// The games of a PGN, which the rules find and read, and a list to choose from.

import { ask } from "./api.js";
import { button, make } from "./elements.js";

/** Letters of a question; `alfiere play` answers none of more than 8 MiB. */
const QUESTION_LETTERS = 1_000_000;
/** Rows of the list; a search finds the others. */
const MAX_ROWS = 200;
const ORDERS = {
  "File": null,
  "White": (game) => tag(game, "White"),
  "Black": (game) => tag(game, "Black"),
  "Event": (game) => tag(game, "Event"),
  "Date": (game) => tag(game, "Date"),
  "Result": (game) => tag(game, "Result"),
  "Rating": (game) => -Math.max(0, ...["WhiteElo", "BlackElo"].map((name) => Number(tag(game, name)) || 0)),
};

const tag = ({ tags }, name) => ((tags[name] ?? "?") === "?" ? "" : tags[name]);

/** A text in lower case without accents. */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The players of a game, or its event. */
function title(game) {
  const players = ["White", "Black"].map((name) => tag(game, name));
  return players.some(Boolean) ? players.map((name) => name || "?").join(" – ") : tag(game, "Event") || "Game";
}

/**
 * The games of a text, `{tags, line, number, pgn}`: lines of the text that contain the game, the number of games in them
 * before it, and the number of lines before them. A long text is read in parts that begin with a tag `Event`.
 */
export async function findGames(text) {
  const lines = text.split(/\r*\n|\r/);
  const games = [];
  for (let start = 0, end = 0; start < lines.length; start = end) {
    for (let length = 0; end < lines.length && (length < QUESTION_LETTERS || !lines[end].startsWith('[Event "')); end += 1) length += lines[end].length;
    const found = await ask({ ask: "games", pgn: lines.slice(start, end).join("\n") });
    for (const { tags, lines: [first, last], number } of found.games) {
      const line = start + first - 1;
      games.push({ tags: Object.fromEntries(tags), line, number, get pgn() { return lines.slice(line, line - first + last + 1).join("\n"); } });
    }
  }
  return games;
}

/** The list of games in `place`, a part of the page that can be closed; `choose(game)` receives the one that is clicked. */
export class GameList {
  #place; #choose; #games = []; #found = []; #chosen = null;

  constructor(place, choose) {
    this.#place = place;
    this.#choose = choose;
    this.#at("order").append(...Object.keys(ORDERS).map((name) => new Option(name)));
    for (const name of ["filter", "order"]) this.#at(name).addEventListener("input", () => this.#draw());
  }

  #at(name) { return this.#place.querySelector(`#games-${name}`); }

  /** Shows the games, if there are several. */
  show(games) {
    this.#games = games.map((game, index) => ({ game, index, title: title(game), words: plain(Object.values(game.tags).join(" ")) }));
    this.#place.hidden = games.length < 2;
    this.#place.open = games.length > 1;
    this.#at("title").textContent = `${games.length.toLocaleString("en")} games`;
    this.#at("filter").value = "";
    this.mark(games[0]);
  }

  get length() { return this.#games.length; }

  /** Chooses the game that many rows further; returns whether there is one. */
  step(rows) {
    const next = this.#found[this.#found.findIndex(({ game }) => game === this.#chosen) + rows];
    if (next) this.#choose(next.game);
    return Boolean(next);
  }

  /** Marks the game that is shown. */
  mark(game) {
    this.#chosen = game;
    this.#draw();
  }

  #draw() {
    const wanted = plain(this.#at("filter").value).split(/\s+/).filter(Boolean);
    const key = ORDERS[this.#at("order").value];
    const found = this.#games.filter(({ words }) => wanted.every((word) => words.includes(word)));
    if (key) {
      const compare = new Intl.Collator().compare;
      found.sort(({ game: a }, { game: b }) => (key === ORDERS.Rating ? key(a) - key(b) : compare(key(a), key(b))));
    }
    this.#found = found;
    this.#at("list").replaceChildren(...found.slice(0, MAX_ROWS).map((row) => this.#row(row)));
    const rest = found.length - MAX_ROWS;
    this.#at("note").textContent = rest > 0 ? `${rest.toLocaleString("en")} more: search for a player, an event or a year.` : found.length ? "" : "No game has these words.";
  }

  #row({ game, index, title: name }) {
    const item = make("li");
    const ratings = ["WhiteElo", "BlackElo"].map((elo) => tag(game, elo));
    const details = [ratings.some(Boolean) && ratings.map((elo) => elo || "?").join("–"), tag(game, "Result"), tag(game, "Date").replace(/\.\?\?.*/, "")];
    const made = button(`${index + 1}. ${name}`, () => this.#choose(game));
    made.append(make("small", "", details.filter(Boolean).join(" · ")));
    made.ariaPressed = String(game === this.#chosen);
    item.append(made);
    return item;
  }
}
