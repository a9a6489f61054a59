/** The view of a proof: what is proved, the shift of the noise at each draw, and the outputs of the pair that loses most. */

import type { Outputs, Proof, Refused, Shift } from "../src/panels/messages";
import { button, folded, h, section, sentence, table, ticked } from "./dom";
import { outputsPart } from "./outputs";
import { send } from "./vscode";

/** stale: that it is about an earlier text, in words; undefined while it holds. */
export function proofPage(proof: Proof, outputs: Outputs | Refused | undefined, stale: string | undefined, width: number): HTMLElement[] {
  return [
    h(
      "header",
      {},
      h("p", { class: "kicker" }, "dplint · proof"),
      h("h1", {}, `${proof.function}: ${proof.title}`),
      h("p", {}, `It holds ${proof.covers}.`),
      h("p", {}, "Claim: ", h("code", {}, proof.claim)),
      stale !== undefined && h("p", { class: "stale", role: "status" }, stale),
    ),
    section("Why it holds", ...whyParts(proof), h("p", { class: "actions" }, button("Show the curve", () => send({ type: "showCurve" }), { id: "curve" }))),
    ...pairParts(proof, outputs, width),
    folded(
      "How sure this is",
      h("ul", {}, h("li", {}, `${sentence(proof.method)} Checked by ${proof.checkedBy.join(", ")}.`), h("li", {}, proof.arithmetic)),
    ),
  ];
}

function whyParts(proof: Proof): (HTMLElement | null)[] {
  return [
    h("p", {}, ...ticked(sentence(proof.words))),
    proof.places.length > 0
      ? h("p", {}, "Take any run on D1. With the noise of each draw moved as written at its line, the run on D2 gives the same output.")
      : null,
    proof.source === null ? null : sourceWithShifts(proof.source, proof.places),
    proof.places.length > 0 ? shiftsTable(proof) : null,
    ...proof.elsewhere.map((words) => h("p", {}, ...ticked(sentence(words)))),
    h("p", {}, `All draws of a run together cost at most ${proof.cost}.`),
  ];
}

/** The source; below the line of each draw, by how much its noise is moved. */
function sourceWithShifts(source: NonNullable<Proof["source"]>, places: readonly Shift[]): HTMLElement {
  const lines = source.lines.flatMap((text, i) => {
    const number = source.firstLine + i;
    const here = places.filter((one) => one.line === number);
    const margin = /^\s*/.exec(text)?.[0] ?? "";
    return [
      h(
        "span",
        { class: here.length > 0 ? "code-line drawn" : "code-line" },
        h("span", { class: "number", "aria-hidden": "true" }, String(number)),
        text || " ",
      ),
      ...here.flatMap((shift) => shiftLines(shift).map((words) => h("span", { class: "code-line shift" }, h("span", { class: "number" }, "↳"), margin, words))),
    ];
  });
  return h("pre", { class: "source", tabindex: 0, "aria-label": `Source from line ${source.firstLine} on, with the shifts of its draws` }, ...lines);
}

/** One for each case: "noise + 1 if `noisy > best`: at most 1/2 of epsilon". */
function shiftLines(shift: Shift): string[] {
  const turn = shift.everyTurn ? " in every turn" : "";
  return shift.cases.map((one) => {
    const unmoved = one.by === "0";
    const moved = unmoved ? "the noise stays as it is" : `the noise moves by ${one.by}`;
    const when = one.when === "" ? "" : ` if ${one.when.replaceAll("`", "")}`;
    return `${moved}${turn}${when}${unmoved ? "" : `, which costs at most ${shift.cost}`}`;
  });
}

function shiftsTable(proof: Proof): HTMLElement {
  return table(
    "The draws and their shifts",
    ["draw", "noise", "moves by", "costs at most"],
    proof.places.map((shift) => [
      h("a", { href: "#", onclick: (event: Event) => open(event, shift) }, `line ${shift.line}`),
      `${shift.distribution}, scale ${shift.scale}`,
      shift.cases.map((one) => (one.when === "" ? one.by : `${one.by} if ${one.when.replaceAll("`", "")}`)).join("; ") +
        (shift.everyTurn ? ", in every turn" : ""),
      shift.cost,
    ]),
  );
}

function open(event: Event, shift: Shift): void {
  event.preventDefault();
  send({ type: "open", range: shift.range });
}

/** The pair that loses most of those that were computed: what comes out on it shows how close to the claim that is. */
function pairParts(proof: Proof, outputs: Outputs | Refused | undefined, width: number): HTMLElement[] {
  if (proof.pair === null) {
    return [];
  }
  const told = proof.pair.arguments.flatMap((one, i) => [i > 0 ? ", " : "", h("code", {}, `${one.name} = ${one.value}`)]);
  return [
    section(
      "The pair that loses most",
      proof.losses !== null && h("p", {}, sentence(proof.losses)),
      h(
        "p",
        {},
        h("strong", { class: "d1-text" }, "D1"),
        " = ",
        h("code", {}, proof.pair.d1),
        ", ",
        h("strong", { class: "d2-text" }, "D2"),
        " = ",
        h("code", {}, proof.pair.d2),
        ...(told.length > 0 ? [", with ", ...told] : []),
        ".",
      ),
      outputsPart(outputs, null, width),
    ),
  ];
}
