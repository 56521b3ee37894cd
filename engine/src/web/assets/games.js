// The games of a PGN, found by their tags and results, and a list to choose from. The moves are left to the rules.

const RESULT = /(?:^|\s)(?:1-0|0-1|1\/2-1\/2|\*)\s*$/;
const TAG = /^\s*\[\s*(\w+)\s+"((?:\\.|[^"\\])*)"/;
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

/** The players of a game, or its event. */
function title(game) {
  const players = ["White", "Black"].map((name) => tag(game, name));
  return players.some(Boolean) ? players.map((name) => name || "?").join(" – ") : tag(game, "Event") || "Game";
}

/** The games of a text, `{line, from, to, tags}`: a game ends with its result, or where tags follow moves. */
export function splitGames(text) {
  const games = [];
  let [game, hasMoves, inComment, open] = [null, false, false, 0];
  for (let [from, line] = [0, 0]; from < text.length; line += 1) {
    const end = text.indexOf("\n", from);
    const [start, to] = [from, end < 0 ? text.length : end];
    from = to + 1;
    const words = text.slice(start, to);
    const found = inComment ? null : TAG.exec(words);
    if (!words.trim() || !inComment && words.startsWith("%")) continue;
    if (!game || found && hasMoves) {
      game = { line, from: start, tags: {} };
      [hasMoves, open] = [false, 0];
      games.push(game);
    }
    game.to = to;
    if (found) { game.tags[found[1]] = found[2].replace(/\\(.)/g, "$1"); continue; }
    const moves = outside(words);
    hasMoves ||= moves.trim() !== "";
    open += moves.split("(").length - moves.split(")").length;
    if (!inComment && open <= 0 && RESULT.test(moves)) game = null;
  }
  // Comments after the last result are no game.
  return games.filter(({ tags, from, to }) => Object.keys(tags).length || /^\s*[^{;\s]|\}\s*[^{;\s]/.test(text.slice(from, to)));

  /** A line without its comments. */
  function outside(words) {
    let kept = "";
    for (const part of words.split(/([{};])/)) {
      if (inComment) inComment = part !== "}";
      else if (part === "{") inComment = true;
      else if (part === ";") break;
      else if (part !== "}") kept += part;
    }
    return kept;
  }
}

/** The list of games in `place`, a part of the page that can be closed; `choose(game)` receives the one that is clicked. */
export class GameList {
  #place; #choose; #games = []; #chosen = null;

  constructor(place, choose) {
    this.#place = place;
    this.#choose = choose;
    this.#at("order").append(...Object.keys(ORDERS).map((name) => new Option(name)));
    for (const name of ["filter", "order"]) this.#at(name).addEventListener("input", () => this.#draw());
  }

  #at(name) { return this.#place.querySelector(`#games-${name}`); }

  /** Shows the games, if there are several. */
  show(games) {
    this.#games = games.map((game, index) => ({ game, index, title: title(game), words: Object.values(game.tags).join(" ").toLowerCase() }));
    this.#place.hidden = games.length < 2;
    this.#place.open = games.length > 1;
    this.#at("title").textContent = `${games.length.toLocaleString("en")} games`;
    this.#at("filter").value = "";
    this.mark(games[0]);
  }

  /** Marks the game that is shown. */
  mark(game) {
    this.#chosen = game;
    this.#draw();
  }

  #draw() {
    const wanted = this.#at("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const key = ORDERS[this.#at("order").value];
    const found = this.#games.filter(({ words }) => wanted.every((word) => words.includes(word)));
    if (key) {
      const compare = new Intl.Collator().compare;
      found.sort(({ game: a }, { game: b }) => (key === ORDERS.Rating ? key(a) - key(b) : compare(key(a), key(b))));
    }
    this.#at("list").replaceChildren(...found.slice(0, MAX_ROWS).map((row) => this.#row(row)));
    const rest = found.length - MAX_ROWS;
    this.#at("note").textContent = rest > 0 ? `${rest.toLocaleString("en")} more: search for a player, an event or a year.` : found.length ? "" : "No game has these words.";
  }

  #row({ game, index, title: name }) {
    const item = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button" });
    const details = [tag(game, "Result"), tag(game, "Date").replace(/\.\?\?.*/, "")].filter(Boolean).join(" · ");
    button.append(`${index + 1}. ${name}`, Object.assign(document.createElement("small"), { textContent: details }));
    button.setAttribute("aria-pressed", String(game === this.#chosen));
    button.addEventListener("click", () => this.#choose(game));
    item.append(button);
    return item;
  }
}
