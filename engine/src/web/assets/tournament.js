// The cross table of matches, computed by the server.

import { at, make } from "./elements.js";
import { signed } from "./mistakes.js";
import { tournament } from "./transport.js";

document.querySelector("[data-page=tournament]").setAttribute("aria-current", "page");
tournament().then(({ players }) => at("table").append(...(players.length ? table(players) : explanation())), ({ message }) => at("table").append(make("p", "error", message)));

const heading = (text, scope, className = "") => make("th", className, text, { scope });

const table = (players) => [
  make("div", "scroll", "", { tabindex: 0, role: "region", "aria-label": "Cross table" }, make("table", "cross", "", {},
    make("thead", "", "", {}, make("tr", "", "", {}, ...["#", "Player", "Elo", "± 95 %", "Points"].map((text) => heading(text, "col", text === "Player" ? "left" : "")),
      ...players.map((_, index) => heading(String(index + 1), "col")))),
    make("tbody", "", "", {}, ...players.map(row)))),
  make("p", "note", "Elo ratings from all games, with mean 0; errors treat games as independent. A cell shows wins, draws and losses against the player with that number."),
];

function row({ name, rating, points, games, against }, index, players) {
  return make("tr", "", "", {}, make("td", "note", String(index + 1)), heading(name, "row", "left"),
    make("td", "", rating ? signed(Math.round(rating.elo)) : ""), make("td", "note", rating ? String(Math.round(rating.error)) : ""), make("td", "", `${points} / ${games}`),
    ...against.map((score, other) => {
      if (index === other) return make("td", "self");
      if (!score) return make("td", "", "", {}, make("small", "", "–"));
      const { wins, draws, losses } = score;
      return make("td", "", `${(100 * (wins + draws / 2) / (wins + draws + losses)).toFixed(1)} %`, { title: `${name} against ${players[other].name}` },
        make("small", "", `+${wins} =${draws} −${losses}`));
    }));
}

const explanation = () => [
  make("p", "", "There are no results yet. Play a match and start this server with its results:"),
  make("pre", "", 'alfiere match --engine "alfiere name=network" --engine "alfiere name=classical player=classical" \\\n' +
    "    --nodes 5000 --games 100 --openings datasets/openings/noob_3moves_1000.epd --json a.json\nalfiere play --results a.json"),
  make("p", "note", "Several files are combined; players with the same name are the same player."),
];
