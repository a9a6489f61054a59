/** A counterexample as text for an issue: what somebody needs who has neither the editor nor dplint. */

import type { Counterexample } from "../src/panels/messages";

export function issueText(view: Counterexample): string {
  const side = (n: 0 | 1): string =>
    view.data.map((cell) => `${cell.before}${cell.text[n] ?? ""}${cell.text[n] === null ? "" : cell.after}`).join(" ");
  const [cause] = view.places;
  const again = view.facts.find((fact) => fact.name === "See it again");
  const [one, two] = view.probabilities;
  const known = view.unconfirmed === null ? [] : [`Known ${view.unconfirmed}.`, ""];
  return [
    `## ${view.headline}`,
    "",
    ...known,
    `Claim: \`${view.claim}\` (${view.claimed}).`,
    ...(cause?.code ? [`Line ${cause.line} (${cause.code}): ${cause.message}.`, "", "```python", cause.text, "```"] : []),
    "",
    "Two neighbouring inputs:",
    "",
    "```python",
    `D1 = ${side(0)}`,
    `D2 = ${side(1)}`,
    ...view.arguments.map((argument) => `${argument.name} = ${argument.value}`),
    "```",
    "",
    `| | ${view.measure} of \`${view.event.replaceAll("|", "\\|")}\` |`,
    "|---|---|",
    `| D1 | ${one.text} (${one.between}) |`,
    `| D2 | ${two.text} (${two.between}) |`,
    "",
    `${view.bound.title}.`,
    ...(again === undefined ? [] : ["", `To see it again: \`${again.text}\``]),
    "",
  ].join("\n");
}
