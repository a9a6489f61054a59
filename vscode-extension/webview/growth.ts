/** The lower bound for epsilon while runs come in. */

import * as Plot from "@observablehq/plot";
import type { Audit, Counterexample } from "../src/panels/messages";
import { details, h, picture, table } from "./dom";
import { atLeast, compact, finite, short } from "./numbers";

/** The axis spans at least so many times the runs that it begins with. */
const LEAST_SPAN = 10;

export interface Point {
  readonly runs: number;
  readonly lower: number;
}

/** The points in their order: each bound holds on, so that the line never falls. The verdict's own is the last one. */
export function points(view: Counterexample, heard: readonly Point[]): Point[] {
  const known = view.growth.map(([runs, lower]) => ({ runs, lower: finite(lower) }));
  const all = [...known, { runs: view.bound.runs, lower: finite(view.bound.lower) }, ...heard];
  const sorted = all.filter((one) => Number.isFinite(one.lower)).sort((a, b) => a.runs - b.runs);
  let best = 0;
  const grown: Point[] = [];
  for (const one of sorted) {
    best = Math.max(best, one.lower);
    const before = grown.at(-1);
    if (before === undefined || one.runs > before.runs) {
      grown.push({ runs: one.runs, lower: best });
    } else {
      grown[grown.length - 1] = { runs: one.runs, lower: best };
    }
  }
  return grown;
}

/** What an audit that goes on adds to what is known. */
export function heardPoint(view: Counterexample, audit: Audit): Point | undefined {
  if (audit.epsilonLower === null || audit.claimed !== view.bound.claimed) {
    return undefined;
  }
  return { runs: view.bound.runs + audit.runs, lower: audit.epsilonLower };
}

export function growthFigure(view: Counterexample, heard: readonly Point[], width: number): HTMLElement {
  const grown = points(view, heard);
  const last = grown.at(-1);
  if (last === undefined) {
    return h("p", {}, "No finite epsilon holds, so there is no bound that could grow.");
  }
  // A bound grows with the logarithm of the runs; on a linear axis there would be a wall at its beginning.
  const seen = Math.max(1, grown[0]?.runs ?? 1);
  const wide = last.runs >= LEAST_SPAN * seen;
  const first = wide ? seen : Math.max(1, last.runs / LEAST_SPAN);
  const line = wide ? grown : [{ runs: first, lower: 0 }, ...grown];
  const drawing = Plot.plot({
    width,
    height: 230,
    marginLeft: 46,
    marginRight: 96,
    marginTop: 24,
    marginBottom: 40,
    className: "plot",
    x: { type: "log", label: "runs →", tickFormat: (d: number) => logTick(d), domain: [first, last.runs] },
    y: { label: "↑ ε is at least", domain: [0, Math.max(last.lower, view.bound.claimed) * 1.12], grid: true, ticks: 5 },
    marks: [
      Plot.areaY(line, { x: "runs", y1: 0, y2: "lower", curve: "step-after", fill: "var(--bad)", fillOpacity: 0.12 }),
      Plot.line(line, { x: "runs", y: "lower", curve: "step-after", stroke: "var(--bad)", strokeWidth: 2 }),
      Plot.ruleY([view.bound.claimed], { stroke: "var(--good)", strokeDasharray: "6 3", strokeWidth: 1.75 }),
      Plot.dot([last], { x: "runs", y: "lower", fill: "var(--bad)", r: 4 }),
      Plot.text([last], {
        x: "runs",
        y: "lower",
        text: (d: Point) => `ε ≥ ${atLeast(d.lower)}`,
        textAnchor: "start",
        dx: 8,
        fill: "currentColor",
        fontWeight: 600,
      }),
      Plot.text([view.bound.claimed], {
        x: last.runs,
        y: (d: number) => d,
        text: (d: number) => `claimed ${short(d)}`,
        textAnchor: "start",
        dx: 8,
        dy: nearby(last.lower, view.bound.claimed) ? 12 : 0,
        fill: "currentColor",
      }),
      Plot.ruleY([0], { stroke: "var(--axis)" }),
    ],
  });
  const words =
    `After ${compact(last.runs)} runs epsilon is at least ${atLeast(last.lower)} ` +
    `at ${view.bound.confidence} confidence; ${short(view.bound.claimed)} was claimed.`;
  return h(
    "figure",
    {},
    picture(drawing, words),
    h("figcaption", {}, words),
    details(
      "Numbers of this picture",
      table("The bound for epsilon by runs", ["runs", "epsilon is at least"], thinned(grown).map((one) => [one.runs.toLocaleString("en"), atLeast(one.lower)])),
    ),
  );
}

/** Of the ticks of a logarithmic axis only 1, 2 and 5 have room for a name. */
function logTick(value: number): string {
  const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
  return digit === 1 || digit === 2 || digit === 5 ? compact(value) : "";
}

function nearby(one: number, two: number): boolean {
  return Math.abs(one - two) < 0.12 * Math.max(one, two);
}

/** At most thirty of them, the last among these. */
function thinned(all: readonly Point[]): Point[] {
  const step = Math.max(1, Math.ceil(all.length / 30));
  return all.filter((_, i) => (all.length - 1 - i) % step === 0);
}
