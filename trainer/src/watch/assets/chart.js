// A chart of curves, with the values under the pointer; drawn by uPlot (MIT).

import { make } from "./elements.js";
import uPlot from "./uplot.js";

/** The colours of the runs, also those of `.swatch`. */
const COLORS = ["#0072b2", "#d55e00", "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#7d7d7d"];
const HEIGHT = 260;
const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The nearest point of a curve that has a value: curves are measured at different places. */
function nearest(plot, series, index) {
  const values = plot.data[series];
  for (let away = 0; away < values.length; away += 1) for (const at of [index - away, index + away]) if (values[at] != null) return at;
  return index;
}

export class Chart {
  element = make("figure", "chart");
  #plot = null; #key = ""; #isZoomed = false;

  constructor() {
    this.element.append(make("figcaption"), make("div", "", "", { role: "img" }));
    new ResizeObserver(() => this.#plot?.setSize({ width: this.#width(), height: HEIGHT })).observe(this.element);
  }

  #width() { return Math.max(200, this.element.clientWidth - 16); }

  /**
   * Shows `{title, curves, mark, baseline}`: curves are `{name, color, dashed, points}`, `mark` a place with its name, `baseline`
   * a name and a value. `place(x, curve)` is where a point is shown; bars have `bars`. What is zoomed stays so.
   */
  show({ title, curves, mark, baseline, bars = false }, { label = "epoch", place = (x) => x, isLogarithmic = false } = {}) {
    const [caption, box] = this.element.children;
    caption.textContent = [title.replace(/ by epoch$/, ""), mark?.[0]].filter(Boolean).join(" · ");
    box.setAttribute("aria-label", title);
    const data = uPlot.join(curves.map((curve) => {
      const points = curve.points.map(([x, y]) => [place(x, curve), y]).filter(([x]) => x !== null);
      return [points.map(([x]) => x), points.map(([, y]) => y)];
    }));
    if (baseline) data.push(data[0].map(() => baseline[1]));
    const isLog = isLogarithmic && data.slice(1).flat().every((value) => value == null || value > 0);
    const key = JSON.stringify([curves.map(({ name, color }) => [name, color]), baseline?.[0], label, isLog, document.documentElement.dataset.theme]);
    if (this.#plot && key === this.#key) { this.#plot.setData(data, !this.#isZoomed); return; }
    this.#plot?.destroy();
    [this.#key, this.#isZoomed] = [key, false];
    const axis = { stroke: variable("--muted"), grid: { stroke: variable("--line"), width: 1 }, ticks: { stroke: variable("--line") }, font: "12px system-ui" };
    const number = (plot, value) => (value == null ? "–" : value.toLocaleString("en", { maximumSignificantDigits: 4 }).replace("-", "−"));
    // By themselves, axes have three decimals: too few for a learning rate.
    const values = (plot, splits) => splits.map((split) => (split == null ? "" : number(plot, split)));
    this.#plot = new uPlot({
      width: this.#width(), height: HEIGHT,
      scales: { x: { time: false }, y: { distr: isLog ? 3 : 1 } },
      axes: [{ ...axis, label, labelSize: 20, ...(label === "epoch" && { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000] }) }, { ...axis, size: 64, values }],
      cursor: { dataIdx: nearest },
      series: [{ label, value: number }, ...curves.map(({ name, color, dashed, points }) => ({
        label: name || "value", stroke: COLORS[color], width: 2, dash: dashed ? [5, 4] : undefined, spanGaps: true, value: number,
        points: { show: points.length < 40 && !bars }, ...(bars && { paths: uPlot.paths.bars({ size: [0.95] }), fill: COLORS[color] }),
      })), ...(baseline ? [{ label: baseline[0], stroke: variable("--muted"), dash: [2, 4], value: number, points: { show: false } }] : [])],
      hooks: {
        setSelect: [({ select: { width } }) => { this.#isZoomed = width > 0; }],
        ready: [({ over }) => over.addEventListener("dblclick", () => { this.#isZoomed = false; })],
      },
    }, data, box);
  }
}
