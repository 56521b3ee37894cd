// The form of a new game. The last choices are remembered.

import * as api from "./api.js";
import { START, isFen, playerNote, playerTitle, sentence } from "./notation.js";

/** Shows the form and calls `begun(game)` with the new game. The board shows the start position. */
export async function showSetup(form, board, begun) {
  const info = await api.info();
  const chosen = recall();
  fillPlayers(form.querySelector("#players"), info.players.map(({ name }) => name), info.player ?? chosen.player);
  const level = form.elements.level;
  const player = () => info.players.find(({ name }) => name === form.elements.player.value);
  /** The chosen level, kept until the slider is moved, because players have different levels. */
  let preferred = chosen.level;
  const fitLevel = () => {
    const names = player().levels.map(({ name }) => name);
    level.max = names.length - 1;
    level.value = names.indexOf(names.includes(preferred) ? preferred : player().level);
  };
  for (const name of ["side", "time", "minutes", "increment", "movetime"]) {
    if (chosen[name] !== undefined) form.elements[name].value = chosen[name];
  }
  form.querySelectorAll("input[type=number]").forEach((input) => { if (!input.value) input.value = input.defaultValue; });

  const update = (event) => {
    if (event?.target === level) preferred = player().levels[level.value].name;
    else fitLevel();
    const { name, title } = player().levels[level.value];
    form.querySelector("#level-name").textContent = name;
    form.querySelector("#level-title").textContent = title;
    level.setAttribute("aria-valuetext", title);
    level.parentElement.hidden = player().levels.length === 1;
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
      const settings = read(form, player());
      const text = settings.position.trim();
      if (text && !isFen(text)) {
        const { error: problem } = await api.ask({ ask: "game", pgn: text });
        if (problem) throw new Error(sentence(problem));
      }
      remember(form, settings);
      begun(await api.begin(settings));
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

function read(form, player) {
  const { side, level, time, minutes, increment, movetime, position } = form.elements;
  const times = {
    none: { kind: "none" },
    clock: { kind: "clock", seconds: 60 * Number(minutes.value), increment: Number(increment.value) },
    move: { kind: "move", seconds: Number(movetime.value) },
  };
  return {
    side: side.value, player: player.name, level: player.levels[level.value].name, time: times[time.value],
    position: position.value,
  };
}

function remember(form, { side, player, level }) {
  const { time, minutes, increment, movetime } = form.elements;
  const kept = {
    side, player, level, time: time.value, minutes: minutes.value, increment: increment.value, movetime: movetime.value,
  };
  try { localStorage.setItem("setup", JSON.stringify(kept)); } catch { /* the choices are not remembered */ }
}

function recall() {
  try { return JSON.parse(localStorage.getItem("setup")) ?? {}; } catch { return {}; }
}
