/** The outputs on D1 and D2, drawn over each other, with the event shaded. */

import * as Plot from "@observablehq/plot";
import type { Bar, Outputs, Refused } from "../src/panels/messages";
import { button, details, h, picture, table } from "./dom";
import { computedLegend, computedMarks, computedRows, computedWords, highestComputed, sharesOf } from "./computed";
import { barName, eventBands, outputsWords, percent, share, short } from "./numbers";
import { send } from "./vscode";

const SIDES = ["D1", "D2"] as const;
const COLOURS = ["var(--d1)", "var(--d2)"] as const;
const ROW = 38;
/** How wide a letter of a label is at most. */
const LETTER = 7.2;

/** The picture, or why there is none yet. */
export function outputsPart(outputs: Outputs | Refused | undefined, event: string | null, width: number): HTMLElement {
  if (outputs === undefined) {
    return h("p", { class: "waiting", role: "status" }, "Running the function on both inputs for a picture of its outputs …");
  }
  if ("error" in outputs) {
    return h(
      "p",
      { class: "waiting" },
      `There is no picture of the outputs. ${outputs.error} `,
      button("Try again", () => send({ type: "drawAgain" })),
    );
  }
  return outputsFigure(outputs, event, width);
}

/** The picture with its legend, and its numbers as a table. event: null where there is none to be told apart. */
function outputsFigure(drawn: Outputs, event: string | null, width: number): HTMLElement {
  const outputs = event === null ? { ...drawn, bars: drawn.bars.map(allAlike), others: drawn.others.map(allAlike) } : drawn;
  const parts: (HTMLElement | false)[] = [];
  if (outputs.kind === "numbers") {
    parts.push(picture(histogram(outputs, width), pictureWords(outputs, event)));
    if (outputs.others.length > 0) {
      parts.push(h("p", { class: "quiet" }, "Single values that come often, and outputs that are no number there:"));
      parts.push(picture(categories(outputs, outputs.others, width, null), "The bars of the table below, for other outputs."));
    }
  } else {
    parts.push(picture(categories(outputs, outputs.bars, width, outputs.measure), pictureWords(outputs, event)));
  }
  return h(
    "figure",
    {},
    legend(outputs, event),
    ...parts,
    h(
      "figcaption",
      {},
      `${runsWords(outputs)} made for this picture.${event === null ? "" : " Dark bars are in the event, pale ones are not."}`,
      ...outputs.notes.map((note) => ` Note: ${note}.`),
      computedWords(outputs),
    ),
    details("Numbers of this picture", numbersTable(outputs, event)),
  );
}

/** A bar none of which is in an event. */
function allAlike(bar: Bar): Bar {
  return { ...bar, inside: [0, 0] };
}

function pictureWords(outputs: Outputs, event: string | null): string {
  return `${outputsWords(outputs, event)}${computedWords(outputs)}`;
}

function legend(outputs: Outputs, event: string | null): HTMLElement {
  return h(
    "p",
    { class: "legend", "aria-hidden": "true" },
    h("span", { class: "swatch d1" }),
    "outputs on D1",
    h("span", { class: "swatch d2" }),
    "outputs on D2",
    event !== null && h("span", { class: "swatch event" }),
    event !== null && "the event",
    ...computedLegend(outputs),
  );
}

function runsWords(outputs: Outputs): string {
  const [one, two] = outputs.runs;
  return one === two
    ? `${one.toLocaleString("en")} runs on each side,`
    : `${one.toLocaleString("en")} runs on D1 and ${two.toLocaleString("en")} on D2,`;
}

function histogram(outputs: Outputs, width: number): Element {
  const bins = outputs.bars.map((bar) => ({ low: bar.low ?? 0, high: bar.high ?? 0, bar }));
  const most = Math.max(...outputs.bars.flatMap((bar) => SIDES.map((_, i) => share(bar, outputs, i as 0 | 1).all)));
  const marks: Plot.Markish[] = [
    Plot.rect(eventBands(outputs.bars), { x1: "low", x2: "high", y1: 0, y2: most * 1.05, fill: "var(--event)" }),
  ];
  for (const side of [0, 1] as const) {
    const all = (d: (typeof bins)[number]): number => share(d.bar, outputs, side).all;
    const inside = (d: (typeof bins)[number]): number => share(d.bar, outputs, side).inside;
    const place = { x1: "low", x2: "high", fill: COLOURS[side] };
    marks.push(
      Plot.rectY(bins, { ...place, y1: inside, y2: all, fillOpacity: 0.18 }),
      Plot.rectY(bins, { ...place, y1: 0, y2: inside, fillOpacity: 0.55 }),
    );
  }
  for (const side of outputs.computed ? [] : ([0, 1] as const)) {
    const corners = outline(outputs.bars, (bar) => share(bar, outputs, side).all);
    marks.push(
      Plot.line(corners, {
        x: (d: readonly [number, number]) => d[0],
        y: (d: readonly [number, number]) => d[1],
        stroke: COLOURS[side],
        strokeWidth: 1.75,
        ...(side === 1 ? { strokeDasharray: "5 2" } : {}),
      }),
    );
  }
  marks.push(...computedMarks(outputs, COLOURS));
  const tops = ([0, 1] as const).map((side) => {
    const [highest] = [...bins].sort((one, two) => two.bar.counts[side] - one.bar.counts[side]);
    const drawn = highest === undefined ? 0 : share(highest.bar, outputs, side).all;
    const y = Math.max(drawn, highestComputed(outputs, side));
    return { x: ((highest?.low ?? 0) + (highest?.high ?? 0)) / 2, y, side };
  });
  const beyond = { y: most * 1.12, fill: "currentColor" } as const;
  marks.push(
    Plot.text(tops, { x: "x", y: "y", text: (d: (typeof tops)[number]) => SIDES[d.side], dy: -8, fill: "currentColor", fontWeight: 700 }),
    Plot.text(bins.slice(0, 1), { ...beyond, x: "low", text: () => "◂ and below", textAnchor: "start" }),
    Plot.text(bins.slice(-1), { ...beyond, x: "high", text: () => "and above ▸", textAnchor: "end" }),
  );
  return Plot.plot({
    width,
    height: 260,
    marginLeft: 52,
    marginTop: 24,
    marginBottom: 40,
    className: "plot",
    x: { label: `${outputs.measure} →`, ticks: Math.max(4, Math.floor(width / 90)) },
    y: { label: "↑ share of runs", tickFormat: (d: number) => percentTick(d), grid: true, ticks: 5 },
    marks: [...marks, Plot.ruleY([0], { stroke: "var(--axis)" })],
  });
}

/** The upper edge of a histogram as a line. */
function outline(bars: readonly Bar[], height: (bar: Bar) => number): (readonly [number, number])[] {
  const corners = bars.flatMap((bar): (readonly [number, number])[] => [
    [bar.low ?? 0, height(bar)],
    [bar.high ?? 0, height(bar)],
  ]);
  const first = bars[0]?.low ?? 0;
  const last = bars.at(-1)?.high ?? 0;
  return [[first, 0], ...corners, [last, 0]];
}

/** Bars for outputs that are no numbers on an axis. named: what the labels are values of; null where that is said elsewhere. */
function categories(outputs: Outputs, bars: readonly Bar[], width: number, named: string | null): Element {
  const rows = bars.flatMap((bar) => ([0, 1] as const).map((side) => ({ bar, side, ...share(bar, outputs, side) })));
  const most = Math.max(...rows.map((row) => row.all), 0.01);
  const marginLeft = marginFor(bars.map((bar) => bar.label), width);
  const inEvent = bars.filter((bar) => bar.inside[0] + bar.inside[1] > (bar.counts[0] + bar.counts[1]) / 2);
  const marks: Plot.Markish[] = [
    Plot.barX(inEvent, { y: "label", x1: 0, x2: most * 1.16, fill: "var(--event)", inset: 0 }),
  ];
  for (const side of [0, 1] as const) {
    const mine = rows.filter((row) => row.side === side);
    const place = {
      y: (d: (typeof rows)[number]) => d.bar.label,
      fill: COLOURS[side],
      insetTop: side === 0 ? 4 : ROW / 2,
      insetBottom: side === 0 ? ROW / 2 : 4,
    };
    marks.push(
      Plot.barX(mine, { ...place, x1: "inside", x2: "all", fillOpacity: 0.25 }),
      Plot.barX(mine, { ...place, x1: 0, x2: "inside", fillOpacity: 0.75 }),
      Plot.barX(mine, { ...place, x1: 0, x2: "all", fill: "none", stroke: COLOURS[side] }),
      Plot.text(mine, {
        x: "all",
        y: (d: (typeof rows)[number]) => d.bar.label,
        text: (d: (typeof rows)[number]) => `${SIDES[side]} ${percent(d.all)}`,
        dy: side === 0 ? 2 - ROW / 4 : ROW / 4 - 2,
        dx: outputs.computed ? 9 : 4,
        textAnchor: "start",
        fill: "currentColor",
      }),
    );
  }
  marks.push(...computedRows(outputs, bars, ROW));
  return Plot.plot({
    width,
    height: bars.length * ROW + 72,
    marginLeft,
    marginTop: 26,
    marginBottom: 46,
    className: "plot",
    x: { label: "share of runs →", domain: [0, most * 1.16], tickFormat: (d: number) => percentTick(d), ticks: 5 },
    y: { label: named, labelAnchor: "top", labelArrow: "none", domain: bars.map((bar) => bar.label), padding: 0, tickSize: 0, tickFormat: (label: string) => fitting(label, marginLeft) },
    marks: [...marks, Plot.ruleX([0], { stroke: "var(--axis)" })],
  });
}

/** How much room labels get of a picture. */
export function marginFor(labels: readonly string[], width: number): number {
  return Math.min(width * 0.45, 16 + Math.max(...labels.map((label) => label.length)) * LETTER);
}

/** As much of a label as there is room for; the table below has all of it. */
export function fitting(label: string, width: number): string {
  const most = Math.floor((width - 16) / LETTER + 1e-6);
  return label.length > most ? `${label.slice(0, most - 1)}…` : label;
}

function percentTick(value: number): string {
  return `${Number((100 * value).toPrecision(3))} %`;
}

function numbersTable(outputs: Outputs, event: string | null): HTMLElement {
  const row = (bar: Bar, place: "first" | "last" | "inner"): string[] => {
    const count = bar.counts[0] + bar.counts[1];
    const inside = bar.inside[0] + bar.inside[1];
    const word = inside === 0 ? "no" : inside === count ? "yes" : "in part";
    const shares = ([0, 1] as const).map((side) => percent(share(bar, outputs, side).all));
    const both = sharesOf(outputs, bar);
    const computed = outputs.computed ? ([0, 1] as const).map((side) => (both === null ? "not known" : short(both[side]))) : [];
    return [barName(bar, place), ...shares, ...computed, ...(event === null ? [] : [count === 0 ? "" : word])];
  };
  const last = outputs.bars.length - 1;
  return table(
    `Outputs by ${outputs.measure}`,
    [outputs.measure, "on D1", "on D2", ...(outputs.computed ? ["on D1, computed", "on D2, computed"] : []), ...(event === null ? [] : ["in the event"])],
    [
      ...outputs.bars.map((bar, i) => row(bar, i === 0 ? "first" : i === last ? "last" : "inner")),
      ...outputs.others.map((bar) => row(bar, "inner")),
    ],
  );
}
