// The cross table of matches, computed by the server.

import { tournament } from "./transport.js";

const container = document.getElementById("table");
document.querySelector("nav [href='/tournament']").setAttribute("aria-current", "page");

try {
  show((await tournament()).players);
} catch (error) {
  container.append(element("p", "error", error.message));
}

function show(players) {
  if (players.length === 0) { explain(); return; }
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "Cross table");
  const table = element("table", "cross");
  const head = element("tr");
  for (const text of ["", "Player", "Elo", "± 95 %", "Points"]) head.append(heading(text, "col", text === "Player" ? "left" : ""));
  players.forEach((_, index) => head.append(heading(String(index + 1), "col")));
  table.append(wrap("thead", head), wrap("tbody", ...players.map(row)));
  scroll.append(table);
  container.append(scroll, element("p", "note",
    "Elo ratings from all games, with mean 0; errors treat games as independent. A cell shows wins, draws and losses against the player with that number."));
}

function row(player, index, players) {
  const line = element("tr");
  line.append(element("td", "note", String(index + 1)), heading(player.name, "row", "left"));
  const { rating } = player;
  line.append(element("td", "", rating ? signed(rating.elo) : ""), element("td", "note", rating ? Math.round(rating.error) : ""));
  line.append(element("td", "", `${player.points} / ${player.games}`));
  player.against.forEach((score, other) => {
    const cell = element("td", index === other ? "self" : "");
    if (score) {
      const games = score.wins + score.draws + score.losses;
      cell.append(`${(100 * (score.wins + score.draws / 2) / games).toFixed(1)} %`,
        element("small", "", `+${score.wins} =${score.draws} −${score.losses}`));
      cell.title = `${player.name} against ${players[other].name}`;
    } else if (index !== other) {
      cell.append(element("small", "", "–"));
    }
    line.append(cell);
  });
  return line;
}

function explain() {
  const commands = element("pre", "",
    'alfiere match --engine "alfiere name=network" --engine "alfiere name=classical player=classical" \\\n' +
    "    --nodes 5000 --games 100 --openings datasets/openings/noob_3moves_1000.epd --json a.json\n" +
    "alfiere play --results a.json");
  container.append(element("p", "", "There are no results yet. Play a match and start this server with its results:"), commands,
    element("p", "note", "Several files are combined; players with the same name are the same player."));
}

function signed(value) {
  const whole = Math.round(value);
  return (whole > 0 ? "+" : whole < 0 ? "−" : "") + Math.abs(whole);
}

function heading(text, scope, className = "") {
  const cell = element("th", className, text);
  cell.scope = scope;
  return cell;
}

function wrap(tag, ...children) {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

function element(tag, className = "", text = "") {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}
