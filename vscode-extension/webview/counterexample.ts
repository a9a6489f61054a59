/** The view of a counterexample: a violation explained to somebody who is no expert. */

import type { Audit, Cell, Counterexample, Outputs, Refused, Table, TableRow } from "../src/panels/messages";
import { button, folded, h, section, sentence, ticked } from "./dom";
import { type Point, growthFigure } from "./growth";
import { issueText } from "./issue";
import { outputsPart } from "./outputs";
import { boundWords, certainWords, strongerWords, unconfirmedWords } from "./numbers";
import { limitBars, probabilityBars } from "./ratios";
import { epsilonSlider } from "./slider";
import { send } from "./vscode";

/** What the view shows. outputs: undefined while they are made. may: whether an audit may be begun. */
export interface State {
  readonly view: Counterexample;
  readonly outputs: Outputs | Refused | undefined;
  readonly heard: readonly Point[];
  readonly audit: Audit | null;
  readonly may: boolean;
  readonly stale: string | undefined;
  /** What is known of the function as it is now, in the words of its lens; undefined if the view is about that. */
  readonly after: string | undefined;
}

export function counterexamplePage(state: State, width: number): HTMLElement[] {
  const { view } = state;
  const half = width >= 760 ? (width - 24) / 2 : width;
  return [
    header(state),
    ...(state.after === undefined ? [] : [comparison(state, state.after)]),
    ...(view.proof === null ? [] : [proofPart(view.proof)]),
    section("Two inputs that should look alike", view.table ? framesTable(view.table) : entriesTable(view.data), view.arguments.length > 0 && argumentsLine(view)),
    section("What comes out", eventWords(view), outputsPart(state.outputs, state.view.event, width)),
    folded(
      "What an onlooker learns",
      h("p", {}, view.promise),
      h("p", {}, ...ticked(view.seen)),
      h("div", { class: "halves" }, probabilityBars(view, half), limitBars(view, half)),
    ),
    folded("What epsilon it would take", epsilonSlider(view)),
    growthSection(state, width),
    ...(view.source === null ? [] : [sourcePart(view)]),
    ...(view.test === null ? [] : [testPart(view)]),
    facts(view),
  ];
}

/** The one part that changes many times a second while an audit goes on. */
export function growthSection(state: State, width: number): HTMLElement {
  const part = folded(
    state.view.unconfirmed === null ? "How far the promise is broken" : "How far the promise would be broken",
    state.view.bound.certain ? h("p", {}, certainWords(state.view)) : growthFigure(state.view, state.heard, width),
    auditButtons(state),
  );
  part.id = "growth";
  return part;
}

/** The cause first, where one is known; then what is broken by it. */
function header(state: State): HTMLElement {
  const { view } = state;
  const [place] = view.places;
  const cause = place?.code ? place : undefined;
  return h(
    "header",
    {},
    h("p", { class: "kicker" }, `dplint · counterexample${cause === undefined ? "" : ` · ${cause.code}`}`),
    cause === undefined ? h("h1", {}, view.headline) : h("h1", {}, placeLink(view, 0, `Line ${cause.line}`), `: ${sentence(cause.message)}`),
    cause !== undefined && h("pre", { class: "cause", tabindex: 0, "aria-label": `Line ${cause.line}` }, cause.text),
    cause !== undefined && h("p", {}, `${view.headline}. `, strongerWords(view)),
    cause === undefined && strongerWords(view) !== "" && h("p", {}, strongerWords(view)),
    h(
      "p",
      { class: "actions" },
      state.stale === undefined && cause?.fix && button(`Apply fix: ${cause.fix.title}`, () => send({ type: "applyFix" }), { id: "mend" }),
      button("Copy as issue text", () => send({ type: "copyText", text: issueText(view) }), { id: "issue", class: "second" }),
      h("span", { class: "said" }),
    ),
    h(
      "ul",
      { class: "chips", "aria-label": "In short" },
      h("li", { class: "chip good" }, `claimed: ${view.claimed}`),
      h("li", { class: "chip bad" }, chip(view)),
    ),
    view.unconfirmed !== null && h("p", { class: "stale", role: "status" }, unconfirmedWords(view.unconfirmed)),
    state.stale !== undefined && h("p", { class: "stale", role: "status" }, state.stale),
  );
}

/** After a change of the source: what was found, and what is known of the function as it is now. */
function comparison(state: State, after: string): HTMLElement {
  return section(
    "Before and after",
    h(
      "div",
      { class: "halves words" },
      h("div", {}, h("h3", {}, "Before"), h("p", {}, state.view.bound.title), h("p", {}, `${state.view.headline}.`)),
      h("div", { role: "status" }, h("h3", {}, "After"), h("p", {}, after)),
    ),
  );
}

/** A violation and a proof at once: neither is left out, and the reader is told before anything else. */
function proofPart(proof: NonNullable<Counterexample["proof"]>): HTMLElement {
  return section(
    "Proved, too",
    h("p", { class: "stale", role: "status" }, proof.text),
    h("ul", {}, ...proof.lines.map((line) => h("li", {}, ...ticked(line)))),
  );
}

function chip(view: Counterexample): string {
  const found = view.unconfirmed === null ? "found" : "computed";
  if (view.bound.lower === "inf") {
    return `${found}: no finite epsilon holds`;
  }
  const certain = view.unconfirmed === null ? "for certain" : "from the source";
  const sure = view.bound.certain ? certain : `at ${view.bound.confidence} confidence`;
  return `${found}: epsilon ${boundWords(view).replace("at least", "≥").replace("more than", ">")} ${sure}`;
}

function eventWords(view: Counterexample): HTMLElement {
  if (view.measure === "density") {
    return h(
      "p",
      {},
      "The function is random, so each input has many outputs, and none of them comes twice. Look at those close to ",
      h("code", { class: "event" }, view.event),
      ": they come far more often on D1 than on D2.",
    );
  }
  return h(
    "p",
    {},
    "The function is random, so each input has many outputs. Look at those with ",
    h("code", { class: "event" }, view.event),
    ", called the event: they come far more often on D1 than on D2.",
  );
}

function framesTable(table: Table): HTMLElement {
  const changed = table.rows.filter((row) => row.side !== "both").reduce((sum, row) => sum + row.times, 0);
  const more = table.more > 0 ? ` ${table.more === 1 ? "One row is" : `${table.more} rows are`} left out.` : "";
  return scrolled(
    h(
      "table",
      { class: "frames" },
      h("caption", { class: "unseen" }, "D1 and D2 as one table, row by row, with the side that has the row"),
      h("thead", {}, h("tr", {}, h("td", {}), ...table.columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...table.rows.map(frameRow)),
    ),
    `${changed === 1 ? "One row is" : `${changed} rows are`} not in both.${more}`,
  );
}

function frameRow(row: TableRow): HTMLElement {
  const times = row.times > 1 ? ` × ${row.times}` : "";
  const cells = row.cells.map((text, i) =>
    row.differs?.[i] ? h("td", { class: "differs" }, h("mark", {}, text)) : h("td", {}, text),
  );
  return h("tr", {}, h("th", { scope: "row", class: `side ${row.side.toLowerCase()}` }, `${row.side}${times}`), ...cells);
}

function scrolled(table: HTMLElement, caption: string): HTMLElement {
  const region = { class: "scroll", tabindex: 0, role: "region", "aria-label": "D1 and D2 side by side" } as const;
  return h("figure", {}, h("div", region, table), h("figcaption", {}, caption));
}

function entriesTable(cells: readonly Cell[]): HTMLElement {
  const row = (side: 0 | 1): HTMLElement =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: `side d${side + 1}` }, `D${side + 1}`),
      ...cells.map((cell) => dataCell(cell, side)),
    );
  const changed = cells.filter((cell) => cell.differs).length;
  return scrolled(
    h(
      "table",
      { class: "data" },
      h("caption", { class: "unseen" }, "D1 and D2, entry by entry; where they differ, the cell says so"),
      h("tbody", {}, row(0), row(1)),
    ),
    `${changed === 1 ? "One entry differs" : `${changed} entries differ`}, marked in both rows.`,
  );
}

function dataCell(cell: Cell, side: 0 | 1): HTMLElement {
  const text = cell.text[side];
  return h(
    "td",
    { class: cell.differs ? "differs" : undefined },
    h("span", { class: "around" }, cell.before),
    text === null ? h("span", { class: "around" }, "—") : cell.differs ? h("mark", {}, text) : text,
    h("span", { class: "around" }, text === null ? "" : cell.after),
    cell.differs && h("span", { class: "unseen" }, text === null ? " (not there)" : " (differs)"),
  );
}

function argumentsLine(view: Counterexample): HTMLElement {
  const told = view.arguments.flatMap((one, i) => [i > 0 ? ", " : "", h("code", {}, `${one.name} = ${one.value}`), ` (${one.why})`]);
  return h("p", { class: "quiet" }, "Both with ", ...told, ".");
}

function auditButtons(state: State): HTMLElement {
  const running = state.audit !== null;
  const words = running ? `Testing: ${state.audit.runs.toLocaleString("en")} runs in this pass.` : "";
  return h(
    "p",
    { class: "actions" },
    running
      ? button("Stop the test", () => send({ type: "stop" }), { id: "stop" })
      : button("Test deeper", () => send({ type: "testDeeper" }), { id: "deeper", disabled: !state.may }),
    button("Show the curve", () => send({ type: "showCurve" }), { id: "curve", class: "second" }),
    h("span", {}, words),
  );
}

function sourcePart(view: Counterexample): HTMLElement {
  const [fault] = view.places;
  const source = view.source ?? { firstLine: 1, lines: [], fault: 1 };
  const lines = source.lines.map((text, i) => {
    const number = source.firstLine + i;
    const own = number === source.fault;
    return h(
      "span",
      { class: own ? "code-line fault" : "code-line" },
      h("span", { class: "number", "aria-hidden": "true" }, String(number)),
      text || " ",
    );
  });
  return folded(
    "Where it comes from",
    fault === undefined ? null : h("p", {}, placeLink(view, 0), `: ${sentence(fault.message)}`),
    h("pre", { class: "source", tabindex: 0, "aria-label": `Source from line ${source.firstLine} on` }, ...lines),
    view.places.length > 1 &&
      h(
        "ul",
        { class: "places", "aria-label": "Other places that have to do with it" },
        ...view.places.slice(1).map((place, i) => h("li", {}, placeLink(view, i + 1), `: ${sentence(place.message)}`)),
      ),
  );
}

function placeLink(view: Counterexample, index: number, label?: string): HTMLElement {
  const place = view.places[index];
  if (place === undefined) {
    return h("span", {});
  }
  const open = (event: Event): void => {
    event.preventDefault();
    send({ type: "open", range: place.range });
  };
  const code = place.code === null ? "" : `${place.code} at `;
  return h("a", { href: "#", onclick: open, title: `Open line ${place.line} in the editor` }, label ?? `${code}line ${place.line}`);
}

function testPart(view: Counterexample): HTMLElement {
  const test = view.test;
  if (test === null) {
    return h("div", {});
  }
  return folded(
    "Keep it as a test",
    h("p", {}, "This test for pytest fails until the promise is kept:"),
    h("pre", { tabindex: 0, "aria-label": `The file ${test.fileName}` }, h("code", {}, test.text)),
    h(
      "p",
      { class: "actions" },
      button("Copy the test", () => send({ type: "copyTest" }), { id: "copy" }),
      test.uri !== null &&
        button(test.exists ? `Open tests/${test.fileName}` : `Write tests/${test.fileName}`, () => send({ type: "writeTest" }), {
          id: "write",
          class: "second",
        }),
      h("span", { class: "said" }),
    ),
  );
}

function facts(view: Counterexample): HTMLElement {
  const rows = view.facts.flatMap((fact) => [
    h("dt", {}, fact.name),
    h("dd", {}, ...(fact.name === "See it again" ? [h("code", {}, fact.text)] : [fact.text])),
  ]);
  return folded(
    "How sure this is",
    h("dl", {}, h("dt", {}, "Claim"), h("dd", {}, h("code", {}, view.claim)), ...rows),
    view.notes.length > 0 && h("ul", {}, ...view.notes.map((note) => h("li", {}, sentence(note)))),
  );
}
