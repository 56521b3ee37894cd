// The form of a new game. The last choices are remembered.

import { info } from "./api.js";
import { begin } from "./game.js";
import { defaultLevel, levelsOf } from "./levels.js";
import { START, isFen, playerNote, playerTitle } from "./notation.js";

/** Shows the form and calls `begun(id)` with the new game. The board shows the start position. */
export async function showSetup(form, board, begun) {
  const { players } = await info();
  const chosen = recall();
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

  const update = (event) => {
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
    board.show({ fen: isFen(text) ? text : START, orientation: form.elements.side.value === "black" ? "black" : "white" });
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
      remember(form, settings);
      begun(id);
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
  form.hidden = false;
  document.body.classList.add("setting-up");
  update();
}

function fillPlayers(place, names, chosen) {
  const checked = names.includes(chosen) ? chosen : names[0];
  place.replaceChildren(...names.map((name) => {
    const label = document.createElement("label");
    const input = Object.assign(document.createElement("input"), {
      type: "radio", name: "player", value: name, checked: name === checked,
    });
    const text = document.createElement("span");
    text.append(Object.assign(document.createElement("b"), { textContent: playerTitle(name) }),
      Object.assign(document.createElement("small"), { textContent: playerNote(name) }));
    label.append(input, text);
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

function remember(form, { side, player, level }) {
  const { time, minutes, increment, movetime } = form.elements;
  const kept = { side, player, level, time: time.value, minutes: minutes.value, increment: increment.value, movetime: movetime.value };
  try { localStorage.setItem("setup", JSON.stringify(kept)); } catch { /* the choices are not remembered */ }
}

function recall() {
  try { return JSON.parse(localStorage.getItem("setup")) ?? {}; } catch { return {}; }
}
