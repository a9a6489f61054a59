/** p-values (or evidence) against tested epsilons, as figures 2 to 4 of Ding et al. (CCS 2018). */

import * as Plot from "@observablehq/plot";
import type { Curve, CurveLine, CurvePoint, Refused } from "../src/panels/messages";
import { button, details, h, picture, section, sentence, table } from "./dom";
import { deltaWords, refutedWords, short } from "./numbers";
import { send } from "./vscode";

export type Axis = "pValue" | "evidence";

/** Colours and how text is drawn; a picture that is saved cannot ask the theme of an editor. */
interface Look {
  readonly colours: readonly string[];
  readonly text: string;
  readonly quiet: string;
  readonly background: string;
  readonly font: string;
}

const THEMED: Look = {
  colours: ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"],
  text: "currentColor",
  quiet: "var(--axis)",
  background: "none",
  font: "inherit",
};
const PRINTED: Look = {
  colours: ["#1f5fa8", "#c8590a", "#2c8a4b", "#a03a8f", "#178a94", "#b3262b"],
  text: "#222222",
  quiet: "#777777",
  background: "#ffffff",
  font: "Helvetica, Arial, sans-serif",
};
const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross"] as const;
const NAME_WIDTH = 36;
/** Beyond this there is nothing to tell apart: the axis of evidence ends here. */
export const MOST_EVIDENCE = 20;
const LEAST_P = 10 ** -MOST_EVIDENCE;

/** −log10 of the p-value: one more is ten times less likely by chance. */
export function evidence(point: CurvePoint): number {
  return Math.min(MOST_EVIDENCE, -Math.log10(Math.max(point.pValue, 1e-300)));
}

export function curvePage(curve: Curve, axis: Axis, choose: (axis: Axis) => void, width: number): HTMLElement[] {
  return [
    h(
      "header",
      {},
      h("p", { class: "kicker" }, "dplint · curve"),
      h("h1", {}, `${curve.function} tested against a range of epsilons`),
      ...curve.lines.map((line) =>
        h("p", {}, h("strong", { class: verdict(line) }, mark(line)), curve.lines.length > 1 ? ` ${line.name}: ` : " ", h("strong", {}, refutedWords(line))),
      ),
      h("p", {}, "Claim: ", h("code", {}, curve.claim)),
    ),
    section(
      axis === "pValue" ? "p-value by tested epsilon" : "Evidence by tested epsilon",
      axisChoice(axis, choose),
      h(
        "figure",
        {},
        picture(drawn(curve, axis, width, THEMED), curveWords(curve)),
        legend(curve),
        h("figcaption", {}, "Dashed: the claimed epsilon, a line for each value of the claim. Dotted: the level."),
        details("Numbers of this picture", pointsTable(curve)),
      ),
      h("p", { class: "actions" }, button("Save as SVG …", () => send({ type: "saveSvg", svg: svgText(curve, axis) }), { id: "save" }), h("span", { class: "said" })),
    ),
    ...exactSection(curve, width),
    section(
      "How to read it",
      h("p", {}, curve.explanation),
      ...computed(curve),
      h("p", { class: "quiet" }, `${curve.effort}.`),
      curve.notes.length > 0 && h("ul", {}, ...curve.notes.map((note) => h("li", {}, note))),
    ),
  ];
}

export function refusedPage(title: string, refused: Refused, again: () => void): HTMLElement[] {
  return [
    h("header", {}, h("p", { class: "kicker" }, "dplint"), h("h1", {}, title)),
    h("p", { class: "waiting", role: "status" }, refused.error),
    h("p", {}, button("Try again", again)),
  ];
}

function verdict(line: CurveLine): string {
  return line.rejectedUpTo !== null && line.rejectedUpTo >= line.claimed ? "bad-text" : "good-text";
}

function mark(line: CurveLine): string {
  return verdict(line) === "bad-text" ? "✗" : "·";
}

function axisChoice(axis: Axis, choose: (axis: Axis) => void): HTMLElement {
  const radio = (value: Axis, label: string): HTMLElement =>
    h(
      "label",
      {},
      h("input", { type: "radio", name: "axis", value, checked: axis === value, id: `axis-${value}`, onchange: () => choose(value) }),
      label,
    );
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", { class: "unseen" }, "What the vertical axis shows"),
    radio("pValue", "p-value"),
    radio("evidence", "evidence (−log₁₀ p)"),
  );
}

function legend(curve: Curve): HTMLElement {
  return h(
    "ul",
    { class: "legend", "aria-hidden": "true" },
    ...curve.lines.map((line, i) => h("li", {}, h("span", { class: `swatch c${(i % 6) + 1}` }), line.name)),
  );
}

/** What was computed of each line beside its runs, or why nothing was: once, where that is the same. */
function computed(curve: Curve): HTMLElement[] {
  const named = curve.lines.flatMap((line) => (line.exactWords ? [[line.name, sentence(line.exactWords)] as const] : []));
  const same = new Set(named.map(([, words]) => words)).size === 1;
  const told = same ? named.slice(0, 1).map(([, words]) => words) : named.map(([name, words]) => `${name}: ${words}`);
  return told.length === 1 ? [h("p", {}, told[0])] : told.length > 1 ? [h("ul", {}, ...told.map((words) => h("li", {}, words)))] : [];
}

/** Delta by epsilon, where it was computed: a picture of its own, since its axis is another one. */
function exactSection(curve: Curve, width: number): HTMLElement[] {
  const computed = curve.lines.some((line) => (line.exact?.points.length ?? 0) > 0);
  if (!computed) {
    return [];
  }
  const words = `delta of ${curve.function} by epsilon, computed without a run.${curve.lines.map((line) => (line.exactWords ? ` ${sentence(line.exactWords)}` : "")).join("")}`;
  return [
    section(
      "Exact delta by epsilon",
      ...curve.lines.map((line) => h("p", {}, curve.lines.length > 1 && line.exact && `${line.name}: `, h("strong", {}, deltaWords(line)))),
      h(
        "figure",
        {},
        picture(drawnExact(curve, width, THEMED), words),
        h("figcaption", {}, "Computed without a run: what the pair that loses most keeps. Dashed: the claimed epsilon."),
        details("Numbers of the exact picture", deltasTable(curve)),
      ),
    ),
  ];
}

function drawnExact(curve: Curve, width: number, look: Look): SVGSVGElement {
  const marks: Plot.Markish[] = curve.lines.flatMap((line, i) => {
    const stroke = look.colours[i % look.colours.length] ?? look.text;
    const points = line.exact?.points ?? [];
    return [
      Plot.ruleX([line.claimed], { stroke, strokeDasharray: "6 3", strokeWidth: 1.5 }),
      Plot.line(points, { x: "epsilon", y: "delta", stroke, strokeWidth: 1.75 }),
      Plot.dot(points, { x: "epsilon", y: "delta", fill: stroke, symbol: SYMBOLS[i % SYMBOLS.length], r: 3 }),
    ];
  });
  const epsilons = curve.lines.flatMap((line) => [line.claimed, ...line.points.map((point) => point.epsilon)]);
  return Plot.plot({
    width,
    height: Math.max(180, Math.min(260, width * 0.35)),
    marginLeft: 60,
    marginTop: 30,
    marginBottom: 46,
    className: "plot",
    x: { label: "ε →", domain: [0, Math.max(...epsilons)], ticks: Math.max(5, Math.floor(width / 80)) },
    y: { label: "↑ exact δ", zero: true, grid: true, ticks: 4, tickFormat: (d: number) => short(d) },
    marks: [...marks, Plot.ruleY([0], { stroke: look.quiet })],
  }) as SVGSVGElement;
}

function deltasTable(curve: Curve): HTMLElement {
  const lines = curve.lines.filter((line) => (line.exact?.points.length ?? 0) > 0);
  const epsilons = [...new Set(lines.flatMap((line) => (line.exact?.points ?? []).map((point) => point.epsilon)))].sort((a, b) => a - b);
  return table(
    "exact delta by epsilon",
    ["epsilon", ...lines.map((line) => line.name)],
    epsilons.map((epsilon) => [
      short(epsilon),
      ...lines.map((line) => {
        const point = line.exact?.points.find((one) => one.epsilon === epsilon);
        return point === undefined ? "" : short(point.delta);
      }),
    ]),
  );
}

/** The picture in words: for each line what it says. */
export function curveWords(curve: Curve): string {
  return `p-values of ${curve.function} by tested epsilon. ${curve.lines.map((line) => line.words).join(". ")}.`;
}

function drawn(curve: Curve, axis: Axis, width: number, look: Look): SVGSVGElement {
  const value = axis === "pValue" ? (point: CurvePoint): number => Math.max(LEAST_P, point.pValue) : evidence;
  const level = axis === "pValue" ? curve.level : -Math.log10(curve.level);
  const most = Math.max(...curve.lines.flatMap((line) => line.points.map(value)), 2 * level);
  const least = Math.min(1e-3, ...curve.lines.flatMap((line) => line.points.map(value)));
  const epsilons = curve.lines.flatMap((line) => [line.claimed, ...line.points.map((point) => point.epsilon)]);
  const marks: Plot.Markish[] = [
    Plot.ruleY([level], { stroke: look.quiet, strokeDasharray: "1.5 3" }),
    Plot.text([level], {
      frameAnchor: "right",
      y: (d: number) => d,
      text: () => `level ${short(curve.level)}`,
      dy: -8,
      textAnchor: "end",
      fill: look.text,
    }),
  ];
  let raised = false;
  curve.lines.forEach((line, i) => {
    // Names of claims that are near each other stand at two heights.
    const apart = Math.abs(line.claimed - (curve.lines[i - 1]?.claimed ?? Infinity)) / Math.max(...epsilons);
    raised = apart * width < NAME_WIDTH && !raised;
    const stroke = look.colours[i % look.colours.length] ?? look.text;
    marks.push(
      Plot.ruleX([line.claimed], { stroke, strokeDasharray: "6 3", strokeWidth: 1.5 }),
      Plot.text([line.claimed], {
        x: (d: number) => d,
        frameAnchor: "top",
        text: (d: number) => short(d),
        dy: raised ? -31 : -18,
        fill: stroke,
        fontWeight: 600,
      }),
      Plot.line(line.points, { x: "epsilon", y: value, stroke, strokeWidth: 1.75 }),
      Plot.dot(line.points, { x: "epsilon", y: value, fill: stroke, symbol: SYMBOLS[i % SYMBOLS.length], r: 3.5 }),
    );
  });
  return Plot.plot({
    width,
    height: Math.max(300, Math.min(460, width * 0.55)),
    marginLeft: 52,
    marginTop: 44,
    marginBottom: 46,
    className: "plot",
    x: { label: "tested ε →", domain: [0, Math.max(...epsilons)], ticks: Math.max(5, Math.floor(width / 80)) },
    y: {
      type: axis === "pValue" ? "log" : "linear",
      label: axis === "pValue" ? "↑ p-value" : "↑ evidence, −log₁₀ of the p-value",
      domain: axis === "pValue" ? [least, 1] : [0, most * 1.05],
      grid: true,
      ticks: 5,
      tickFormat: (d: number) => tick(d, axis),
    },
    marks: [...marks, Plot.ruleY([axis === "pValue" ? least : 0], { stroke: look.quiet })],
  }) as SVGSVGElement;
}

/** The ends of both axes stand for all that lies beyond. */
function tick(value: number, axis: Axis): string {
  if (axis === "evidence") {
    return value === MOST_EVIDENCE ? `≥ ${value}` : short(value);
  }
  const power = Math.round(Math.log10(value));
  return value <= LEAST_P ? `≤ 1e−${MOST_EVIDENCE}` : power > -3 ? short(value) : `1e−${-power}`;
}

/** A file of its own: white paper, and nothing that only an editor knows. */
export function svgText(curve: Curve, axis: Axis): string {
  const svg = drawn(curve, axis, 720, PRINTED);
  for (const style of svg.querySelectorAll("style")) {
    style.remove();
  }
  svg.removeAttribute("class");
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("font-family", PRINTED.font);
  svg.setAttribute("font-size", "11");
  svg.setAttribute("color", PRINTED.text);
  const names = curve.lines.length;
  const height = Number(svg.getAttribute("height"));
  const title = element("title", {}, `${curve.function} (${curve.claim})`);
  const paper = element("rect", { width: "100%", height: "100%", fill: PRINTED.background });
  const legend = curve.lines.map((line, i) =>
    element("g", { transform: `translate(56,${height + 8 + 18 * i})` }, [
      element("rect", { width: "18", height: "4", y: "-4", fill: PRINTED.colours[i % PRINTED.colours.length] ?? "" }),
      element("text", { x: "26", fill: PRINTED.text, "text-anchor": "start" }, line.words),
    ]),
  );
  svg.setAttribute("height", String(height + 18 * names + 10));
  svg.setAttribute("viewBox", `0 0 720 ${height + 18 * names + 10}`);
  svg.prepend(title, paper);
  svg.append(...legend);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;
}

function element(name: string, attributes: Readonly<Record<string, string>>, inside: string | Element[] = []): Element {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...(typeof inside === "string" ? [inside] : inside));
  return made;
}

function pointsTable(curve: Curve): HTMLElement {
  const epsilons = [...new Set(curve.lines.flatMap((line) => line.points.map((point) => point.epsilon)))].sort((a, b) => a - b);
  return table(
    "p-values by tested epsilon",
    ["tested epsilon", ...curve.lines.map((line) => line.name)],
    epsilons.map((epsilon) => [
      short(epsilon),
      ...curve.lines.map((line) => {
        const point = line.points.find((one) => one.epsilon === epsilon);
        return point === undefined ? "" : `${short(point.pValue)}${point.rejected ? " rejected" : ""}`;
      }),
    ]),
  );
}
