/** The outputs on D1 and D2, drawn over each other, with the event shaded. */

import * as Plot from "@observablehq/plot";
import type { Bar, Outputs } from "../src/panels/messages";
import { details, h, picture, table } from "./dom";
import { barName, eventBands, outputsWords, percent, share } from "./numbers";

const SIDES = ["D1", "D2"] as const;
const COLOURS = ["var(--d1)", "var(--d2)"] as const;
const ROW = 38;

/** The picture with its legend, and its numbers as a table. */
export function outputsFigure(outputs: Outputs, event: string, width: number): HTMLElement {
  const parts: (HTMLElement | false)[] = [];
  if (outputs.kind === "numbers") {
    parts.push(picture(histogram(outputs, width), outputsWords(outputs, event)));
    if (outputs.others.length > 0) {
      parts.push(h("p", { class: "quiet" }, "Single values that come often, and outputs that are no number there:"));
      parts.push(picture(categories(outputs, outputs.others, width), "The bars of the table below, for other outputs."));
    }
  } else {
    parts.push(picture(categories(outputs, outputs.bars, width), outputsWords(outputs, event)));
  }
  return h(
    "figure",
    {},
    legend(),
    ...parts,
    h(
      "figcaption",
      {},
      `${runsWords(outputs)} made for this picture. Dark bars are in the event, pale ones are not.`,
      ...outputs.notes.map((note) => ` Note: ${note}.`),
    ),
    details("Numbers of this picture", numbersTable(outputs)),
  );
}

function legend(): HTMLElement {
  return h(
    "p",
    { class: "legend", "aria-hidden": "true" },
    h("span", { class: "swatch d1" }),
    "outputs on D1",
    h("span", { class: "swatch d2" }),
    "outputs on D2",
    h("span", { class: "swatch event" }),
    "the event",
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
  for (const side of [0, 1] as const) {
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
  const tops = ([0, 1] as const).map((side) => {
    const [highest] = [...bins].sort((one, two) => two.bar.counts[side] - one.bar.counts[side]);
    const y = highest === undefined ? 0 : share(highest.bar, outputs, side).all;
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

function categories(outputs: Outputs, bars: readonly Bar[], width: number): Element {
  const rows = bars.flatMap((bar) => ([0, 1] as const).map((side) => ({ bar, side, ...share(bar, outputs, side) })));
  const most = Math.max(...rows.map((row) => row.all), 0.01);
  const longest = Math.max(...bars.map((bar) => bar.label.length));
  const marginLeft = Math.min(width * 0.45, 16 + longest * 7.2);
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
        dx: 4,
        textAnchor: "start",
        fill: "currentColor",
      }),
    );
  }
  return Plot.plot({
    width,
    height: bars.length * ROW + 54,
    marginLeft,
    marginTop: 8,
    marginBottom: 46,
    className: "plot",
    x: { label: "share of runs →", domain: [0, most * 1.16], tickFormat: (d: number) => percentTick(d), ticks: 5 },
    y: { label: null, domain: bars.map((bar) => bar.label), padding: 0, tickSize: 0 },
    marks: [...marks, Plot.ruleX([0], { stroke: "var(--axis)" })],
  });
}

function percentTick(value: number): string {
  return `${Number((100 * value).toPrecision(3))} %`;
}

function numbersTable(outputs: Outputs): HTMLElement {
  const row = (bar: Bar, place: "first" | "last" | "inner"): string[] => {
    const count = bar.counts[0] + bar.counts[1];
    const inside = bar.inside[0] + bar.inside[1];
    const word = inside === 0 ? "no" : inside === count ? "yes" : "in part";
    const shares = ([0, 1] as const).map((side) => percent(share(bar, outputs, side).all));
    return [barName(bar, place), ...shares, count === 0 ? "" : word];
  };
  const last = outputs.bars.length - 1;
  return table(
    `Outputs by ${outputs.measure}`,
    [outputs.measure, "on D1", "on D2", "in the event"],
    [
      ...outputs.bars.map((bar, i) => row(bar, i === 0 ? "first" : i === last ? "last" : "inner")),
      ...outputs.others.map((bar) => row(bar, "inner")),
    ],
  );
}
