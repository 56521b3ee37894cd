// The evaluation: a bar next to the board, and a graph of the game.

import { score } from "./notation.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [300, 60];

/** Shows an evaluation on the bar; null if there is none. */
export function showBar(bar, evaluation, orientation) {
  bar.classList.toggle("turned", orientation === "black");
  bar.classList.toggle("unknown", !evaluation);
  bar.classList.toggle("for-black", evaluation?.expected_score < 0.5);
  const text = score(evaluation);
  // The bar is narrow: no decimals at ten pawns or more.
  bar.querySelector(".bar-text").textContent = text.replace(/^[+−]/, "").replace(/^(\d{2,})\.\d$/, "$1");
  const percent = evaluation && Math.round(100 * evaluation.expected_score);
  bar.setAttribute("aria-label", evaluation ? `Evaluation ${text}, White’s expected score ${percent} percent` : "No evaluation");
  bar.title = evaluation ? `${text} · White’s expected score ${percent} %` : "";
  if (evaluation) bar.style.setProperty("--white", evaluation.expected_score);
}

/** Draws the graph of all positions, `{evaluation, fault}`, with dots at faults, and a marker at `ply`. */
export function showCurve(svg, stages, ply) {
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const last = Math.max(1, stages.length - 1);
  const x = (index) => ((WIDTH * index) / last).toFixed(2);
  const points = [];
  const dots = [];
  stages.forEach(({ evaluation, fault }, index) => {
    if (!evaluation) return;
    const point = [x(index), (HEIGHT * (1 - evaluation.expected_score)).toFixed(2)];
    points.push(point);
    // A line without length is a round dot, however the graph is stretched.
    if (fault) dots.push(shape("path", { class: `curve-bad ${fault}`, d: `M${point} h0` }));
  });
  const children = [];
  if (points.length > 1) {
    const [first, end] = [points[0][0], points.at(-1)[0]];
    children.push(shape("rect", { class: "curve-black", x: first, width: end - first, height: HEIGHT }));
    const top = points.map(([a, b]) => `${a},${b}`).join(" ");
    children.push(shape("polygon", {
      class: "curve-white", points: `${first},${HEIGHT} ${top} ${end},${HEIGHT}`,
    }));
    children.push(shape("polyline", { class: "curve-line", points: top }));
  }
  children.push(shape("line", { class: "curve-even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  children.push(shape("line", { class: "curve-mark", x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }));
  svg.replaceChildren(...children, ...dots);
}

/** The position, out of `count`, of a click on the graph. */
export function plyAt(svg, event, count) {
  const box = svg.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  return Math.round(share * (count - 1));
}

function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
