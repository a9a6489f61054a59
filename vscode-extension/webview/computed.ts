/** What is computed of the outputs without a run, drawn over the bars of runs: lines, or marks where values are single. */

import * as Plot from "@observablehq/plot";
import type { Bar, Outputs } from "../src/panels/messages";
import { h } from "./dom";
import { percent } from "./numbers";

const DASHES = ["none", "7 3"] as const;
const SYMBOLS = ["circle", "square"] as const;

/** The probabilities of a bar on both sides, null where they are not known. */
export function sharesOf(outputs: Outputs, bar: Bar): readonly [number, number] | null {
  const place = outputs.bars.indexOf(bar);
  const found = place >= 0 ? outputs.computed?.bars[place] : outputs.computed?.others[outputs.others.indexOf(bar)];
  return found ?? null;
}

/** A histogram's: densities times the width of a bin, as the heights of bars are; of whole numbers their probabilities. */
export function computedMarks(outputs: Outputs, colours: readonly string[]): Plot.Markish[] {
  const { computed } = outputs;
  if (!computed) {
    return [];
  }
  const width = binWidth(outputs);
  return ([0, 1] as const).map((side) => {
    const stroke = colours[side] ?? "currentColor";
    if (computed.line.length > 0) {
      const points = computed.line.map((one) => ({ x: one[0], y: one[side === 0 ? 1 : 2] * width }));
      return Plot.line(points, { x: "x", y: "y", stroke, strokeWidth: 2.25, strokeDasharray: DASHES[side] });
    }
    const points = outputs.bars.flatMap((bar, i) => {
      const both = computed.bars[i];
      return both ? [{ x: ((bar.low ?? 0) + (bar.high ?? 0)) / 2, y: both[side] }] : [];
    });
    return Plot.dot(points, { x: "x", y: "y", stroke, strokeWidth: 2, symbol: SYMBOLS[side], r: 4 });
  });
}

function binWidth(outputs: Outputs): number {
  const [first] = outputs.bars;
  return (first?.high ?? 1) - (first?.low ?? 0);
}

/** The highest point of a line of a histogram, 0 where none is drawn. */
export function highestComputed(outputs: Outputs, side: 0 | 1): number {
  return Math.max(0, ...(outputs.computed?.line ?? []).map((one) => one[side === 0 ? 1 : 2] * binWidth(outputs)));
}

/** Of categories: a mark on each bar where its end was computed to be. */
export function computedRows(outputs: Outputs, bars: readonly Bar[], row: number): Plot.Markish[] {
  return ([0, 1] as const).map((side) => {
    const ends = bars.flatMap((bar) => {
      const both = sharesOf(outputs, bar);
      return both === null ? [] : [{ label: bar.label, x: both[side] }];
    });
    const dy = side === 0 ? 2 - row / 4 : row / 4 - 2;
    return Plot.dot(ends, { x: "x", y: "label", dy, stroke: "currentColor", strokeWidth: 2, symbol: SYMBOLS[side], r: 4 });
  });
}

export function computedLegend(outputs: Outputs): (HTMLElement | string)[] {
  if (!outputs.computed) {
    return [];
  }
  const kind = outputs.computed.line.length > 0 ? "line" : "mark";
  return [
    h("span", { class: `${kind} d1` }),
    "D1, computed",
    h("span", { class: `${kind} d2` }),
    "D2, computed",
  ];
}

/** What the lines or marks are, in a sentence; empty where nothing was computed. */
export function computedWords(outputs: Outputs): string {
  const { computed } = outputs;
  if (!computed) {
    return "";
  }
  const what = computed.line.length > 0 ? "Lines, solid for D1 and dashed for D2" : "Marks, round for D1 and square for D2";
  return ` ${what}: computed without a run, by ${computed.certifiedBy}, in exact arithmetic.${agreement(outputs)}`;
}

/** By how much the runs of the picture differ from what was computed, at most. */
function agreement(outputs: Outputs): string {
  const apart = outputs.bars.flatMap((bar) => {
    const both = sharesOf(outputs, bar);
    return both === null ? [] : ([0, 1] as const).map((side) => Math.abs(bar.counts[side] / Math.max(1, outputs.runs[side]) - both[side]));
  });
  return apart.length === 0 ? "" : ` No bar of runs is further from it than ${percent(Math.max(...apart))} of the runs.`;
}
