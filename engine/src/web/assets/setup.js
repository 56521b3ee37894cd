// The form of a new game. The last choices are remembered.

import { ask, info } from "./api.js";
import { make, recall, remember } from "./elements.js";
import { begin } from "./game.js";
import { defaultLevel, levelsOf } from "./levels.js";
import { START, isFen, playerNote, playerTitle } from "./notation.js";

/** Shows the form and calls `begun(id)` with the new game. The board shows the start position. */
export async function showSetup(form, board, begun) {
  const { players } = await info();
  const chosen = recall("setup") ?? {};
  fillPlayers(form.querySelector("#players"), players, new URLSearchParams(location.search).get("player") ?? chosen.player);
  const level = form.elements.level;
  const player = () => form.elements.player.value;
  const levels = () => levelsOf(player());
  /** The chosen level, kept until the slider is moved, because players have different levels. */
  let preferred = chosen.level;
  const fitLevel = () => {
    const names = levels().map(({ name }) => name);
    level.max = names.length - 1;
    level.value = names.indexOf(names.includes(preferred) ? preferred : defaultLevel(player()));
  };
  for (const name of ["side", "time", "minutes", "increment", "movetime"]) {
    if (chosen[name] !== undefined) form.elements[name].value = chosen[name];
  }
  form.querySelectorAll("input[type=number]").forEach((input) => { if (!input.value) input.value = input.defaultValue; });

  const update = async (event) => {
    if (event?.target === level) preferred = levels()[level.value].name;
    else fitLevel();
    const { name, title } = levels()[level.value];
    form.querySelector("#level-name").textContent = name;
    form.querySelector("#level-title").textContent = title;
    level.setAttribute("aria-valuetext", title);
    level.parentElement.hidden = levels().length === 1;
    for (const kind of ["clock", "move"]) {
      const pair = form.querySelector(`#time-${kind}`);
      pair.hidden = form.elements.time.value !== kind;
      // A hidden field with a wrong value would block the form, and the browser could not say so; disabled ones are not checked.
      pair.querySelectorAll("input").forEach((input) => { input.disabled = pair.hidden; });
    }
    const text = form.elements.position.value.trim();
    const fen = await positionOf(text);
    if (text !== form.elements.position.value.trim()) return;
    board.show({ fen, orientation: form.elements.side.value === "black" ? "black" : "white" });
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const error = form.querySelector("#setup-error");
    const button = form.querySelector("[type=submit]");
    error.hidden = true;
    button.disabled = true;
    try {
      const settings = read(form, levels()[level.value].name);
      const id = await begin(settings);
      keep(form, settings);
      begun(id);
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
  // A line of the analysis board, to play on from.
  form.elements.position.value = recall("start", "sessionStorage") ?? "";
  sessionStorage.removeItem("start");
  form.elements.position.closest("details").open = form.elements.position.value !== "";
  form.hidden = false;
  document.body.classList.add("setting-up");
  update();
}

/** The position where a text leads. */
async function positionOf(text) {
  if (!text || isFen(text)) return text || START;
  const { start, nodes } = await ask({ ask: "game", pgn: text }).catch(() => ({ start: { fen: START }, nodes: [] }));
  let place = 0;
  for (let next; (next = nodes.findIndex(({ parent }) => parent === place)) >= 0;) place = next + 1;
  return nodes[place - 1]?.fen ?? start.fen;
}

function fillPlayers(place, names, chosen) {
  const checked = names.includes(chosen) ? chosen : names[0];
  place.replaceChildren(...names.map((name) => {
    const [label, text] = [make("label"), make("span")];
    text.append(make("b", "", playerTitle(name)), make("small", "", playerNote(name)));
    label.append(Object.assign(make("input"), { type: "radio", name: "player", value: name, checked: name === checked }), text);
    return label;
  }));
}

function read(form, level) {
  const { side, player, time, minutes, increment, movetime, position } = form.elements;
  const times = {
    none: { kind: "none" },
    clock: { kind: "clock", seconds: 60 * Number(minutes.value), increment: Number(increment.value) },
    move: { kind: "move", seconds: Number(movetime.value) },
  };
  return { side: side.value, player: player.value, level, time: times[time.value], position: position.value };
}

function keep(form, { side, player, level }) {
  const { time, minutes, increment, movetime } = form.elements;
  remember("setup", { side, player, level, time: time.value, minutes: minutes.value, increment: increment.value, movetime: movetime.value });
}
