// The cross table of matches, computed by the server.

import { make } from "./elements.js";
import { tournament } from "./transport.js";

const container = document.getElementById("table");
document.querySelector("nav [href='/tournament']").setAttribute("aria-current", "page");

try {
  show((await tournament()).players);
} catch (error) {
  container.append(make("p", "error", error.message));
}

function show(players) {
  if (players.length === 0) { explain(); return; }
  const scroll = make("div", "scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "Cross table");
  const table = make("table", "cross");
  const head = make("tr");
  for (const text of ["#", "Player", "Elo", "± 95 %", "Points"]) head.append(heading(text, "col", text === "Player" ? "left" : ""));
  players.forEach((_, index) => head.append(heading(String(index + 1), "col")));
  table.append(wrap("thead", head), wrap("tbody", ...players.map(row)));
  scroll.append(table);
  container.append(scroll, make("p", "note",
    "Elo ratings from all games, with mean 0; errors treat games as independent. A cell shows wins, draws and losses against the player with that number."));
}

function row(player, index, players) {
  const line = make("tr");
  line.append(make("td", "note", String(index + 1)), heading(player.name, "row", "left"));
  const { rating } = player;
  line.append(make("td", "", rating ? signed(rating.elo) : ""), make("td", "note", rating ? Math.round(rating.error) : ""));
  line.append(make("td", "", `${player.points} / ${player.games}`));
  player.against.forEach((score, other) => {
    const cell = make("td", index === other ? "self" : "");
    if (score) {
      const games = score.wins + score.draws + score.losses;
      cell.append(`${(100 * (score.wins + score.draws / 2) / games).toFixed(1)} %`,
        make("small", "", `+${score.wins} =${score.draws} −${score.losses}`));
      cell.title = `${player.name} against ${players[other].name}`;
    } else if (index !== other) {
      cell.append(make("small", "", "–"));
    }
    line.append(cell);
  });
  return line;
}

function explain() {
  const commands = make("pre", "",
    'alfiere match --engine "alfiere name=network" --engine "alfiere name=classical player=classical" \\\n' +
    "    --nodes 5000 --games 100 --openings datasets/openings/noob_3moves_1000.epd --json a.json\n" +
    "alfiere play --results a.json");
  container.append(make("p", "", "There are no results yet. Play a match and start this server with its results:"), commands,
    make("p", "note", "Several files are combined; players with the same name are the same player."));
}

function signed(value) {
  const whole = Math.round(value);
  return (whole > 0 ? "+" : whole < 0 ? "−" : "") + Math.abs(whole);
}

function heading(text, scope, className = "") {
  const cell = make("th", className, text);
  cell.scope = scope;
  return cell;
}

function wrap(tag, ...children) {
  const made = make(tag);
  made.append(...children);
  return made;
}
