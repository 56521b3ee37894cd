// The evaluation: a bar next to the board, and a graph of the game.

import { draw } from "./elements.js";
import { score } from "./notation.js";

const [WIDTH, HEIGHT] = [300, 60];

export function showBar(bar, evaluation, orientation) {
  bar.classList.toggle("turned", orientation === "black");
  bar.classList.toggle("unknown", !evaluation);
  bar.classList.toggle("for-black", evaluation?.expected_score < 0.5);
  const text = score(evaluation);
  // The bar is narrow: no decimals at ten pawns or more.
  bar.querySelector(".bar-text").textContent = text.replace(/^[+−]/, "").replace(/^(\d{2,})\.\d$/, "$1");
  const percent = evaluation && Math.round(100 * evaluation.expected_score);
  bar.ariaLabel = evaluation ? `Evaluation ${text}, White’s expected score ${percent} percent` : "No evaluation";
  bar.title = evaluation ? `${text} · White’s expected score ${percent} %` : "";
  if (evaluation) bar.style.setProperty("--white", evaluation.expected_score);
}

/**
 * Draws the graph of all positions, `{evaluation, fault}`, with dots at faults, and a marker at `ply`; unknown positions are gaps.
 * `choose(ply)` receives the position that is clicked.
 */
export function showCurve(svg, stages, ply, choose) {
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const last = Math.max(1, stages.length - 1);
  const x = (index) => Number(((WIDTH * index) / last).toFixed(2));
  const y = ({ expected_score: share }) => Number((HEIGHT * (1 - share)).toFixed(2));
  const runs = [];
  stages.forEach(({ evaluation }, index) => {
    if (!evaluation) return;
    if (!stages[index - 1]?.evaluation) runs.push([]);
    runs.at(-1).push([x(index), y(evaluation)]);
  });
  const filled = runs.flatMap((points) => {
    // One known position is as wide as the way to its neighbours.
    if (points.length === 1) points = [-1, 1].map((side) => [Math.min(WIDTH, Math.max(0, points[0][0] + (side * WIDTH) / (4 * last))), points[0][1]]);
    const [first, end, top] = [points[0][0], points.at(-1)[0], points.join(" ")];
    return [draw("rect", { class: "curve-black", x: first, width: end - first, height: HEIGHT }),
      draw("polygon", { class: "curve-white", points: `${first},${HEIGHT} ${top} ${end},${HEIGHT}` }), draw("polyline", { class: "curve-line", points: top })];
  });
  // A line without length is a round dot, however the graph is stretched.
  const dots = stages.flatMap(({ evaluation, fault }, index) => (evaluation && fault
    ? [draw("path", { class: `curve-bad ${fault}`, d: `M${x(index)},${y(evaluation)} h0` })] : []));
  svg.replaceChildren(...filled, draw("line", { class: "curve-even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    draw("line", { class: "curve-mark", x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }), ...dots);
  svg.onclick = ({ clientX }) => {
    const box = svg.getBoundingClientRect();
    choose(Math.round(Math.min(1, Math.max(0, (clientX - box.left) / box.width)) * (stages.length - 1)));
  };
}
