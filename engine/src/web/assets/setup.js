// The form of a new game. The last choices are remembered.

import { ask, info } from "./api.js";
import { at, make, recall, remember, say } from "./elements.js";
import { begin } from "./game.js";
import { defaultLevel, levelsOf } from "./levels.js";
import { START, isFen, playerNote, playerTitle } from "./notation.js";
import { readGame } from "./pgn.js";

const KEPT = ["side", "time", "minutes", "increment", "movetime"];

/** Shows the form and calls `begun(id)` with the new game. The board shows the start position. */
export async function showSetup(form, board, begun) {
  const { players } = await info();
  const chosen = recall("setup") ?? {};
  const { elements } = form;
  fillPlayers(players, new URLSearchParams(location.search).get("player") ?? chosen.player);
  const level = elements.level;
  const levels = () => levelsOf(elements.player.value);
  /** The chosen level, kept until the slider is moved, because players have different levels. */
  let preferred = chosen.level;
  for (const name of KEPT) if (chosen[name] !== undefined) elements[name].value = chosen[name];
  for (const input of form.querySelectorAll("input[type=number]")) input.value ||= input.defaultValue;

  const update = async (event) => {
    const names = levels().map(({ name }) => name);
    if (event?.target === level) preferred = names[level.value];
    else {
      level.max = names.length - 1;
      level.value = names.indexOf(names.includes(preferred) ? preferred : defaultLevel(elements.player.value));
    }
    const { name, title } = levels()[level.value];
    at("level-name").textContent = name;
    at("level-title").textContent = level.ariaValueText = title;
    level.parentElement.hidden = names.length === 1;
    for (const kind of ["clock", "move"]) {
      const pair = at(`time-${kind}`);
      pair.hidden = elements.time.value !== kind;
      // A hidden field with a wrong value would block the form, and the browser could not say so; disabled ones are not checked.
      for (const input of pair.querySelectorAll("input")) input.disabled = pair.hidden;
    }
    const text = elements.position.value.trim();
    const fen = await positionOf(text);
    if (text === elements.position.value.trim()) board.show({ fen, orientation: elements.side.value === "black" ? "black" : "white" });
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const submit = form.querySelector("[type=submit]");
    say("setup-error", "");
    submit.disabled = true;
    try {
      const kind = elements.time.value;
      const time = { kind, seconds: kind === "clock" ? 60 * elements.minutes.value : Number(elements.movetime.value), increment: Number(elements.increment.value) };
      const settings = { side: elements.side.value, player: elements.player.value, level: levels()[level.value].name };
      const id = await begin({ ...settings, time, position: elements.position.value });
      remember("setup", { ...settings, ...Object.fromEntries(KEPT.map((name) => [name, elements[name].value])) });
      begun(id);
    } catch ({ message }) {
      say("setup-error", message);
    } finally {
      submit.disabled = false;
    }
  });
  // A line of the analysis board, to play on from.
  elements.position.value = recall("start", "sessionStorage") ?? "";
  sessionStorage.removeItem("start");
  elements.position.closest("details").open = elements.position.value !== "";
  form.hidden = false;
  document.body.classList.add("setting-up");
  update();
}

async function positionOf(text) {
  if (!text || isFen(text)) return text || START;
  return ask({ ask: "game", pgn: text }).then((game) => readGame(game).main().at(-1).fen, () => START);
}

function fillPlayers(names, chosen) {
  const checked = names.includes(chosen) ? chosen : names[0];
  at("players").replaceChildren(...names.map((name) => make("label", "", "", {},
    make("input", "", "", { type: "radio", name: "player", value: name, ...(name === checked && { checked: "" }) }),
    make("span", "", "", {}, make("b", "", playerTitle(name)), make("small", "", playerNote(name))))));
}
