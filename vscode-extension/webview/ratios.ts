/** The two probabilities of the event, and what the claim allows beside what was found, as bars. */

import * as Plot from "@observablehq/plot";
import type { Counterexample } from "../src/panels/messages";
import { h, picture } from "./dom";
import { finite, limitWords, ratioRange, short } from "./numbers";

const ROW = 34;
const FRAME = { height: 2 * ROW + 48, marginTop: 6, marginBottom: 42, marginLeft: 74, className: "plot" } as const;

/** How likely the event is on either side, or how dense the outputs are there, with the interval as a whisker. */
export function probabilityBars(view: Counterexample, width: number): HTMLElement {
  const rows = view.probabilities.map((one, side) => ({ ...one, name: side === 0 ? "on D1" : "on D2", side }));
  const drawing = Plot.plot({
    width,
    ...FRAME,
    marginRight: 70,
    x: { label: view.measure === "density" ? "density at the output →" : "probability of the event →", domain: [0, top(view, rows.map((row) => row.interval[1]))], ticks: 5 },
    y: { label: null, domain: rows.map((row) => row.name), padding: 0.25, tickSize: 0 },
    marks: [
      Plot.barX(rows, {
        x: "value",
        y: "name",
        fill: (d: (typeof rows)[number]) => (d.side === 0 ? "var(--d1)" : "var(--d2)"),
        fillOpacity: 0.75,
      }),
      Plot.ruleY(rows, {
        x1: (d: (typeof rows)[number]) => d.interval[0],
        x2: (d: (typeof rows)[number]) => d.interval[1],
        y: "name",
        stroke: "currentColor",
        strokeWidth: 1.5,
        marker: "tick",
      }),
      ...ends(rows, (row) => Math.max(row.value, row.interval[1])),
    ],
  });
  const words = view.probabilities.map((one, side) => {
    if (one.runs === null || one.count === null) {
      return `D${side + 1}: ${one.text} (exact)`;
    }
    const seen = `seen in ${one.count.toLocaleString("en")} of ${one.runs.toLocaleString("en")} runs`;
    return `D${side + 1}: ${one.text} (${one.between}, ${seen})`;
  });
  const title = view.measure === "density" ? "Density at the output" : "Probability of the event";
  return h("figure", {}, picture(drawing, `${title}. ${words.join(". ")}.`), lines(words));
}

/** The largest ratio (or, with a delta, probability on D1) that the claim allows, and the one that was found. */
export function limitBars(view: Counterexample, width: number): HTMLElement {
  const allowed = finite(view.limit.allowed);
  const found = finite(view.limit.found);
  const ratio = view.limit.of === "ratio";
  const unit = ratio ? " ×" : "";
  const range = view.limit.atLeast || !Number.isFinite(found) ? undefined : ratioRange(view);
  const most = Number.isFinite(found) ? Math.max(found, allowed, Math.min(range?.[1] ?? 0, 1.6 * found)) : 4 * allowed;
  const whiskers = range === undefined ? [] : [{ low: range[0], high: Math.min(range[1], most) }];
  const rows = [
    { name: "allowed", value: allowed, text: `${short(allowed)}${unit}`, fill: "var(--good)" },
    {
      name: "found",
      value: Number.isFinite(found) ? found : most,
      text: Number.isFinite(found) ? `${view.limit.atLeast ? "> " : ""}${short(found)}${unit}` : "without limit",
      fill: "var(--bad)",
    },
  ];
  const drawing = Plot.plot({
    width,
    ...FRAME,
    marginRight: 88,
    x: {
      label: ratio ? "times likelier on D1 than on D2 →" : "probability on D1 →",
      domain: [0, most * 1.02],
      ticks: 5,
    },
    y: { label: null, domain: rows.map((row) => row.name), padding: 0.25, tickSize: 0 },
    marks: [
      Plot.barX(rows, { x: "value", y: "name", fill: "fill", fillOpacity: 0.8 }),
      Plot.ruleY(whiskers, { x1: "low", x2: "high", y: () => "found", stroke: "currentColor", strokeWidth: 1.5, marker: "tick" }),
      Plot.ruleX([allowed], { stroke: "var(--good)", strokeDasharray: "4 3", strokeWidth: 1.5 }),
      ...ends(rows, (row) => (row.name === "found" ? Math.max(row.value, whiskers[0]?.high ?? 0) : row.value)),
    ],
  });
  return h("figure", {}, picture(drawing, limitWords(view)), lines([limitWords(view)]));
}

/** The number at the end of each bar, and the line that bars start from. */
function ends<Row extends { readonly text: string }>(rows: readonly Row[], at: (row: Row) => number): Plot.Markish[] {
  const style = { textAnchor: "start", dx: 7, fill: "currentColor", fontWeight: 600 } as const;
  return [Plot.text(rows, { x: at, y: "name", text: "text", ...style }), Plot.ruleX([0], { stroke: "var(--axis)" })];
}

function lines(texts: readonly string[]): HTMLElement {
  return h("figcaption", {}, ...texts.map((text) => h("span", { class: "line" }, text)));
}

function top(view: Counterexample, values: readonly number[]): number {
  const most = Math.max(...values) * 1.05;
  return (view.measure === "density" ? most : Math.min(1, most)) || 1;
}
